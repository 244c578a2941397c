/*
 * bpf-programs.h - the BPF programs that the kernel has loaded, and the types they name: bpf(2),
 * BPF_PROG_GET_NEXT_ID and BPF_OBJ_GET_INFO_BY_FD.
 *
 * What the kernel says is taken as it is; data/bpfinfo.h knows what it means. Without the right
 * (CAP_SYS_ADMIN) there seems to be none.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct bpf_program {
	uint32_t id;
	/* A struct bpf_prog_info, whose pointers have become offsets into @arrays. */
	uint8_t *info;
	size_t info_size;
	uint8_t *arrays; /* one behind the other, each padded to 8 bytes */
	size_t arrays_size;
	uint64_t array_mask; /* which there are: bits as in the feature BPF_PROG_INFO */
};

/* Types in BTF form. */
struct bpf_program_types {
	uint32_t id;
	uint8_t *bytes;
	size_t size;
};

struct bpf_programs {
	struct bpf_program *items;
	size_t count, capacity;
	struct bpf_program_types *types;
	size_t types_count, types_capacity;
};

/* Adds the programs loaded since the last call; at first, all. One that goes meanwhile is left out.
 */
void bpf_programs_load(struct bpf_programs *programs);
void bpf_programs_done(struct bpf_programs *programs);
