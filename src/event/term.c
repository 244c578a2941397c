#include "event/term.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "event/eventlist.h"
#include "event/generic.h"
#include "kernel/pmu.h"

enum {
	DEPTH_MAX = 4, /* events named within events */
	HYBRID_SHIFT = 32,
};

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
	TERM_AUX_OUTPUT,
	TERM_AUX_SAMPLE_SIZE,
	TERM_AUX_ACTION,
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
	{ "aux-output", 0, TERM_AUX_OUTPUT, false, 0 },
	{ "aux-sample-size", 0, TERM_AUX_SAMPLE_SIZE, true, 0 },
	{ "aux-action", 0, TERM_AUX_ACTION, true, 0 },
};

enum { COMMON_COUNT = sizeof(commons) / sizeof(*commons) };

/* A value as it is meant: without the quotes around it. */
static char *copy_value(const char *text, size_t size)
{
	if (size >= 2 && text[0] == '\'' && text[size - 1] == '\'')
		return xstrndup(text + 1, size - 2);
	return xstrndup(text, size);
}

static size_t term_size(const char *text)
{
	bool in_quotes = false;
	size_t i;

	for (i = 0; text[i] && (in_quotes || text[i] != ','); i++)
		if (text[i] == '\'')
			in_quotes = !in_quotes;
	return i;
}

int term_parse(const char *text, struct term_list *ret_terms, struct strobe_err *err)
{
	_cleanup_(term_done) struct term_list terms = { 0 };

	for (const char *c = text; *text; c++) {
		size_t size = term_size(c);
		const char *equals = memchr(c, '=', size);
		size_t name_size = equals ? (size_t)(equals - c) : size;

		if (name_size == 0)
			return err_set(err, -EINVAL, "a term is missing in '%s'", text);
		grow(&terms);
		terms.items[terms.count++] = (struct term){
			.name = xstrndup(c, name_size),
			.value = equals ? copy_value(equals + 1, size - name_size - 1) : NULL,
		};
		c += size;
		if (!*c)
			break;
	}
	*ret_terms = terms;
	terms = (struct term_list){ 0 };
	return 0;
}

void term_done(struct term_list *terms)
{
	for (size_t i = 0; i < terms->count; i++) {
		free(terms->items[i].name);
		free(terms->items[i].value);
	}
	free(terms->items);
	*terms = (struct term_list){ 0 };
}

static int number_of(const struct term *term, uint64_t max, uint64_t *ret_value,
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
		int r = number_of(term, 1, &value, err);

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

static int set_aux_action(const struct term *term, struct event_spec *event, struct strobe_err *err)
{
	static const char *const actions[] = { "start-paused", "pause", "resume" };

	for (unsigned i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strcmp(term->value, actions[i])) {
			event->aux_action = 1U << i;
			return 0;
		}
	return err_set(err, -EINVAL, "aux-action is start-paused, pause or resume, not '%s'",
		       term->value);
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
		set_text(&event->cpus, term->value);
		return 0;
	case TERM_AUX_ACTION:
		return set_aux_action(term, event, err);
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
	case TERM_MAX_STACK:
		event->max_stack = (unsigned)value;
		break;
	case TERM_AUX_OUTPUT:
		event->aux_output = value != 0;
		break;
	default:
		event->aux_sample_size = (uint32_t)value;
		break;
	}
}

static bool is_word(enum common kind)
{
	return kind == TERM_NAME || kind == TERM_CALL_GRAPH || kind == TERM_BRANCH_TYPE ||
	       kind == TERM_CPU || kind == TERM_METRIC_ID || kind == TERM_AUX_ACTION;
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
	case TERM_AUX_OUTPUT:
		return 1;
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

static int apply_common(const struct common_term *common, const struct term *term,
			struct event_spec *event, struct strobe_err *err)
{
	uint64_t value = 1;
	int r;

	if (common->needs_value && !term->value)
		return err_set(err, -EINVAL, "term '%s' wants a value", term->name);
	if (common->kind == TERM_SWITCH)
		return switch_of(common, term, (signed char *)event + common->at, err);
	if (common->kind == TERM_OVERWRITE)
		return refuse_overwrite(common, term, err);
	if (common->kind == TERM_FLAG)
		return flag_of(common, term, (bool *)((char *)event + common->at), err);
	if (is_word(common->kind))
		return set_word(common, term, event, err);
	if (term->value) {
		r = number_of(term, max_of(common->kind), &value, err);
		if (r < 0)
			return r;
	}
	set_number(common, value, event);
	return 0;
}

static bool is_one_bit(uint64_t bits)
{
	return bits && !(bits & (bits - 1));
}

static uint64_t *config_field(struct attr *attr, unsigned field)
{
	switch (field) {
	case 0:
		return &attr->config;
	case 1:
		return &attr->config1;
	case 2:
		return &attr->config2;
	case 3:
		return &attr->config3;
	default:
		return &attr->config4;
	}
}

static int apply_format(const struct pmu_format *format, const struct term *term,
			struct event_spec *event, struct strobe_err *err)
{
	uint64_t value = 1, bits;
	int r;

	if (!term->value && !is_one_bit(format->bits))
		return err_set(err, -EINVAL, "term '%s' wants a value", term->name);
	if (term->value) {
		r = number_of(term, UINT64_MAX, &value, err);
		if (r < 0)
			return r;
	}
	r = pmu_format_value(format, value, &bits);
	if (r < 0)
		return err_set(err, -EINVAL, "'%s' has more bits than term '%s'", term->value,
			       term->name);
	*config_field(&event->attr, format->field) |= bits;
	return 0;
}

/* "r1a8" and "r0x1a8": the whole of config. */
static bool parse_raw(const char *name, uint64_t *ret_config)
{
	_cleanup_(str_done) struct str number = { 0 };
	const char *digits = str_after(name, "r");

	if (!digits)
		return false;
	if (!str_after(digits, "0x"))
		str_add(&number, "0x");
	str_add(&number, digits);
	return str_to_u64(str_text(&number), ret_config);
}

/* A generic event as a term: hardware and caches of a core PMU, software of "software". */
static bool apply_generic(const struct pmu *pmu, const char *name, struct event_spec *event)
{
	uint64_t config;
	uint32_t type;

	if (pmu->type == TOOL_EVENT_TYPE) {
		event->attr.config = tool_event_find(name);
		return event->attr.config != TOOL_NONE;
	}
	if (!generic_find(name, &type, &config))
		return false;
	if (type == PERF_TYPE_SOFTWARE ? pmu->type != PERF_TYPE_SOFTWARE : !pmu->is_core)
		return false;
	event->attr.type = type;
	event->attr.config = config;
	if (pmu->is_hybrid)
		event->attr.config |= (uint64_t)pmu->type << HYBRID_SHIFT;
	return true;
}

static int unknown_term(const struct pmu *pmu, const char *name, struct strobe_err *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; i < COMMON_COUNT; i++)
		suggest_try(&suggest, commons[i].name);
	for (unsigned i = 1; pmu && pmu->type == TOOL_EVENT_TYPE && i < TOOL_COUNT; i++)
		suggest_try(&suggest, tool_event_name((enum tool_event)i));
	for (size_t i = 0; pmu && i < pmu->format_count; i++)
		suggest_try(&suggest, pmu->formats[i].name);
	for (size_t i = 0; pmu && i < pmu->event_count; i++)
		suggest_try(&suggest, pmu->events[i].name);
	if (pmu)
		err_set(err, -EINVAL, "unknown term '%s' of PMU '%s'", name, pmu->name);
	else
		err_set(err, -EINVAL, "unknown term '%s'", name);
	if (suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	else if (pmu && pmu->format_count == 0 && pmu->is_core)
		err_hint(err, -EINVAL, "this machine shows no PMU for its CPUs");
	return -EINVAL;
}

static int apply_list(const struct term_list *terms, const struct pmu *pmu,
		      struct event_spec *event, unsigned depth, struct strobe_err *err);

/* An event that the PMU names: the terms that it stands for, DEPTH_MAX deep at most. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static int apply_event(const struct pmu_event *named, const struct pmu *pmu,
		       struct event_spec *event, unsigned depth, struct strobe_err *err)
{
	_cleanup_(term_done) struct term_list terms = { 0 };
	int r;

	if (depth == DEPTH_MAX)
		return err_set(err, -EINVAL, "event '%s' of PMU '%s' stands for itself",
			       named->name, pmu->name);
	r = term_parse(named->text, &terms, err);
	if (r < 0)
		return r;
	if (named->scale > 0)
		event->scale = named->scale;
	if (named->unit)
		set_text(&event->unit, named->unit);
	event->per_package |= named->per_package;
	event->is_snapshot |= named->is_snapshot;
	return apply_list(&terms, pmu, event, depth + 1, err);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static int apply_one(const struct term *term, const struct pmu *pmu, struct event_spec *event,
		     unsigned depth, struct strobe_err *err)
{
	const struct pmu_format *format = pmu ? pmu_find_format(pmu, term->name) : NULL;
	const struct pmu_event *named = pmu ? pmu_find_event(pmu, term->name) : NULL;
	const struct common_term *common = find_common(term->name);
	uint64_t config;

	if (format)
		return apply_format(format, term, event, err);
	if (common)
		return apply_common(common, term, event, err);
	if (pmu && !term->value) {
		if (named)
			return apply_event(named, pmu, event, depth, err);
		if (apply_generic(pmu, term->name, event))
			return 0;
		if (parse_raw(term->name, &config)) {
			event->attr.config = config;
			return 0;
		}
	}
	return unknown_term(pmu, term->name, err);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static int apply_list(const struct term_list *terms, const struct pmu *pmu,
		      struct event_spec *event, unsigned depth, struct strobe_err *err)
{
	for (size_t i = 0; i < terms->count; i++) {
		int r = apply_one(&terms->items[i], pmu, event, depth, err);

		if (r < 0)
			return r;
	}
	return 0;
}

int term_apply(const struct term_list *terms, const struct pmu *pmu, struct event_spec *event,
	       struct strobe_err *err)
{
	return apply_list(terms, pmu, event, 0, err);
}
