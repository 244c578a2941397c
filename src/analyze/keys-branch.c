/* keys-branch.c - sort keys of reports about branches: their two ends, and what became of them. */
#include "analyze/keys-spot.h"

#include <inttypes.h>

#include "base/str.h"

/* perf lists the objects of branches in falling order. */
KEYS_SPOT_FUNCTIONS(from_, branch->from, place.addr, -)
KEYS_SPOT_FUNCTIONS(to_, branch->to, place.addr, -)

static int cycles_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(right->branch->cycles, left->branch->cycles);
}

static uint64_t cycles_hash(const struct item *item, keys_style *how)
{
	return item->branch->cycles;
}

static void cycles_print(const struct item *item, struct str *out, keys_style *how)
{
	/* perf prints the 16 bits as a signed number. */
	if (item->branch->cycles)
		str_addf(out, "%d", (int16_t)item->branch->cycles);
	else
		str_add(out, "-");
}

static size_t cycles_width(const struct item *item, keys_style *how)
{
	return 0;
}

enum { MISPREDICTED = 1, PREDICTED = 2 }; /* bits of sample_branch.flags */

static int mispredict_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(right->branch->flags & 3, left->branch->flags & 3);
}

static uint64_t mispredict_hash(const struct item *item, keys_style *how)
{
	return item->branch->flags & 3;
}

static void mispredict_print(const struct item *item, struct str *out, keys_style *how)
{
	const char *text = "N/A";

	if (item->branch->flags & PREDICTED)
		text = "N";
	else if (item->branch->flags & MISPREDICTED)
		text = "Y";
	str_add(out, text);
}

static size_t mispredict_width(const struct item *item, keys_style *how)
{
	return 0;
}

const struct sortkey keys_branch[] = {
	{ "dso_from", NULL, "Source Shared Object", SORTKEY_DSO_FROM, KEYS_FUNCTIONS(from_dso),
	  .of_branch = true },
	{ "dso_to", NULL, "Target Shared Object", SORTKEY_DSO_TO, KEYS_FUNCTIONS(to_dso),
	  .of_branch = true },
	{ "symbol_from", NULL, "Source Symbol", SORTKEY_SYMBOL_FROM, KEYS_FUNCTIONS(from_symbol),
	  .of_branch = true, .open = true },
	{ "symbol_to", NULL, "Target Symbol", SORTKEY_SYMBOL_TO, KEYS_FUNCTIONS(to_symbol),
	  .of_branch = true, .open = true },
	{ "cycles", NULL, "Basic Block Cycles", SORTKEY_CYCLES, KEYS_FUNCTIONS(cycles),
	  .of_branch = true },
	{ "mispredict", NULL, "Branch Mispredicted", SORTKEY_MISPREDICT, KEYS_FUNCTIONS(mispredict),
	  .of_branch = true },
	{ NULL },
};
