/* bpf-records.c - see bpf-records.h. */
#include "collect/bpf-records.h"

#include <linux/perf_event.h>

#include "base/arena.h"
#include "base/mem.h"
#include "collect/recordbuf.h"
#include "data/body.h"
#include "data/bpfinfo.h"
#include "kernel/bpf-programs.h"

static struct bpfinfo_btfs types_of(const struct bpf_programs *programs, struct arena *arena)
{
	struct bpfinfo_btfs btfs = { .count = programs->types_count };

	btfs.items = arena_alloc(arena, btfs.count * sizeof(*btfs.items));
	for (size_t i = 0; i < btfs.count; i++)
		btfs.items[i] = (struct bpfinfo_btf){ .id = programs->types[i].id,
						      .bytes = programs->types[i].bytes,
						      .size = programs->types[i].size };
	return btfs;
}

void bpf_records_info(const struct bpf_programs *programs, struct body_out *out)
{
	struct arena arena = { 0 };
	struct bpfinfo_raw *raw = arena_alloc(&arena, programs->count * sizeof(*raw));

	for (size_t i = 0; i < programs->count; i++) {
		const struct bpf_program *program = &programs->items[i];

		raw[i] = (struct bpfinfo_raw){ .info = program->info,
					       .info_size = program->info_size,
					       .arrays = program->arrays,
					       .arrays_size = program->arrays_size,
					       .array_mask = program->array_mask };
	}
	bpfinfo_programs_encode(raw, programs->count, out);
	arena_done(&arena);
}

void bpf_records_types(const struct bpf_programs *programs, struct body_out *out)
{
	struct arena arena = { 0 };
	struct bpfinfo_btfs btfs = types_of(programs, &arena);

	bpfinfo_btfs_encode(&btfs, out);
	arena_done(&arena);
}

static void add_program(const struct bpfinfo_program *program, struct recordbuf *buf)
{
	for (size_t i = 0; i < program->count; i++) {
		const struct bpfinfo_function *function = &program->functions[i];

		/* 0: the kernel hides its addresses. */
		if (!function->addr)
			continue;
		recordbuf_begin(buf, PERF_RECORD_KSYMBOL, 0);
		recordbuf_u64(buf, function->addr);
		recordbuf_u32(buf, function->size);
		recordbuf_u16(buf, PERF_RECORD_KSYMBOL_TYPE_BPF);
		recordbuf_u16(buf, 0);
		recordbuf_string(buf, function->name);
		recordbuf_end_sideband(buf);
	}
	recordbuf_begin(buf, PERF_RECORD_BPF_EVENT, 0);
	recordbuf_u16(buf, PERF_BPF_EVENT_PROG_LOAD);
	recordbuf_u16(buf, 0);
	recordbuf_u32(buf, program->id);
	recordbuf_bytes(buf, program->tag, sizeof(program->tag));
	recordbuf_end_sideband(buf);
}

/* The names come out of the feature's decoder: one place knows how the kernel makes them. */
void bpf_records_add(const struct bpf_programs *programs, struct recordbuf *buf)
{
	_cleanup_(body_done) struct body_out section = { 0 };
	struct arena arena = { 0 };
	struct bpfinfo_btfs btfs = types_of(programs, &arena);
	struct bpfinfo_programs decoded;

	bpf_records_info(programs, &section);
	if (bpfinfo_programs_decode(section.bytes, section.size, false, &btfs, &arena, &decoded) ==
	    0)
		for (size_t i = 0; i < decoded.count; i++)
			add_program(&decoded.items[i], buf);
	arena_done(&arena);
}
