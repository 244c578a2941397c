/* landlock.c - two system calls with structs and enums as arguments: landlock_add_rule, which
 * fails. */
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload/loads.h"

/* As <linux/landlock.h> has them, which not every system does. */
enum {
	LANDLOCK_PATH_BENEATH = 1,
	LANDLOCK_NET_PORT = 2,
	READ_FILE = 1 << 2,
	CONNECT_TCP = 1 << 1,
	/* No ruleset, no folder, no flags: tracers show them, and the kernel refuses them. */
	RULESET = 11,
	FOLDER = 14,
	FLAGS = 45,
	PORT = 19,
};

struct landlock_path {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

struct landlock_port {
	uint64_t allowed_access, port;
};

int landlock(const char *const *args, struct strobe_err *err)
{
	const struct landlock_path path = { READ_FILE, FOLDER };
	const struct landlock_port port = { CONNECT_TCP, PORT };

	(void)syscall(SYS_landlock_add_rule, RULESET, LANDLOCK_PATH_BENEATH, &path, FLAGS);
	(void)syscall(SYS_landlock_add_rule, RULESET, LANDLOCK_NET_PORT, &port, FLAGS);
	return 0;
}
