/* keys-branch.c - sort keys of reports about branches: their two ends, and what became of them. */
#include "analyze/keys-spot.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/branch-counts.h"
#include "analyze/sources.h"
#include "base/str.h"
#include "format/branch-flags.h"

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

static uint64_t prediction_of(const struct item *item)
{
	return item->branch->flags & (BRANCH_FLAG_PREDICTED | BRANCH_FLAG_MISPREDICTED);
}

static int mispredict_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(prediction_of(right), prediction_of(left));
}

static uint64_t mispredict_hash(const struct item *item, keys_style *how)
{
	return prediction_of(item);
}

static void mispredict_print(const struct item *item, struct str *out, keys_style *how)
{
	const char *text = "N/A";

	if (item->branch->flags & BRANCH_FLAG_PREDICTED)
		text = "N";
	else if (item->branch->flags & BRANCH_FLAG_MISPREDICTED)
		text = "Y";
	str_add(out, text);
}

/* A bit of a branch's flags: those that have it first. */
#define BIT_KEY(name, bit, letter)                                                                 \
	KEYS_NUMBER(name, (item->branch->flags & (bit)) != 0)                                      \
	static void name##_print(const struct item *item, struct str *out, keys_style *how)        \
	{                                                                                          \
		str_add(out, name##_of(item) ? (letter) : ".");                                    \
	}

BIT_KEY(in_tx, BRANCH_FLAG_IN_TX, "T")
BIT_KEY(abort, BRANCH_FLAG_ABORT, "A")

static void print_end(const struct item *item, const struct spot *end, struct str *out)
{
	const struct function *function = end->place.function;

	/* The level is the sample's. */
	str_addf(out, "[%c] ", item->spot.level);
	if (!function) {
		str_addf(out, "%#.16" PRIx64, end->shown_addr);
		return;
	}
	str_add(out, function->name);
	if (end->place.object_addr != function->start)
		str_addf(out, "+0x%" PRIx64, end->place.object_addr - function->start);
}

static int compare_ends(const struct spot *left, const struct spot *right, keys_style *how)
{
	int r = -keys_spot_compare_dso(left, right, how);

	return r ? r : keys_compare_addr(left->place.addr, right->place.addr);
}

/* Keys about an end of a branch: its address, and its line. */
#define END_KEYS(name)                                                                             \
	static int name##_addr_compare(const struct item *left, const struct item *right,          \
				       keys_style *how)                                            \
	{                                                                                          \
		return compare_ends(&left->branch->name, &right->branch->name, how);               \
	}                                                                                          \
	static uint64_t name##_addr_hash(const struct item *item, keys_style *how)                 \
	{                                                                                          \
		return item->branch->name.place.addr;                                              \
	}                                                                                          \
	static void name##_addr_print(const struct item *item, struct str *out, keys_style *how)   \
	{                                                                                          \
		print_end(item, &item->branch->name, out);                                         \
	}                                                                                          \
	static size_t name##_addr_width(const struct item *item, keys_style *how)                  \
	{                                                                                          \
		return keys_spot_width(&item->branch->name, how);                                  \
	}                                                                                          \
	static int name##_line_compare(const struct item *left, const struct item *right,          \
				       keys_style *how)                                            \
	{                                                                                          \
		return keys_compare_text(left->branch->name.source->line,                          \
					 right->branch->name.source->line);                        \
	}                                                                                          \
	static uint64_t name##_line_hash(const struct item *item, keys_style *how)                 \
	{                                                                                          \
		return keys_hash_text(item->branch->name.source->line);                            \
	}                                                                                          \
	static void name##_line_print(const struct item *item, struct str *out, keys_style *how)   \
	{                                                                                          \
		str_add(out, item->branch->name.source->line);                                     \
	}                                                                                          \
	static size_t name##_line_width(const struct item *item, keys_style *how)                  \
	{                                                                                          \
		return strlen(item->branch->name.source->line);                                    \
	}

END_KEYS(from)
END_KEYS(to)

/*
 * What the branches in the chains of an entry did: they tell nothing apart. perf counts both ends
 * of a branch, and shows halves.
 */
static int history_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return 0;
}

static uint64_t history_hash(const struct item *item, keys_style *how)
{
	return 0;
}

static void predicted_print(const struct item *item, struct str *out, keys_style *how)
{
	if (item->branch_counts && item->branch_counts->to > 0)
		str_addf(out, "%.1f%%", branch_counts_predicted_percent(item->branch_counts));
	else
		str_add_char(out, '-');
}

static void aborts_print(const struct item *item, struct str *out, keys_style *how)
{
	if (item->branch_counts && item->branch_counts->to > 0)
		str_addf(out, "%" PRIu64, item->branch_counts->aborts);
	else
		str_add_char(out, '-');
}

static void spent_print(const struct item *item, struct str *out, keys_style *how)
{
	if (item->branch_counts && item->branch_counts->from > 0)
		str_addf(out, "%" PRIu64, branch_counts_cycles(item->branch_counts));
	else
		str_add_char(out, '-');
}

#define HISTORY_KEY(name, title, id, print)                                                        \
	{                                                                                          \
		name, NULL, title, id, history_compare, NULL, history_hash, print,                 \
			keys_width_of_title, .of_history = true                                    \
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
	{ "cycles", NULL, "Basic Block Cycles", SORTKEY_CYCLES, KEYS_TITLED(cycles),
	  .of_branch = true },
	{ "mispredict", NULL, "Branch Mispredicted", SORTKEY_MISPREDICT, KEYS_TITLED(mispredict),
	  .of_branch = true },
	{ "abort", NULL, "Transaction abort", SORTKEY_ABORT, KEYS_TITLED(abort),
	  .of_branch = true },
	{ "in_tx", NULL, "Branch in transaction", SORTKEY_IN_TX, KEYS_TITLED(in_tx),
	  .of_branch = true },
	{ "srcline_from", NULL, "From Source:Line", SORTKEY_SRCLINE_FROM, KEYS_FUNCTIONS(from_line),
	  .of_branch = true, .of_source = true },
	{ "srcline_to", NULL, "To Source:Line", SORTKEY_SRCLINE_TO, KEYS_FUNCTIONS(to_line),
	  .of_branch = true, .of_source = true },
	{ "addr_from", NULL, "Source Address", SORTKEY_ADDR_FROM, KEYS_FUNCTIONS(from_addr),
	  .of_branch = true, .open = true },
	{ "addr_to", NULL, "Target Address", SORTKEY_ADDR_TO, KEYS_FUNCTIONS(to_addr),
	  .of_branch = true, .open = true },
	HISTORY_KEY("callchain_branch_predicted", "Predicted", SORTKEY_BRANCH_PREDICTED,
		    predicted_print),
	HISTORY_KEY("callchain_branch_abort", "Abort", SORTKEY_BRANCH_ABORT, aborts_print),
	HISTORY_KEY("callchain_branch_cycles", "Cycles", SORTKEY_BRANCH_CYCLES, spent_print),
	{ NULL },
};
