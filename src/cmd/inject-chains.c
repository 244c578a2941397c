/* inject-chains.c - see inject-chains.h. */
#include "cmd/inject-chains.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/chain.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/user-stack.h"
#include "base/err.h"
#include "base/stack-sum.h"
#include "base/str.h"
#include "data/attr.h"
#include "data/body.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "data/stackinfo.h"
#include "unwind/stack-shares.h"
#include "unwind/unwinder.h"

enum { RECORD_MOST = UINT16_MAX & ~7 }; /* bytes: the size has 16 bits */

#define GONE (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

struct inject_chains {
	struct profile *profile;
	struct lookup lookup;
	struct user_stack stack;
	struct chain chain; /* of the sample at hand, its user's part */
};

static bool has_copies(const struct attr *attr)
{
	const uint64_t wanted = GONE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

	return (attr->sample_type & wanted) == wanted;
}

static bool any_has_copies(const struct events *events)
{
	for (size_t i = 0; i < events_count(events); i++) {
		if (has_copies(&events_at(events, i)->attr))
			return true;
	}
	return false;
}

int inject_chains_new(const struct datafile *file, const struct resolver_options *names,
		      struct inject_chains **ret_chains, struct strobe_err *err)
{
	_cleanup_(inject_chains_freep) struct inject_chains *chains = NULL;
	int r;

	if (!any_has_copies(datafile_events(file))) {
		err_set(err, -ENODATA, "no event of the recording has copies of stacks");
		return err_hint(err, -ENODATA,
				"such are made by: record --call-graph dwarf --store-stacks");
	}
	chains = xnew(struct inject_chains);
	r = profile_new(file, names, &chains->profile, err);
	if (r < 0)
		return r;
	lookup_init(&chains->lookup, chains->profile, NULL, false);
	*ret_chains = take(chains);
	return 0;
}

void inject_chains_free(struct inject_chains *chains)
{
	if (!chains)
		return;
	user_stack_done(&chains->stack);
	lookup_done(&chains->lookup);
	free(chains->chain.items);
	profile_free(chains->profile);
	free(chains);
}

void inject_chains_change_attr(struct attr *attr)
{
	if (!has_copies(attr))
		return;
	attr->sample_type &= ~(uint64_t)GONE;
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->exclude_callchain_user = 0;
}

static void add_span(struct str *out, const void *begin, const void *end)
{
	str_add_bytes(out, begin, (size_t)((const char *)end - (const char *)begin));
}

static void add_u64(struct str *out, uint64_t value)
{
	str_add_bytes(out, &value, sizeof(value));
}

/* How many frames fit, if each of the record's other fields stays. */
static size_t room_for_frames(const struct sample *sample, size_t size)
{
	size_t gone =
		(size_t)((const char *)sample->stack_end - (const char *)sample->registers_field);
	size_t rest = size - gone + sizeof(uint64_t); /* the user's mark */

	return rest < RECORD_MOST ? (RECORD_MOST - rest) / sizeof(uint64_t) : 0;
}

/* Behind the kernel's part. */
static void add_chain(const struct chain *chain, const struct sample *sample, struct str *out)
{
	size_t kernels = sample_kernel_chain(sample);

	add_u64(out, kernels + 1 + chain->count);
	str_add_bytes(out, sample->callchain, kernels * sizeof(uint64_t));
	add_u64(out, (uint64_t)PERF_CONTEXT_USER);
	for (size_t i = 0; i < chain->count; i++)
		add_u64(out, chain->items[i].addr);
}

static void add_sample(struct inject_chains *chains, const struct sample *sample,
		       const struct perf_event_header *header, struct str *out)
{
	size_t start = out->size;
	struct perf_event_header *made;

	add_span(out, header, sample->callchain - 1);
	if (chains->chain.count > 0) {
		add_chain(&chains->chain, sample, out);
	} else {
		add_u64(out, sample->callchain_count);
		str_add_bytes(out, sample->callchain, sample->callchain_count * sizeof(uint64_t));
	}
	add_span(out, sample->callchain + sample->callchain_count, sample->registers_field);
	add_span(out, sample->stack_end, (const char *)header + header->size);
	made = (struct perf_event_header *)(void *)(out->text + start);
	made->size = (uint16_t)(out->size - start);
}

bool inject_chains_take(struct inject_chains *chains, const struct record *record, struct str *out)
{
	struct profile_sample sample;
	size_t room;
	bool was_unwound;

	if (record->header->type != PERF_RECORD_SAMPLE ||
	    profile_decode(chains->profile, record, &sample) < 0 ||
	    !has_copies(&sample.event->attr))
		return false;
	room = room_for_frames(&sample.sample, record->header->size);
	chains->chain.count = 0;
	was_unwound = room > 0 && user_stack_add(&chains->stack, &chains->lookup, &sample, room,
						 &chains->chain);
	add_sample(chains, &sample.sample, record->header, out);
	if (was_unwound && chains->stack.verdict != UNWIND_COMPLETE)
		sample_add_verdict(&sample.sample, chains->stack.verdict, out);
	return true;
}

void inject_chains_sum(struct inject_chains *chains, struct body_out *ret_body)
{
	struct stack_sum sum;

	stack_shares_get(profile_stack_shares(chains->profile), &sum);
	stack_sum_add(&sum, profile_told_stacks(chains->profile));
	stackinfo_encode(&sum, ret_body);
}
