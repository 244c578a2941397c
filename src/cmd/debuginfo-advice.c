/* debuginfo-advice.c - see debuginfo-advice.h. */
#include "cmd/debuginfo-advice.h"

#include <stdbool.h>

#include "cmd/advice.h"
#include "symbol/findings.h"

static void advise_file(struct advice *advice, const struct findings *findings)
{
	bool is_other = false;

	for (size_t i = 0; i < findings->tries.count; i++)
		is_other |= findings->tries.items[i].verdict == DEBUGFILE_OTHER_BUILD_ID;
	if (is_other)
		advice_add_other_file(advice);
	else
		advice_add_missing_file(advice);
}

void debuginfo_advice_add(struct advice *advice, const struct findings *findings)
{
	const struct findings_dwarf *dwarf = &findings->dwarf;

	if (!findings->path) {
		advise_file(advice, findings);
		return;
	}
	if (findings_names(findings) != FINDINGS_ALL_NAMES || !dwarf->path)
		advice_add_debug_file(advice, findings->path, findings->build_id_size > 0);
	if (dwarf->alt_name && !dwarf->alt_path)
		advice_add(advice,
			   "put '%s' back to where its name says: what it has in common with "
			   "others is there",
			   dwarf->alt_name);
	if (dwarf->traits.split_name)
		advice_add(advice, "keep '%s' and the like where they were built",
			   dwarf->traits.split_name);
	if (findings->frames.count == 0)
		advice_add(advice, "compile it with -fasynchronous-unwind-tables or "
				   "-fno-omit-frame-pointer, to have call chains through it");
}
