#include "event/term-common.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/eventlist.h"
#include "event/term.h"
#include "kernel/cpus.h"

/* Terms that mean the same for every event. */
enum common {
	TERM_CONFIG,
	TERM_NAME,
	TERM_PERIOD,
	TERM_FREQ,
	TERM_CALL_GRAPH,
	TERM_STACK_SIZE,
	TERM_MAX_STACK,
	TERM_BRANCH_TYPE,
	TERM_SWITCH,
	TERM_OVERWRITE,
	TERM_FLAG,
	TERM_CPU,
	TERM_METRIC_ID,
};

/* @at: of TERM_CONFIG the field of struct attr, else that of struct event_spec. */
static const struct common_term {
	const char *name;
	size_t at;
	enum common kind;
	bool needs_value;
	signed char on; /* of TERM_SWITCH, TERM_OVERWRITE, TERM_FLAG: what the bare name means */
} commons[] = {
	{ "config", offsetof(struct attr, config), TERM_CONFIG, true, 0 },
	{ "config1", offsetof(struct attr, config1), TERM_CONFIG, true, 0 },
	{ "config2", offsetof(struct attr, config2), TERM_CONFIG, true, 0 },
	{ "config3", offsetof(struct attr, config3), TERM_CONFIG, true, 0 },
	{ "config4", offsetof(struct attr, config4), TERM_CONFIG, true, 0 },
	{ "name", 0, TERM_NAME, true, 0 },
	{ "period", 0, TERM_PERIOD, true, 0 },
	{ "freq", 0, TERM_FREQ, true, 0 },
	{ "call-graph", 0, TERM_CALL_GRAPH, true, 0 },
	{ "stack-size", 0, TERM_STACK_SIZE, true, 0 },
	{ "max-stack", 0, TERM_MAX_STACK, true, 0 },
	{ "branch_type", 0, TERM_BRANCH_TYPE, true, 0 },
	{ "time", offsetof(struct event_spec, time), TERM_SWITCH, false, 1 },
	{ "inherit", offsetof(struct event_spec, inherit), TERM_SWITCH, false, 1 },
	{ "no-inherit", offsetof(struct event_spec, inherit), TERM_SWITCH, false, -1 },
	{ "overwrite", 0, TERM_OVERWRITE, false, 1 },
	{ "no-overwrite", 0, TERM_OVERWRITE, false, -1 },
	{ "percore", offsetof(struct event_spec, percore), TERM_FLAG, false, 1 },
	{ "cpu", 0, TERM_CPU, true, 0 },
	{ "metric-id", 0, TERM_METRIC_ID, true, 0 },
};

enum { COMMON_COUNT = sizeof(commons) / sizeof(*commons) };

int term_common_number(const struct term *term, uint64_t max, uint64_t *ret_value,
		       struct strobe_err *err)
{
	if (!str_to_u64(term->value, ret_value))
		return err_set(err, -EINVAL, "term '%s' wants a number, not '%s'", term->name,
			       term->value);
	if (*ret_value > max)
		return err_set(err, -EINVAL, "'%s' is too much for term '%s'", term->value,
			       term->name);
	return 0;
}

static void set_text(char **field, const char *text)
{
	free(*field);
	*field = xstrdup(text);
}

/* "inherit" and "inherit=0": a switch that may be turned off by its value. */
static int switch_of(const struct common_term *common, const struct term *term,
		     signed char *ret_choice, struct strobe_err *err)
{
	uint64_t value = 1;

	if (term->value) {
		int r = term_common_number(term, 1, &value, err);

		if (r < 0)
			return r;
	}
	*ret_choice = (signed char)(value ? common->on : -common->on);
	return 0;
}

static int flag_of(const struct common_term *common, const struct term *term, bool *ret_flag,
		   struct strobe_err *err)
{
	signed char choice;
	int r = switch_of(common, term, &choice, err);

	if (r == 0)
		*ret_flag = choice > 0;
	return r;
}

/* A ring written backward must be read in another way: without that nothing would be recorded. */
static int refuse_overwrite(const struct common_term *common, const struct term *term,
			    struct strobe_err *err)
{
	signed char choice = 0;
	int r = switch_of(common, term, &choice, err);

	if (r < 0 || choice < 0)
		return r;
	err_set(err, -EINVAL, "rings cannot be overwritten yet");
	return err_hint(err, -EINVAL, "leave out the term '%s'", term->name);
}

/* What perf has, and strobe has no use for. 1: it is none of that. */
static int refuse(const struct term *term, struct strobe_err *err)
{
	static const struct {
		const char *begin, *why;
	} reasons[] = {
		{ "aux-", "strobe records no hardware traces" },
		{ "@", "strobe records no hardware traces" }, /* where one goes */
		{ "max-events", "strobe has no trace that ends after so many events" },
		{ "ratio-to-prev", "strobe does not reload counters by each other" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (str_after(term->name, reasons[i].begin)) {
			err_set(err, -EINVAL, "term '%s': %s", term->name, reasons[i].why);
			return err_hint(err, -EINVAL, "leave it out");
		}
	return 1;
}

static int set_cpus(const struct term *term, struct event_spec *event, struct strobe_err *err)
{
	_cleanup_(cpus_done) struct cpus cpus = { 0 };
	int r = cpus_parse(&cpus, term->value, err);

	if (r == 0)
		set_text(&event->cpus, term->value);
	return r;
}

/* Terms whose value is text. */
static int set_word(const struct common_term *common, const struct term *term,
		    struct event_spec *event, struct strobe_err *err)
{
	switch (common->kind) {
	case TERM_NAME:
		set_text(&event->name, term->value);
		return 0;
	case TERM_CALL_GRAPH:
		event->call_graph_set = true;
		set_text(&event->call_graph, term->value);
		return 0;
	case TERM_BRANCH_TYPE:
		set_text(&event->branch_type, term->value);
		return 0;
	case TERM_CPU:
		return set_cpus(term, event, err);
	default:
		set_text(&event->metric_id, term->value);
		return 0;
	}
}

static void set_number(const struct common_term *common, uint64_t value, struct event_spec *event)
{
	switch (common->kind) {
	case TERM_CONFIG:
		memcpy((char *)&event->attr + common->at, &value, sizeof(value));
		break;
	case TERM_PERIOD:
	case TERM_FREQ:
		event->has_period = true;
		event->attr.freq = common->kind == TERM_FREQ;
		event->attr.sample_period = value;
		break;
	case TERM_STACK_SIZE:
		event->stack_size = (unsigned)value;
		break;
	default:
		event->max_stack = (unsigned)value;
		break;
	}
}

static bool is_word(enum common kind)
{
	return kind == TERM_NAME || kind == TERM_CALL_GRAPH || kind == TERM_BRANCH_TYPE ||
	       kind == TERM_CPU || kind == TERM_METRIC_ID;
}

static uint64_t max_of(enum common kind)
{
	switch (kind) {
	case TERM_CONFIG:
	case TERM_PERIOD:
	case TERM_FREQ:
		return UINT64_MAX;
	case TERM_MAX_STACK:
		return UINT16_MAX;
	default:
		return UINT32_MAX;
	}
}

static const struct common_term *find_common(const char *name)
{
	for (size_t i = 0; i < COMMON_COUNT; i++)
		if (!strcmp(commons[i].name, name))
			return &commons[i];
	return NULL;
}

int term_common_apply(const struct term *term, struct event_spec *event, struct strobe_err *err)
{
	const struct common_term *common = find_common(term->name);
	uint64_t value;
	int r;

	if (!common)
		return refuse(term, err);
	if (common->needs_value && (!term->value || !*term->value))
		return err_set(err, -EINVAL, "term '%s' wants a value", term->name);
	if (common->kind == TERM_SWITCH)
		return switch_of(common, term, (signed char *)event + common->at, err);
	if (common->kind == TERM_OVERWRITE)
		return refuse_overwrite(common, term, err);
	if (common->kind == TERM_FLAG)
		return flag_of(common, term, (bool *)((char *)event + common->at), err);
	if (is_word(common->kind))
		return set_word(common, term, event, err);
	r = term_common_number(term, max_of(common->kind), &value, err);
	if (r == 0)
		set_number(common, value, event);
	return r;
}

const char *term_common_name(size_t index)
{
	return index < COMMON_COUNT ? commons[index].name : NULL;
}
