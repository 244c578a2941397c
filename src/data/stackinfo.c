/* stackinfo.c - see stackinfo.h. */
#include "data/stackinfo.h"

#include <errno.h>

#include "base/stack-sum.h"
#include "data/body.h"

enum { WORDS_LEAST = 8, WORDS = 12 };

void stackinfo_encode(const struct stack_sum *sum, struct body_out *out)
{
	const uint64_t words[WORDS] = {
		sum->complete, sum->stitched, sum->truncated,      sum->no_cfi,
		sum->damaged,  sum->cut,      sum->size_needed,    sum->needs_more,
		sum->gap,      sum->stored,   sum->stored_from_ns, sum->stored_until_ns
	};
	uint32_t count = 0;

	body_put_u64(out, WORDS);
	for (size_t i = 0; i < WORDS; i++)
		body_put_u64(out, words[i]);
	while (count < STACK_SUM_OBJECTS && sum->objects[count].name)
		count++;
	body_put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		body_put_u64(out, sum->objects[i].count);
		body_put_string(out, sum->objects[i].name);
	}
}

static void decode_objects(struct body_in *in, struct stack_sum *sum)
{
	uint32_t count = body_u32(in);

	for (uint32_t i = 0; i < count && i < STACK_SUM_OBJECTS && !in->bad; i++) {
		sum->objects[i].count = body_u64(in);
		sum->objects[i].name = body_string(in);
	}
}

int stackinfo_decode(const void *bytes, size_t size, bool foreign, struct stack_sum *ret_sum)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint64_t count = body_u64(&in), words[WORDS] = { 0 };
	size_t known = count < WORDS ? (size_t)count : WORDS;
	struct stack_sum sum = { 0 };

	if (count < WORDS_LEAST || !body_has(&in, count, sizeof(uint64_t)))
		return -EBADMSG;
	for (size_t i = 0; i < known; i++)
		words[i] = body_u64(&in);
	(void)body_bytes(&in, (size_t)(count - known) * sizeof(uint64_t));
	sum.complete = words[0];
	sum.stitched = words[1];
	sum.truncated = words[2];
	sum.no_cfi = words[3];
	sum.damaged = words[4];
	sum.cut = words[5];
	sum.size_needed = words[6];
	sum.needs_more = words[7] != 0;
	sum.gap = words[8];
	sum.count = sum.gap;
	sum.stored = words[9];
	sum.stored_from_ns = words[10];
	sum.stored_until_ns = words[11];
	for (size_t i = 0; i < 6; i++)
		sum.count += words[i];
	decode_objects(&in, &sum);
	if (in.bad)
		return -EBADMSG;
	*ret_sum = sum;
	return 0;
}
