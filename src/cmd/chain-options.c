/* chain-options.c - see chain-options.h. */
#include "cmd/chain-options.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

static const struct {
	const char *name;
	enum callgraph_style style;
} chain_styles[] = {
	{ "graph", CALLGRAPH_GRAPH },
	{ "fractal", CALLGRAPH_FRACTAL },
	{ "flat", CALLGRAPH_FLAT },
	{ "folded", CALLGRAPH_FOLDED },
};

enum {
	STYLE_COUNT = sizeof(chain_styles) / sizeof(chain_styles[0]),
	HIGHEST_PERCENT = 100,
};

static bool take_chain_style(struct chain_options *chains, struct str_part word)
{
	for (size_t i = 0; i < STYLE_COUNT; i++) {
		if (str_part_is(word, chain_styles[i].name)) {
			chains->style = chain_styles[i].style;
			chains->off = false;
			return true;
		}
	}
	if (!str_part_is(word, "none"))
		return false;
	chains->off = true;
	return true;
}

static bool take_chain_word(struct chain_options *chains, struct str_part word)
{
	if (str_part_is(word, "caller") || str_part_is(word, "callee")) {
		chains->order_set = true;
		chains->outermost_first = str_part_is(word, "caller");
	} else if (str_part_is(word, "function") || str_part_is(word, "address")) {
		chains->by_addr = str_part_is(word, "address");
	} else if (str_part_is(word, "percent")) {
		chains->value = CALLGRAPH_PERCENT;
	} else if (str_part_is(word, "period")) {
		chains->value = CALLGRAPH_PERIOD;
	} else if (str_part_is(word, "count")) {
		chains->value = CALLGRAPH_SAMPLES;
	} else {
		return take_chain_style(chains, word);
	}
	return true;
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

int chain_options_type(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options *chains = field;

	for (size_t i = 0; i < STYLE_COUNT; i++) {
		if (strcmp(arg, chain_styles[i].name) == 0) {
			chains->style = chain_styles[i].style;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "'%s' is not graph, fractal, flat or folded", arg);
}

int chain_options_order(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options *chains = field;

	if (strcmp(arg, "caller") != 0 && strcmp(arg, "callee") != 0)
		return err_set(err, -EINVAL, "'%s' is not caller or callee", arg);
	chains->order_set = true;
	chains->outermost_first = strcmp(arg, "caller") == 0;
	return 0;
}

int chain_options_key(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options *chains = field;

	if (strcmp(arg, "function") != 0 && strcmp(arg, "address") != 0)
		return err_set(err, -EINVAL, "'%s' is not function or address", arg);
	chains->by_addr = strcmp(arg, "address") == 0;
	return 0;
}

int chain_options_threshold(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options *chains = field;
	double percent;

	if (!str_to_double(arg, &percent) || percent > HIGHEST_PERCENT)
		return err_set(err, -EINVAL, "'%s' is no percentage", arg);
	chains->min_percent = percent;
	return 0;
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
					"caller or callee, function or address, "
					"percent, period or count");
		}
	}
	return 0;
}
