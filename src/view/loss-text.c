/* loss-text.c - see loss-text.h. */
#include "view/loss-text.h"

#include <inttypes.h>

#include "base/str.h"

#define KIB ((size_t)1024)
#define MIB (KIB * KIB)
#define MS_NS UINT64_C(1000000)

enum {
	RING_FACTOR = 8,   /* a ring of so many times the size is worth trying */
	SLOW_MS = 100,     /* a disk that took longer once is slow */
	HALF_STACK = 4096, /* of a stack copy, where it is larger */
};

static void advice(struct str *out, const char *text)
{
	str_addf(out, "  hint: %s\n", text);
}

static void add_ring(const struct loss_text *loss, struct str *out)
{
	size_t wanted = loss->ring_size * RING_FACTOR;

	/* A copy that does not fit is lost however often the reader comes. */
	if (loss->has_stack_copies && loss->stack_size >= loss->ring_size) {
		while (wanted <= loss->stack_size * RING_FACTOR)
			wanted *= 2;
		str_addf(out, "  hint: one sample with its stack does not fit: -m %zuK\n",
			 wanted / KIB);
		return;
	}
	str_addf(out, "  hint: larger rings: -m %zuM\n", wanted > MIB ? wanted / MIB : 1);
}

static void add_disk(const struct loss_text *loss, struct str *out)
{
	if (loss->slowest_ns < SLOW_MS * MS_NS)
		return;
	if (loss->written_ns * 2 > loss->slowest_ns)
		str_addf(out,
			 "  hint: writing took %" PRIu64
			 " ms once: write to a faster disk or a tmpfs (-o)\n",
			 loss->written_ns / MS_NS);
	else
		advice(out, "the recorder had to wait for a CPU: raise its priority (-r 1)");
}

void loss_text(const struct loss_text *loss, struct str *out)
{
	uint64_t all = loss->sample_count + loss->lost_count;

	if (loss->lost_count) {
		str_addf(out,
			 "lost %" PRIu64 " of %" PRIu64
			 " records (%.1f%%): the rings of %zu KiB were full\n",
			 loss->lost_count, all, 100.0 * (double)loss->lost_count / (double)all,
			 loss->ring_size / KIB);
		add_ring(loss, out);
		add_disk(loss, out);
		if (loss->by_rate)
			advice(out, "a lower rate (-F)");
		if (loss->has_stack_copies && loss->stack_size > HALF_STACK)
			advice(out, "smaller stack copies (--call-graph dwarf,4096)");
		if (loss->is_system_wide)
			advice(out, "less to watch (-p, -G, :u)");
	}
	if (loss->throttle_count) {
		str_addf(out,
			 "the kernel stopped events %" PRIu64
			 " times for a moment: they came too often\n",
			 loss->throttle_count);
		advice(out, loss->by_rate ? "a lower rate (-F)" : "a larger period (-c)");
	}
}
