/* chain-options.c - see chain-options.h. */
#include "cmd/chain-options.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/report-values.h"

enum { HIGHEST_PERCENT = 100 };

/* What a word of -g says. */
enum kind {
	STYLE,
	ORDER,
	KEY,
	VALUE,
	BRANCHES,
};

/* In the order in which beginnings of words are looked for, which is perf's: "c" is "caller". */
static const struct word {
	const char *name;
	enum kind kind;
	int value;
} words[] = {
	{ "graph", STYLE, CALLGRAPH_GRAPH },
	{ "flat", STYLE, CALLGRAPH_FLAT },
	{ "fractal", STYLE, CALLGRAPH_FRACTAL },
	{ "folded", STYLE, CALLGRAPH_FOLDED },
	{ "none", STYLE, CALLGRAPH_NONE },
	{ "caller", ORDER, true },
	{ "callee", ORDER, false },
	{ "function", KEY, SITES_BY_FUNCTION },
	{ "address", KEY, SITES_BY_ADDR },
	{ "srcline", KEY, SITES_BY_LINE },
	{ "branch", BRANCHES, true },
	{ "percent", VALUE, CALLGRAPH_PERCENT },
	{ "period", VALUE, CALLGRAPH_PERIOD },
	{ "count", VALUE, CALLGRAPH_SAMPLES },
};

static const struct word *find_word(struct str_part typed)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (typed.size > 0 && strncmp(words[i].name, typed.text, typed.size) == 0)
			return &words[i];
	}
	return NULL;
}

static void apply(struct chain_options *chains, const struct word *word)
{
	switch (word->kind) {
	case STYLE:
		chains->off = word->value == CALLGRAPH_NONE;
		if (!chains->off)
			chains->style = (enum callgraph_style)word->value;
		break;
	case ORDER:
		chains->order_set = true;
		chains->outermost_first = word->value;
		break;
	case KEY:
		chains->links = (enum sites_links)word->value;
		break;
	case BRANCHES:
		chains->branches = word->value;
		break;
	case VALUE:
		chains->value = (enum callgraph_value)word->value;
		break;
	}
}

static bool take_chain_word(struct chain_options *chains, struct str_part typed)
{
	const struct word *word = find_word(typed);

	if (word)
		apply(chains, word);
	return word;
}

/* The first number is the least percentage, the second the most lines. */
static bool take_chain_number(struct chain_options *chains, struct str_part word, bool *seen)
{
	const double highest = *seen ? 1e9 : HIGHEST_PERCENT; /* lines; percent */
	char text[32];
	double number;

	if (word.size == 0 || word.size >= sizeof(text))
		return false;
	memcpy(text, word.text, word.size);
	text[word.size] = '\0';
	if (!str_to_double(text, &number) || number > highest)
		return false;
	if (*seen)
		chains->most = (uint64_t)number;
	else
		chains->min_percent = number;
	*seen = true;
	return true;
}

/* A setting is one whole word of a kind. */
static int take_setting(struct chain_options *chains, const char *arg, enum kind kind,
			const char *choice, struct strobe_err *err)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i].kind == kind && strcmp(arg, words[i].name) == 0 &&
		    !(kind == STYLE && words[i].value == CALLGRAPH_NONE)) {
			apply(chains, &words[i]);
			return 0;
		}
	}
	return err_set(err, -EINVAL, "'%s' is not %s", arg, choice);
}

int chain_options_type(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return take_setting(field, arg, STYLE, "graph, fractal, flat or folded", err);
}

int chain_options_order(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return take_setting(field, arg, ORDER, "caller or callee", err);
}

int chain_options_key(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return take_setting(field, arg, KEY, "function, address or srcline", err);
}

int chain_options_threshold(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options *chains = field;
	double percent;
	int r = report_values_percent(&percent, arg, negated, err);

	if (r == 0)
		chains->min_percent = percent;
	return r;
}

int chain_options_limit(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options *chains = field;

	if (!str_to_u64(arg, &chains->most))
		return err_set(err, -EINVAL, "'%s' is no number of lines", arg);
	return 0;
}

struct chain_options chain_options_default(void)
{
	return (struct chain_options){ .style = CALLGRAPH_GRAPH, .min_percent = 0.5 };
}

int chain_options_take(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options *chains = field;
	const char *rest = arg;
	struct str_part word;
	bool seen_number = false;

	chains->set = true;
	if (negated) {
		chains->off = true;
		return 0;
	}
	while (str_split(&rest, ',', &word)) {
		if (word.size > 0 && !take_chain_word(chains, word) &&
		    !take_chain_number(chains, word, &seen_number)) {
			err_set(err, -EINVAL, "'%s' is no way to show call chains", arg);
			return err_hint(err, -EINVAL,
					"graph, fractal, flat, folded or none, a percentage, "
					"caller or callee, function, address or srcline, "
					"branch, percent, period or count");
		}
	}
	return 0;
}
