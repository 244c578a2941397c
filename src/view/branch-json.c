/* branch-json.c - see branch-json.h. */
#include "view/branch-json.h"

#include <stddef.h>
#include <stdint.h>

#include "analyze/branch-events.h"
#include "analyze/lookup.h"
#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "base/json.h"
#include "data/events.h"
#include "format/branch-flags.h"
#include "view/place-json.h"
#include "view/place-text.h"

/* A word of the flags; null where they do not tell. */
static void add_word(struct json *json, const char *name, const char *word)
{
	json_text(json, name, word[0] == '\0' || word[0] == '-' ? NULL : word);
}

static void add_flags(struct json *json, uint64_t bits)
{
	struct branch_flags flags = branch_flags_decode(bits);

	if (flags.predicted || flags.mispredicted)
		json_bool(json, "mispredicted", flags.mispredicted);
	else
		json_null(json, "mispredicted");
	json_bool(json, "taken", !flags.not_taken);
	json_bool(json, "in_tx", flags.in_tx);
	json_bool(json, "abort", flags.abort);
	json_u64(json, "cycles", flags.cycles);
	add_word(json, "type", flags.type);
	add_word(json, "speculation", flags.speculation);
}

void branch_json_counts(struct json *json, const struct branch_events *counters,
			const char *const *event_names, const struct profile_sample *sample,
			size_t branch)
{
	struct branch_event_count count;
	size_t next = 0;

	if (!sample->sample.branch_counters || counters->width == 0)
		return;
	json_begin_list(json, "counts");
	while (branch_events_next(counters, sample, branch, &next, &count)) {
		json_begin(json, NULL);
		json_text(json, "event", event_names[count.event->event->index]);
		json_u64(json, "count", count.count);
		json_bool(json, "saturated", count.saturated);
		json_end(json);
	}
	json_end_list(json);
}

void branch_json_add(struct json *json, const char *name, struct profile *profile,
		     const struct profile_sample *sample, const struct branch_json *what)
{
	json_begin_list(json, name);
	for (size_t i = 0; i < sample->sample.branch_count; i++) {
		const struct sample_branch *branch = &sample->sample.branches[i];
		const struct {
			const char *name;
			uint64_t addr;
		} ends[] = { { "from", branch->from }, { "to", branch->to } };

		json_begin(json, NULL);
		for (size_t k = 0; k < 2; k++) {
			struct place place = lookup_branch(profile, sample, ends[k].addr);

			json_begin(json, ends[k].name);
			json_addr(json, "addr", ends[k].addr);
			place_json_names(json, &place, what->fields);
			if (what->object_offset && place.map)
				json_addr(json, "object_offset", placeinfo_object_offset(&place));
			json_end(json);
		}
		add_flags(json, branch->flags);
		if (what->counters)
			branch_json_counts(json, what->counters, what->event_names, sample, i);
		json_end(json);
	}
	json_end_list(json);
}
