/*
 * jitdump.c - a function made at run time, jit_workload, and the file that says so: jit-PID.dump,
 * in the format of JIT compilers (jitdump-specification.txt of perf). It is mapped once, which
 * recorders notice.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "workload/loads.h"

enum {
	MAGIC = 0x4A695444, /* "JiTD" */
	VERSION = 1,
	CODE_LOAD = 0,
	PAGE = 4096,
};

/* return 90; */
#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
static const uint8_t code[] = { 0xb8, 0x5a, 0x00, 0x00, 0x00, 0xc3 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
static const uint8_t code[] = { 0x40, 0x0b, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6 };
#else
enum { MACHINE = EM_NONE };
static const uint8_t code[] = { 0 };
#endif

static const char name[] = "jit_workload";

struct dump_header {
	uint32_t magic, version, size, machine, pad, pid;
	uint64_t time_ns, flags;
};

struct dump_load {
	uint32_t id, size;
	uint64_t time_ns;
	uint32_t pid, tid;
	uint64_t address, code_address, code_size, code_index;
};

static int write_dump(int fd, const void *place)
{
	_cleanup_(str_done) struct str bytes = { 0 };
	const struct dump_header header = { MAGIC,          VERSION, sizeof(header),
					    MACHINE,        0,       (uint32_t)getpid(),
					    clock_now_ns(), 0 };
	const struct dump_load load = {
		.id = CODE_LOAD,
		.size = (uint32_t)(sizeof(load) + sizeof(name) + sizeof(code)),
		.time_ns = clock_now_ns(),
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)gettid(),
		.address = (uintptr_t)place,
		.code_address = (uintptr_t)place,
		.code_size = sizeof(code),
		.code_index = 1,
	};
	void *marker;

	str_add_bytes(&bytes, &header, sizeof(header));
	str_add_bytes(&bytes, &load, sizeof(load));
	str_add_bytes(&bytes, name, sizeof(name));
	str_add_bytes(&bytes, code, sizeof(code));
	if (write(fd, bytes.text, bytes.size) != (ssize_t)bytes.size)
		return -errno;
	marker = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (marker == MAP_FAILED) // NOLINT: that is how it is defined
		return -errno;
	(void)munmap(marker, PAGE);
	return 0;
}

static int dump(const void *place, struct strobe_err *err)
{
	_cleanup_(str_done) struct str path = { 0 };
	_cleanup_(closep) int fd = -1;
	int r;

	str_addf(&path, "jit-%d.dump", (int)getpid());
	fd = open(path.text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_errno(err, "cannot make '%s'", path.text);
	r = write_dump(fd, place);
	return r < 0 ? err_set(err, r, "cannot write '%s': %s", path.text, strerror(-r)) : 0;
}

int jitdump(const char *const *args, struct strobe_err *err)
{
	int (*function)(void);
	void *place;
	int r;

	if (MACHINE == EM_NONE)
		return err_set(err, -ENOSYS, "there is no code for this kind of CPU");
	place = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (place == MAP_FAILED) // NOLINT
		return err_errno(err, "cannot have memory for code");
	memcpy(place, code, sizeof(code));
	__builtin___clear_cache((char *)place, (char *)place + sizeof(code));
	memcpy(&function, &place, sizeof(function));
	r = dump(place, err);
	if (r == 0)
		(void)function();
	(void)munmap(place, PAGE);
	return r;
}
