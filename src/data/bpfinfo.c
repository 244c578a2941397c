/* bpfinfo.c - see bpfinfo.h. */
#include "data/bpfinfo.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/body.h"

enum {
	PROGRAM_MIN = 4 + 4 + 8,
	BTF_MIN = 4 + 4,
	TAG_SIZE = BPF_TAG_SIZE,
};

/* A stretch of bytes and their order. What lies outside reads as 0. */
struct bpf_span {
	const uint8_t *bytes;
	size_t size;
	bool swap;
};

static bool span_has(struct bpf_span span, uint64_t offset, uint64_t size)
{
	return offset <= span.size && size <= span.size - offset;
}

static uint32_t span_u32(struct bpf_span span, uint64_t offset)
{
	uint32_t value = 0;

	if (span_has(span, offset, sizeof(value)))
		memcpy(&value, span.bytes + offset, sizeof(value));
	return bytes_u32(value, span.swap);
}

static uint64_t span_u64(struct bpf_span span, uint64_t offset)
{
	uint64_t value = 0;

	if (span_has(span, offset, sizeof(value)))
		memcpy(&value, span.bytes + offset, sizeof(value));
	return bytes_u64(value, span.swap);
}

/* Bytes that follow a struct btf_type of a kind. */
static uint64_t btf_extra_size(uint32_t info)
{
	uint64_t count = BTF_INFO_VLEN(info);

	switch (BTF_INFO_KIND(info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return count * 12;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return count * 8;
	default:
		return 0;
	}
}

/* The name of a type; NULL if there is no such. Types count from 1, one behind the other. */
static const char *btf_type_name(struct bpf_span btf, uint32_t type_id)
{
	uint64_t header_size = span_u32(btf, offsetof(struct btf_header, hdr_len));
	uint64_t at = header_size + span_u32(btf, offsetof(struct btf_header, type_off));
	uint64_t end = at + span_u32(btf, offsetof(struct btf_header, type_len));
	uint64_t strings = header_size + span_u32(btf, offsetof(struct btf_header, str_off));
	uint64_t name;

	for (uint32_t id = 1; id < type_id; id++) {
		if (at >= end || !span_has(btf, at, sizeof(struct btf_type)))
			return NULL;
		at += sizeof(struct btf_type) +
		      btf_extra_size(span_u32(btf, at + offsetof(struct btf_type, info)));
	}
	if (type_id == 0 || at >= end || !span_has(btf, at, sizeof(struct btf_type)))
		return NULL;
	name = strings + span_u32(btf, at + offsetof(struct btf_type, name_off));
	if (name >= btf.size || !memchr(btf.bytes + name, '\0', btf.size - name))
		return NULL;
	return (const char *)btf.bytes + name;
}

static bool find_btf(const struct bpfinfo_btfs *btfs, uint32_t id, bool swap,
		     struct bpf_span *ret_btf)
{
	for (size_t i = 0; btfs && id && i < btfs->count; i++) {
		if (btfs->items[i].id != id)
			continue;
		*ret_btf = (struct bpf_span){ btfs->items[i].bytes, btfs->items[i].size, swap };
		return true;
	}
	return false;
}

#define INFO_U32(info, field) span_u32(info, offsetof(struct bpf_prog_info, field))
#define INFO_U64(info, field) span_u64(info, offsetof(struct bpf_prog_info, field))

/*
 * The kernel's name of a program's function: bpf_prog_TAG, then _NAME from BTF; without BTF the
 * program's own name for the first, "F" for the others. The first has the program's tag, which is
 * not that of prog_tags where there are others.
 */
static const char *function_name(struct bpf_span info, struct bpf_span arrays, uint32_t index,
				 const struct bpfinfo_btfs *btfs, struct arena *arena)
{
	_cleanup_(str_done) struct str name = { 0 };
	uint64_t tags = INFO_U64(info, prog_tags) + (uint64_t)index * TAG_SIZE;
	struct bpf_span from = index ? arrays : info;
	const char *own = (const char *)info.bytes + offsetof(struct bpf_prog_info, name);
	struct bpf_span btf;

	if (index == 0)
		tags = offsetof(struct bpf_prog_info, tag);
	str_add(&name, "bpf_prog_");
	if (span_has(from, tags, TAG_SIZE))
		str_add_hex(&name, from.bytes + tags, TAG_SIZE);
	if (find_btf(btfs, INFO_U32(info, btf_id), info.swap, &btf)) {
		uint64_t at = INFO_U64(info, func_info) +
			      (uint64_t)index * INFO_U32(info, func_info_rec_size);
		const char *text = btf_type_name(btf, span_u32(arrays, at + 4));

		if (text)
			str_addf(&name, "_%s", text);
	} else if (index > 0) {
		str_add(&name, "_F");
	} else if (span_has(info, offsetof(struct bpf_prog_info, name), BPF_OBJ_NAME_LEN) &&
		   own[0]) {
		str_addf(&name, "_%.*s", BPF_OBJ_NAME_LEN, own);
	}
	return arena_strdup(arena, str_text(&name));
}

/*
 * uint32_t size of info, uint32_t size of arrays, uint64_t mask of arrays | info | arrays. What
 * were pointers in info are offsets into the arrays.
 */
static void read_program(struct body_in *in, const struct bpfinfo_btfs *btfs, struct arena *arena,
			 struct bpfinfo_program *program)
{
	struct bpf_span info = { .size = body_u32(in), .swap = in->swap };
	struct bpf_span arrays = { .size = body_u32(in), .swap = in->swap };
	uint64_t addrs, sizes;
	uint32_t count;

	(void)body_u64(in);
	info.bytes = body_bytes(in, info.size);
	arrays.bytes = body_bytes(in, arrays.size);
	if (!info.bytes || !arrays.bytes)
		return;
	program->id = INFO_U32(info, id);
	if (span_has(info, offsetof(struct bpf_prog_info, tag), TAG_SIZE))
		memcpy(program->tag, info.bytes + offsetof(struct bpf_prog_info, tag), TAG_SIZE);
	addrs = INFO_U64(info, jited_ksyms);
	sizes = INFO_U64(info, jited_func_lens);
	count = INFO_U32(info, nr_jited_ksyms);
	if (!span_has(arrays, addrs, (uint64_t)count * sizeof(uint64_t)) ||
	    !span_has(arrays, sizes, (uint64_t)count * sizeof(uint32_t))) {
		in->bad = true;
		return;
	}
	program->count = count;
	program->functions = arena_alloc(arena, count * sizeof(*program->functions));
	for (uint32_t i = 0; i < count; i++)
		program->functions[i] = (struct bpfinfo_function){
			.name = function_name(info, arrays, i, btfs, arena),
			.addr = span_u64(arrays, addrs + (uint64_t)i * sizeof(uint64_t)),
			.size = span_u32(arrays, sizes + (uint64_t)i * sizeof(uint32_t)),
		};
}

int bpfinfo_programs_decode(const void *bytes, size_t size, bool foreign,
			    const struct bpfinfo_btfs *btfs, struct arena *arena,
			    struct bpfinfo_programs *ret_programs)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct bpfinfo_programs programs = { .count = body_u32(&in) };

	if (!body_has(&in, programs.count, PROGRAM_MIN))
		return -EBADMSG;
	programs.items = arena_alloc(arena, programs.count * sizeof(*programs.items));
	for (size_t i = 0; i < programs.count && !in.bad; i++)
		read_program(&in, btfs, arena, &programs.items[i]);
	if (in.bad)
		return -EBADMSG;
	*ret_programs = programs;
	return 0;
}

int bpfinfo_btfs_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			struct bpfinfo_btfs *ret_btfs)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct bpfinfo_btfs btfs = { .count = body_u32(&in) };

	if (!body_has(&in, btfs.count, BTF_MIN))
		return -EBADMSG;
	btfs.items = arena_alloc(arena, btfs.count * sizeof(*btfs.items));
	for (size_t i = 0; i < btfs.count; i++) {
		btfs.items[i].id = body_u32(&in);
		btfs.items[i].size = body_u32(&in);
		btfs.items[i].bytes = body_bytes(&in, btfs.items[i].size);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_btfs = btfs;
	return 0;
}

void bpfinfo_programs_encode(const struct bpfinfo_raw *programs, size_t count, struct body_out *out)
{
	body_put_u32(out, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		const struct bpfinfo_raw *program = &programs[i];

		body_put_u32(out, (uint32_t)program->info_size);
		body_put_u32(out, (uint32_t)program->arrays_size);
		body_put_u64(out, program->array_mask);
		body_put_bytes(out, program->info, program->info_size);
		body_put_bytes(out, program->arrays, program->arrays_size);
	}
}

void bpfinfo_btfs_encode(const struct bpfinfo_btfs *btfs, struct body_out *out)
{
	body_put_u32(out, (uint32_t)btfs->count);
	for (size_t i = 0; i < btfs->count; i++) {
		body_put_u32(out, btfs->items[i].id);
		body_put_u32(out, (uint32_t)btfs->items[i].size);
		body_put_bytes(out, btfs->items[i].bytes, btfs->items[i].size);
	}
}
