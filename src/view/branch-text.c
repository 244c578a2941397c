/* branch-text.c - see branch-text.h. */
#include "view/branch-text.h"

#include <inttypes.h>

#include "analyze/lookup.h"
#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "base/str.h"
#include "format/branch-flags.h"

static void add_flags(uint64_t bits, struct str *out)
{
	struct branch_flags flags = branch_flags_decode(bits);

	str_add(out, flags.predicted      ? "/P"
		     : flags.mispredicted ? "/M"
		     : flags.not_taken    ? "/"
					  : "/-");
	if (flags.not_taken)
		str_add_char(out, 'N');
	str_addf(out, "/%c/%c/%u/%s/%s", flags.in_tx ? 'X' : '-', flags.abort ? 'A' : '-',
		 flags.cycles, flags.type, flags.speculation);
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
		str_addf(out, "0x%" PRIx64, placeinfo_object_offset(&place));
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
