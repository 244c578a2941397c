#include "event/branchtype.h"

#include <errno.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "data/attr.h"

static const struct {
	const char *name;
	uint64_t bits;
} types[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER },
	{ "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },
	{ "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
	{ "counter", ATTR_BRANCH_COUNTERS },
};

static const uint64_t privileges =
	PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV;

static int unknown(struct str_part part, struct strobe_err *err)
{
	_cleanup_(freep) char *typed = xstrndup(part.text, part.size);
	struct suggest suggest = { .typed = typed };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		suggest_try(&suggest, types[i].name);
	err_set(err, -EINVAL, "unknown branch type '%s'", typed);
	if (suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	return -EINVAL;
}

int branchtype_parse(const char *text, uint64_t *ret_type, struct strobe_err *err)
{
	uint64_t type = 0;
	struct str_part part;

	while (str_split(&text, ',', &part)) {
		size_t i = 0, count = sizeof(types) / sizeof(*types);

		while (i < count && !str_part_is(part, types[i].name))
			i++;
		if (i == count)
			return unknown(part, err);
		type |= types[i].bits;
	}
	*ret_type = type & ~privileges ? type : PERF_SAMPLE_BRANCH_ANY;
	return 0;
}
