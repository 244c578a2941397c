/*
 * bpfinfo.h - header features about BPF: BPF_PROG_INFO (programs that were loaded) and BPF_BTF
 * (types they use).
 *
 * A program is the kernel's struct bpf_prog_info (bpf(2), BPF_OBJ_GET_INFO_BY_FD) as it was when
 * recorded, with its arrays behind it; of it, only what names the program's code is taken.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct body_out;

/* A function of a program as the kernel lists it in kallsyms. */
struct bpfinfo_function {
	const char *name; /* "bpf_prog_6deef7357e7b4530_sd_fw_egress" */
	uint64_t addr;
	uint32_t size; /* bytes of native code */
};

struct bpfinfo_program {
	uint32_t id;
	uint8_t tag[8];
	struct bpfinfo_function *functions;
	size_t count;
};

struct bpfinfo_programs {
	struct bpfinfo_program *items;
	size_t count;
};

/* Types in BTF form, of the id that programs name. */
struct bpfinfo_btf {
	uint32_t id;
	const void *bytes; /* in the section */
	size_t size;
};

struct bpfinfo_btfs {
	struct bpfinfo_btf *items;
	size_t count;
};

/* What is decoded lies in @arena. 0 or -EBADMSG. @btfs (of the same file; may be NULL) gives
 * functions their names. */
int bpfinfo_programs_decode(const void *bytes, size_t size, bool foreign,
			    const struct bpfinfo_btfs *btfs, struct arena *arena,
			    struct bpfinfo_programs *ret_programs);
int bpfinfo_btfs_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			struct bpfinfo_btfs *ret_btfs);

/* A program as kernel/bpf-programs.h has it. */
struct bpfinfo_raw {
	const void *info, *arrays;
	size_t info_size, arrays_size;
	uint64_t array_mask;
};
void bpfinfo_programs_encode(const struct bpfinfo_raw *programs, size_t count,
			     struct body_out *out);
void bpfinfo_btfs_encode(const struct bpfinfo_btfs *btfs, struct body_out *out);
