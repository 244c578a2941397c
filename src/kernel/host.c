/* host.c - see host.h. */
#include "kernel/host.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/cpus.h"
#include "kernel/sysfile.h"

#define NS_PER_SEC 1000000000ULL

int host_names(struct arena *arena, struct host_names *ret_names, struct strobe_err *err)
{
	struct utsname uts;

	if (uname(&uts) < 0)
		return err_errno(err, "cannot tell this machine's name");
	*ret_names = (struct host_names){
		.hostname = arena_strdup(arena, uts.nodename),
		.release = arena_strdup(arena, uts.release),
		.arch = arena_strdup(arena, uts.machine),
	};
	return 0;
}

/* White space in a row is one blank, as model names are padded. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (isspace((unsigned char)from[0]) && isspace((unsigned char)from[1]))
			continue;
		*to++ = *from;
	}
	*to = '\0';
}

/* The value in the first line "key   : value" of a text; NULL if there is none. */
static const char *find_value(const char *text, const char *key, struct arena *arena)
{
	struct str_part line;

	while (text && str_split(&text, '\n', &line)) {
		const char *colon = memchr(line.text, ':', line.size);
		const char *end = line.text + line.size;
		size_t key_size = strlen(key);
		char *value;

		if (!colon || line.size < key_size || memcmp(line.text, key, key_size) != 0)
			continue;
		if (strspn(line.text + key_size, " \t") != (size_t)(colon - line.text) - key_size)
			continue;
		for (colon++; colon < end && isspace((unsigned char)*colon); colon++)
			;
		value = arena_strndup(arena, colon, (size_t)(end - colon));
		squeeze(value);
		return value;
	}
	return NULL;
}

const char *host_cpu_field(const char *root, const char *key, struct arena *arena)
{
	const char *text = sysfile_head(root, arena, "/proc/cpuinfo");

	return text ? find_value(text, key, arena) : NULL;
}

const char *host_cpu_name(const char *root, struct arena *arena)
{
	/* x86; s390; powerpc, sparc; arm; mips; riscv and others */
	static const char *const keys[] = { "model name", "vendor_id", "cpu",
					    "Processor",  "cpu model", "uarch" };
	const char *text = sysfile_head(root, arena, "/proc/cpuinfo");
	const char *value = NULL;

	for (size_t i = 0; text && !value && i < sizeof(keys) / sizeof(*keys); i++)
		value = find_value(text, keys[i], arena);
	return value;
}

const char *host_cpu_id(const char *root, struct arena *arena)
{
	return host_cpu_id_of(root, 0, arena);
}

const char *host_cpu_id_of(const char *root, int cpu, struct arena *arena)
{
	const char *text = sysfile_head(root, arena, "/proc/cpuinfo");
	const char *vendor = text ? find_value(text, "vendor_id", arena) : NULL;
	const char *family = text ? find_value(text, "cpu family", arena) : NULL;
	const char *model = text ? find_value(text, "model", arena) : NULL;
	const char *stepping = text ? find_value(text, "stepping", arena) : NULL;
	_cleanup_(str_done) struct str id = { 0 };

	if (!vendor || !family || !model || !stepping)
		return sysfile_text(root, arena,
				    "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
				    cpu);
	str_addf(&id, "%s,%s,%s,%s", vendor, family, model, stepping);
	return arena_strdup(arena, str_text(&id));
}

uint64_t host_memory_kb(const char *root)
{
	struct arena arena = { 0 };
	const char *text = sysfile_text(root, &arena, "/proc/meminfo");
	const char *value = text ? find_value(text, "MemTotal", &arena) : NULL;
	uint64_t total_kb = value ? strtoull(value, NULL, 10) : 0;

	arena_done(&arena);
	return total_kb;
}

/* The CPUs of a list in /sys/devices/system/cpu. */
static void load_cpus(const char *root, const char *name, struct cpus *cpus)
{
	struct arena arena = { 0 };
	const char *text = sysfile_text(root, &arena, "/sys/devices/system/cpu/%s", name);

	if (text)
		(void)cpus_parse(cpus, text, NULL);
	arena_done(&arena);
}

size_t host_cpus_available(const char *root)
{
	_cleanup_(cpus_done) struct cpus cpus = { 0 };

	load_cpus(root, "present", &cpus);
	return cpus.count ? (size_t)cpus.items[cpus.count - 1] + 1 : 0;
}

size_t host_cpus_online(const char *root)
{
	_cleanup_(cpus_done) struct cpus cpus = { 0 };

	load_cpus(root, "online", &cpus);
	return cpus.count;
}

uint32_t host_cache_line_size(const char *root)
{
	int64_t size = sysfile_number(
		root, 10, 0, "/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size");

	return size > 0 && size <= UINT32_MAX ? (uint32_t)size : 0;
}

int host_machine(uint32_t *ret_machine, uint32_t *ret_flags)
{
	_cleanup_(fclosep) FILE *file = fopen("/proc/self/exe", "re");
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr small;
		Elf64_Ehdr large;
	} header;

	if (!file)
		return -errno;
	if (fread(&header, 1, sizeof(header), file) != sizeof(header))
		return -EIO;
	*ret_machine = header.large.e_machine;
	*ret_flags =
		header.ident[EI_CLASS] == ELFCLASS64 ? header.large.e_flags : header.small.e_flags;
	return 0;
}

const char *host_exe_path(struct arena *arena)
{
	char path[4096]; /* PATH_MAX */
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (size <= 0)
		return NULL;
	path[size] = '\0';
	return arena_strdup(arena, path);
}

bool host_has_no_bpf(void)
{
	union bpf_attr attr = { .start_id = 0 };

	return syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr)) < 0 && errno == ENOENT;
}

static uint64_t to_ns(struct timespec time)
{
	return (uint64_t)time.tv_sec * NS_PER_SEC + (uint64_t)time.tv_nsec;
}

uint64_t host_clock_resolution_ns(int32_t clockid)
{
	struct timespec resolution;

	return clock_getres(clockid, &resolution) < 0 ? 0 : to_ns(resolution);
}

int host_clock_pair(int32_t clockid, uint64_t *ret_tod_ns, uint64_t *ret_clock_ns)
{
	struct timespec tod, clock;

	if (clock_gettime(CLOCK_REALTIME, &tod) < 0 || clock_gettime(clockid, &clock) < 0)
		return -errno;
	*ret_tod_ns = to_ns(tod);
	*ret_clock_ns = to_ns(clock);
	return 0;
}
