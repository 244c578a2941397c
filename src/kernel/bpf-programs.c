/* bpf-programs.c - see bpf-programs.h. */
#include "kernel/bpf-programs.h"

#include <linux/bpf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

/* More than any program or type information has; what is larger is left out. */
#define SIZE_MAX_SANE ((uint64_t)64 << 20)

/*
 * An array of a program: where struct bpf_prog_info has its count, the size of an element and its
 * address.
 */
struct array {
	unsigned bit;        /* in array_mask */
	uint32_t item_size;  /* 0: it is at item_size_at */
	size_t count_at;     /* of a uint32_t */
	size_t item_size_at; /* of a uint32_t */
	size_t pointer_at;   /* of a uint64_t */
};

#define AT(field) offsetof(struct bpf_prog_info, field)

/* Those that name and show code; what it was compiled from and its maps concern no profile. */
static const struct array arrays[] = {
	{ 0, 1, AT(jited_prog_len), 0, AT(jited_prog_insns) },
	{ 3, sizeof(uint64_t), AT(nr_jited_ksyms), 0, AT(jited_ksyms) },
	{ 4, sizeof(uint32_t), AT(nr_jited_func_lens), 0, AT(jited_func_lens) },
	{ 5, 0, AT(nr_func_info), AT(func_info_rec_size), AT(func_info) },
	{ 6, 0, AT(nr_line_info), AT(line_info_rec_size), AT(line_info) },
	{ 7, 0, AT(nr_jited_line_info), AT(jited_line_info_rec_size), AT(jited_line_info) },
	{ 8, BPF_TAG_SIZE, AT(nr_prog_tags), 0, AT(prog_tags) },
};

enum {
	ARRAY_COUNT = sizeof(arrays) / sizeof(arrays[0]),
};

static uint32_t get_u32(const struct bpf_prog_info *info, size_t at)
{
	uint32_t value;

	memcpy(&value, (const uint8_t *)info + at, sizeof(value));
	return value;
}

static void put_u32(struct bpf_prog_info *info, size_t at, uint32_t value)
{
	memcpy((uint8_t *)info + at, &value, sizeof(value));
}

static void put_u64(struct bpf_prog_info *info, size_t at, uint64_t value)
{
	memcpy((uint8_t *)info + at, &value, sizeof(value));
}

static uint32_t item_size(const struct bpf_prog_info *info, const struct array *array)
{
	return array->item_size_at ? get_u32(info, array->item_size_at) : array->item_size;
}

static long bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* *info_size: the room, then what the kernel wrote. */
static bool get_info(int fd, void *info, uint32_t *info_size)
{
	union bpf_attr attr = {
		.info = { .bpf_fd = (uint32_t)fd, .info_len = *info_size, .info = (uintptr_t)info },
	};

	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) < 0)
		return false;
	*info_size = attr.info.info_len;
	return true;
}

/* What is asked for the second time: as much of each array as the kernel said there is. */
static bool ask(const struct bpf_prog_info *have, struct bpf_prog_info *want,
		struct bpf_program *program)
{
	uint64_t size = 0, offset = 0;

	for (size_t i = 0; i < ARRAY_COUNT; i++)
		size += (((uint64_t)get_u32(have, arrays[i].count_at) *
			  item_size(have, &arrays[i])) +
			 7) &
			~UINT64_C(7);
	if (size > SIZE_MAX_SANE)
		return false;
	program->arrays = xcalloc(1, size);
	program->arrays_size = size;
	for (size_t i = 0; i < ARRAY_COUNT; i++) {
		const struct array *array = &arrays[i];
		uint32_t count = get_u32(have, array->count_at), each = item_size(have, array);

		if (!count || !each)
			continue;
		put_u32(want, array->count_at, count);
		if (array->item_size_at)
			put_u32(want, array->item_size_at, each);
		put_u64(want, array->pointer_at, (uintptr_t)program->arrays + offset);
		offset += (((uint64_t)count * each) + 7) & ~UINT64_C(7);
		program->array_mask |= UINT64_C(1) << array->bit;
	}
	return true;
}

/* The kernel leaves out what this user may not see, and never has more than there was room for. */
static bool settle(const struct bpf_prog_info *want, struct bpf_prog_info *got,
		   struct bpf_program *program)
{
	for (size_t i = 0; i < ARRAY_COUNT; i++) {
		const struct array *array = &arrays[i];
		uint64_t pointer;

		if (get_u32(got, array->count_at) > get_u32(want, array->count_at))
			return false;
		memcpy(&pointer, (const uint8_t *)want + array->pointer_at, sizeof(pointer));
		put_u64(got, array->pointer_at, pointer ? pointer - (uintptr_t)program->arrays : 0);
	}
	return true;
}

static bool load_program(int fd, struct bpf_program *program, uint32_t *ret_types)
{
	struct bpf_prog_info first = { 0 }, want = { 0 }, got;
	uint32_t size = sizeof(first);

	if (!get_info(fd, &first, &size) || !ask(&first, &want, program))
		return false;
	got = want;
	size = sizeof(got);
	if (!get_info(fd, &got, &size) || size > sizeof(got) || !settle(&want, &got, program))
		return false;
	program->id = got.id;
	program->info = xcalloc(1, size);
	program->info_size = size;
	memcpy(program->info, &got, size);
	*ret_types = got.btf_id;
	return true;
}

static void load_types(struct bpf_programs *programs, uint32_t id)
{
	union bpf_attr attr = { .btf_id = id };
	struct bpf_btf_info info = { 0 };
	uint32_t size = sizeof(info);
	uint8_t *bytes = NULL;
	bool ok;
	int fd;

	for (size_t i = 0; i < programs->types_count; i++)
		if (programs->types[i].id == id)
			return;
	fd = (int)bpf(BPF_BTF_GET_FD_BY_ID, &attr);
	if (fd < 0)
		return;
	ok = get_info(fd, &info, &size) && info.btf_size && info.btf_size <= SIZE_MAX_SANE;
	if (ok) {
		uint32_t room = info.btf_size;

		bytes = xcalloc(1, room);
		info = (struct bpf_btf_info){ .btf = (uintptr_t)bytes, .btf_size = room };
		size = sizeof(info);
		ok = get_info(fd, &info, &size) && info.btf_size == room;
	}
	(void)close(fd);
	if (!ok) {
		free(bytes);
		return;
	}
	if (programs->types_count == programs->types_capacity)
		programs->types =
			xgrow(programs->types, &programs->types_capacity, sizeof(*programs->types));
	programs->types[programs->types_count++] =
		(struct bpf_program_types){ .id = id, .bytes = bytes, .size = info.btf_size };
}

static void program_done(struct bpf_program *program)
{
	free(program->info);
	free(program->arrays);
}

static void load_one(struct bpf_programs *programs, uint32_t id)
{
	union bpf_attr attr = { .prog_id = id };
	struct bpf_program program = { 0 };
	uint32_t types = 0;
	int fd = (int)bpf(BPF_PROG_GET_FD_BY_ID, &attr);
	bool ok;

	if (fd < 0)
		return;
	ok = load_program(fd, &program, &types);
	(void)close(fd);
	if (!ok) {
		program_done(&program);
		return;
	}
	grow(programs);
	programs->items[programs->count++] = program;
	if (types)
		load_types(programs, types);
}

/* Ids only grow, so what came since the last call lies behind the last id. */
void bpf_programs_load(struct bpf_programs *programs)
{
	union bpf_attr attr = {
		.start_id = programs->count ? programs->items[programs->count - 1].id : 0,
	};

	while (bpf(BPF_PROG_GET_NEXT_ID, &attr) == 0) {
		uint32_t id = attr.next_id;

		load_one(programs, id);
		attr = (union bpf_attr){ .start_id = id };
	}
}

void bpf_programs_done(struct bpf_programs *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		program_done(&programs->items[i]);
	for (size_t i = 0; i < programs->types_count; i++)
		free(programs->types[i].bytes);
	free(programs->items);
	free(programs->types);
	*programs = (struct bpf_programs){ 0 };
}
