/* stacks-text.c - see stacks-text.h. */
#include "view/stacks-text.h"

#include <inttypes.h>

#include "base/stack-sum.h"
#include "base/str.h"

enum { COPY_MOST = 65528, COPY_STEP = 4096 }; /* bytes */
enum { NS_PER_US = 1000, US_PER_S = 1000000 };

static void add_share(const struct stack_sum *sum, uint64_t count, const char *what,
		      struct str *out)
{
	if (count)
		str_addf(out, ", %s: %.1f%%", what, 100.0 * (double)count / (double)sum->count);
}

/* It stands in the middle of a line, perhaps on a terminal. */
static void add_name(struct str *out, const char *name)
{
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < ' ' || c == 0x7f)
			str_addf(out, "\\x%02x", c);
		else
			str_add_char(out, *name);
	}
}

static void add_objects(const struct stack_sum *sum, struct str *out)
{
	if (sum->no_cfi == 0)
		return;
	str_add(out, ", no call frame information in");
	for (size_t i = 0; i < STACK_SUM_OBJECTS && sum->objects[i].name; i++) {
		str_addf(out, "%s '", i == 0 ? "" : ",");
		add_name(out, sum->objects[i].name);
		str_add(out, "'");
	}
	str_addf(out, ": %.1f%%", 100.0 * (double)sum->no_cfi / (double)sum->count);
}

/* In steps: the next run may need a little more. */
static uint64_t size_to_try(const struct stack_sum *sum)
{
	uint64_t size;

	if (sum->size_needed > COPY_MOST)
		return COPY_MOST;
	size = (sum->size_needed + COPY_STEP - 1) / COPY_STEP * COPY_STEP;
	if (sum->needs_more)
		size *= 2;
	return size < COPY_MOST ? size : COPY_MOST;
}

static void add_advice(const struct stack_sum *sum, struct str *out)
{
	const char *what = "longer copies hold them";

	if (sum->size_needed == 0)
		return;
	if (sum->size_needed > COPY_MOST || (sum->needs_more && sum->size_needed == COPY_MOST))
		what = "no copy can hold the longest; the largest holds the most";
	else if (sum->needs_more)
		what = "longer copies may hold them";
	str_addf(out, "  hint: %s: --call-graph dwarf,%" PRIu64 "\n", what, size_to_try(sum));
}

static void add_stored(const struct stack_sum *sum, struct str *out)
{
	const uint64_t from_us = sum->stored_from_ns / NS_PER_US;
	const uint64_t until_us = sum->stored_until_ns / NS_PER_US;

	if (sum->stored)
		str_addf(out,
			 "the recorder could not keep up, and stored %" PRIu64
			 " stacks that it did not unwind, from %" PRIu64 ".%06" PRIu64
			 " to %" PRIu64 ".%06" PRIu64
			 "\n  hint: a lower rate (-F), or larger rings "
			 "(-m)\n",
			 sum->stored, from_us / US_PER_S, from_us % US_PER_S, until_us / US_PER_S,
			 until_us % US_PER_S);
}

void stacks_text(const struct stack_sum *sum, struct str *out)
{
	add_stored(sum, out);
	if (sum->complete + sum->cut == sum->count)
		return;
	str_addf(out, "of %" PRIu64 " copied stacks %.1f%% are complete", sum->count,
		 100.0 * (double)(sum->complete + sum->cut) / (double)sum->count);
	add_share(sum, sum->stitched, "with outer frames of earlier ones", out);
	add_share(sum, sum->gap, "with a gap in the middle", out);
	add_share(sum, sum->truncated, "longer than their copy", out);
	add_objects(sum, out);
	add_share(sum, sum->damaged, "damaged", out);
	str_add(out, "\n");
	add_advice(sum, out);
}
