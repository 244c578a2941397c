/*
 * sample.h - a sample's fields, by the attr that made it.
 *
 * Which fields a SAMPLE record has, and in what order, follows from attr.sample_type,
 * read_format, branch_sample_type and the register masks: perf_event_open(2), "PERF_RECORD_SAMPLE".
 * Other records end in a trailer of the same kind where attr.sample_id_all is set.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attr;
struct str;
struct perf_event_header;

struct sample_read {
	uint64_t value, id, lost;
};

struct sample_branch {
	uint64_t from, to;
	uint64_t flags; /* bit 0 mispred, 1 predicted, 2 in_tx, 3 abort, 4-19 cycles, 20-23 type,
			   ... */
};

struct sample_regs {
	uint64_t abi;  /* 0 none, 1 32 bit, 2 64 bit */
	uint64_t mask; /* bit N: register N is there; values in that order */
	const uint64_t *values;
	size_t count;
};

/*
 * What a sample holds. @has tells (PERF_SAMPLE_* bits); a field that is not there is 0, but
 * pid, tid and cpu are then UINT32_MAX. Pointers are borrowed from the record.
 */
struct sample {
	uint64_t has;
	uint16_t misc; /* of the record: PERF_RECORD_MISC_* */
	uint64_t id, stream_id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time; /* ns on the recording's clock */
	uint64_t addr;
	uint32_t cpu;
	uint64_t period; /* as recorded, else attr.sample_period (1 where that is 0 or a frequency)
			  */
	uint64_t weight; /* the 64-bit value, or var1_dw of PERF_SAMPLE_WEIGHT_STRUCT */
	uint16_t weight_2, weight_3; /* ins_lat and p_stage_cyc, of WEIGHT_STRUCT */
	uint64_t data_src, transaction;
	uint64_t phys_addr, cgroup, data_page_size, code_page_size;

	struct {
		uint64_t time_enabled, time_running;
		const uint64_t *values; /* raw: see sample_read_at() */
		size_t count;           /* 1, or the group's size */
		uint64_t format;        /* read_format */
	} read;

	const uint64_t *callchain; /* with PERF_CONTEXT_* marks; ip first */
	size_t callchain_count;

	const void *raw;
	size_t raw_size;

	const struct sample_branch *branches;
	size_t branch_count;
	uint64_t branch_hw_index;        /* UINT64_MAX if not there */
	const uint64_t *branch_counters; /* one for each branch (Linux 6.8), or NULL */

	struct sample_regs regs_user, regs_intr;
	const void *stack; /* the copy of the user stack */
	size_t stack_size; /* bytes that were really copied (dyn_size) */
	size_t stack_room; /* that there was room for: no less */

	/* Where the fields REGS_USER and STACK_USER begin, and where the latter ends; NULL if there
	 * are none. */
	const void *registers_field, *stack_field, *stack_end;

	const void *aux;
	size_t aux_size;
};

/*
 * Whether all is known that tells where the fields of the attr's samples lie. Kernels to come may
 * set more bits, and where those fields are nobody can tell yet.
 */
bool sample_is_known(const struct attr *attr);

/*
 * Decodes a SAMPLE record. -ENOTSUP if it is not known what lies where. -EBADMSG if the record is
 * too short for what its attr promises: *ret_sample then holds the fields up to there.
 */
int sample_decode(const struct attr *attr, const struct perf_event_header *header,
		  struct sample *ret_sample);

/* Only the time of a SAMPLE record: false if it has none. */
bool sample_time(const struct attr *attr, const struct perf_event_header *header,
		 uint64_t *ret_time);

/*
 * Where the fields of most interest lie, in words from the record's beginning, where all samples of
 * an attr are alike up to the call chain and end with it. 0: that field is not there.
 */
struct sample_layout {
	uint8_t ip, thread, time, period, chain;
	uint8_t size; /* words that a record has at least */
};
/* False if samples of the attr hold more, or have no ip or thread. */
bool sample_layout(const struct attr *attr, struct sample_layout *ret_layout);

/*
 * Decodes the trailer of any other record (pid, tid, time, id, stream_id, cpu). Without
 * sample_id_all all is absent, and 0 is returned. -EBADMSG if the record is too short.
 */
int sample_decode_trailer(const struct attr *attr, const struct perf_event_header *header,
			  struct sample *ret_sample);

/* The @i-th value of sample->read, 0 <= i < count. */
struct sample_read sample_read_at(const struct sample *sample, size_t i);

/*
 * The addresses of the call chain's user part, behind its mark; NULL if it has none. Borrowed from
 * the sample.
 */
const uint64_t *sample_user_chain(const struct sample *sample, size_t *ret_count);
/* How many of the call chain's numbers stand before the user's mark: all, if it has none. */
size_t sample_kernel_chain(const struct sample *sample);
/* Behind a sample whose stack was unwound and is not complete stands why: a record more.
 * @verdict: enum unwind_verdict. */
void sample_add_verdict(const struct sample *sample, uint32_t verdict, struct str *out);

/*
 * Where the id lies, so that a record's event can be found before its layout is known: bytes
 * from the record's start for a SAMPLE, from its end for others; 0 if there is no id.
 */
size_t sample_id_offset(const struct attr *attr);
size_t sample_trailer_id_offset(const struct attr *attr);

/* Writes that trailer, of sample_trailer_size() bytes: what the attr wants of it. */
void sample_encode_trailer(const struct attr *attr, const struct sample *sample, void *trailer);

/* The bytes of the trailer that attr.sample_id_all puts at the end of other records. */
size_t sample_trailer_size(const struct attr *attr);
