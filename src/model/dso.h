/*
 * dso.h - the objects that code ran from: executables, libraries, the kernel, its modules, JIT
 * code.
 *
 * A dso is what a mapping names: one for each (name, file, build-id). Ids are stable for the life
 * of the table; 0 is no dso.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What stands behind the name of a file that was deleted. */
#define DSO_DELETED " (deleted)"

/* In a set of numbers of dsos that are in use: somebody has it mapped. */
enum { DSO_MAPPED = 1 };

enum dso_kind {
	DSO_UNKNOWN,
	DSO_USER,   /* a file: "/usr/bin/xz" */
	DSO_KERNEL, /* "[kernel.kallsyms]", "[guest.kernel.kallsyms]" */
	DSO_MODULE, /* a kernel module: "[ext4]" or "/lib/modules/.../ext4.ko" */
	DSO_VDSO,   /* "[vdso]" */
	DSO_ANON, /* memory without a file: "[heap]", "[stack]", "/SYSV...", "//anon"; where it may
		     run, it may be JIT code, and is called "/tmp/perf-PID.map" as perf calls it */
	DSO_JITDUMP, /* code that a JIT dump told of; called as that of DSO_ANON is */
	DSO_BPF,     /* "bpf_prog_6deef7357e7b4530_name": a KSYMBOL of a BPF program */
	DSO_OOL,     /* other KSYMBOLs: trampolines, kprobe pages */
};

struct dso {
	uint32_t id;
	enum dso_kind kind;
	const char *name;       /* the long name, as mapped, without " (deleted)" */
	const char *short_name; /* what reports print: the base name, "[kernel.kallsyms]", "[vdso]",
				   "[ext4]", "[JIT] tid 4711"; DSO_DELETED is printed behind both */
	bool deleted;           /* the file was gone when it was mapped */
	bool guest;             /* of a guest's kernel */
	bool in_memory;         /* on no disk: what is in it was made at run time */
	bool shared_name;       /* another file was mapped under this name: it was replaced */
	uint8_t build_id[20];
	uint8_t build_id_size; /* 0 if unknown */
	uint32_t jit_pid;      /* of "/tmp/perf-PID.map": PID; else 0 */
	uint32_t dump_pid;     /* of a file "jit-PID.dump": PID; else 0 */
	/* Of the kernel: a symbol ("_text") and where it was; NULL and 0 if not told. */
	const char *reference_symbol;
	uint64_t reference_addr;
	uint64_t ino; /* inode when it was mapped; 0 if unknown */
};

/* Whether that is the build-id of a dso that has one. Recordings and mappings have 20 bytes: those
 * of short ones are padded with zeros, and long ones are cut. */
static inline bool dso_has_build_id(const struct dso *dso, const uint8_t *bytes, size_t size)
{
	uint8_t padded[sizeof(dso->build_id)] = { 0 }, wanted[sizeof(dso->build_id)] = { 0 };

	if (size == 0)
		return false;
	memcpy(padded, bytes, size < sizeof(padded) ? size : sizeof(padded));
	memcpy(wanted, dso->build_id, dso->build_id_size);
	return memcmp(padded, wanted, sizeof(wanted)) == 0;
}
