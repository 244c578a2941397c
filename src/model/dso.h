/*
 * dso.h - the objects that code ran from: executables, libraries, the kernel, its modules, JIT
 * code.
 *
 * A dso is what a mapping names: one for each (name, build-id). Ids are stable for the life of the
 * table; 0 is no dso.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dso_kind {
	DSO_UNKNOWN,
	DSO_USER,   /* a file: "/usr/bin/xz" */
	DSO_KERNEL, /* "[kernel.kallsyms]", "[guest.kernel.kallsyms]" */
	DSO_MODULE, /* a kernel module: "[ext4]" or "/lib/modules/.../ext4.ko" */
	DSO_VDSO,   /* "[vdso]" */
	DSO_ANON, /* "//anon", "[heap]", "[stack]", "/dev/zero", "/memfd:...", SYSV: maybe JIT code
		   */
	DSO_BPF,  /* "bpf_prog_6deef7357e7b4530_name": a KSYMBOL of a BPF program */
	DSO_OOL,  /* other KSYMBOLs: trampolines, kprobe pages */
};

struct dso {
	uint32_t id;
	enum dso_kind kind;
	const char *name;       /* the long name, as mapped, without " (deleted)" */
	const char *short_name; /* what reports print: the base name, "[kernel.kallsyms]", "[vdso]",
				   "[ext4]" */
	bool deleted;           /* the file was gone when it was mapped */
	uint8_t build_id[20];
	uint8_t build_id_size; /* 0 if unknown */
};
