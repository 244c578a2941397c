/* branch-text.c - see branch-text.h. */
#include "view/branch-text.h"

#include <inttypes.h>
#include <stdbool.h>

#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "base/str.h"
#include "model/timeline.h"

/* enum perf_branch_... of linux/perf_event.h: PERF_BR_COND, ... */
static const char *const types[] = {
	"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};
enum { TYPE_EXTENDED = 15 }; /* what it is stands in the field new_type */

/* PERF_BR_NEW_FAULT_ALGN, ...; the last five are the architecture's. */
static const char *const new_types[] = { "FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
					 "ARCH_2",     "ARCH_3",     "ARCH_4",     "ARCH_5" };

static const char *const speculated[] = { "-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					  "SPEC_CORRECT_PATH" };

/* The bits of struct perf_branch_entry, see perf_event_open(2). */
static unsigned bits(uint64_t flags, unsigned from, unsigned count)
{
	return (unsigned)(flags >> from & ((1U << count) - 1));
}

static const char *type_name(uint64_t flags)
{
	unsigned type = bits(flags, 20, 4);

	return type == TYPE_EXTENDED ? new_types[bits(flags, 26, 3)] : types[type];
}

static void add_flags(uint64_t flags, struct str *out)
{
	bool predicted = bits(flags, 1, 1), mispredicted = bits(flags, 0, 1) && !predicted;
	bool not_taken = bits(flags, 33, 1);

	str_add(out, predicted ? "/P" : mispredicted ? "/M" : not_taken ? "/" : "/-");
	if (not_taken)
		str_add_char(out, 'N');
	str_addf(out, "/%c/%c/%u/%s/%s", bits(flags, 2, 1) ? 'X' : '-',
		 bits(flags, 3, 1) ? 'A' : '-', bits(flags, 4, 16), type_name(flags),
		 speculated[bits(flags, 24, 2)]);
}

/* Of the kernel and its modules from where they begin, since they lie elsewhere after each boot. */
static uint64_t offset_in_object(const struct place *place)
{
	enum dso_kind kind = place->map->dso->kind;

	if (kind == DSO_KERNEL || kind == DSO_MODULE)
		return place->addr - place->map->start;
	return place->object_addr;
}

static void add_end(struct profile *profile, const struct profile_sample *sample, uint64_t addr,
		    enum branch_text_style style, const struct place_text_fields *fields,
		    struct str *out)
{
	struct place place = { .addr = addr };

	if (style != BRANCH_TEXT_ADDRESSES || fields->dso)
		place = lookup_branch(profile, sample, addr);
	if (style == BRANCH_TEXT_SYMBOLS)
		place_text_symbol(&place, true, out);
	else if (style == BRANCH_TEXT_OFFSETS && place.map)
		str_addf(out, "0x%" PRIx64, offset_in_object(&place));
	else
		str_addf(out, "0x%" PRIx64, addr);
	if (fields->dso)
		place_text_dso(fields, &place, out);
}

void branch_text_add(struct profile *profile, const struct profile_sample *sample,
		     enum branch_text_style style, const struct place_text_fields *fields,
		     struct str *out)
{
	for (size_t i = 0; i < sample->sample.branch_count; i++) {
		const struct sample_branch *branch = &sample->sample.branches[i];

		if (style != BRANCH_TEXT_SYMBOLS)
			str_add_char(out, ' ');
		add_end(profile, sample, branch->from, style, fields, out);
		str_add_char(out, '/');
		add_end(profile, sample, branch->to, style, fields, out);
		add_flags(branch->flags, out);
		str_add_char(out, ' ');
	}
}
