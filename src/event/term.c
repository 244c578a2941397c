#include "event/term.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "event/eventlist.h"
#include "event/generic.h"
#include "event/probe-term.h"
#include "event/term-common.h"
#include "event/tool-event.h"
#include "event/vendor.h"
#include "kernel/pmu.h"

enum {
	DEPTH_MAX = 4, /* events named within events */
	HYBRID_SHIFT = 32,
};

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

int term_parse(const char *text, struct term_list *ret_terms, size_t *ret_at,
	       struct strobe_err *err)
{
	_cleanup_(term_done) struct term_list terms = { 0 };

	for (const char *c = text; *text; c++) {
		size_t size = term_size(c);
		const char *equals = memchr(c, '=', size);
		size_t name_size = equals ? (size_t)(equals - c) : size;

		if (name_size == 0) {
			*ret_at = (size_t)(c - text);
			return err_set(err, -EINVAL, "a term is missing in '%s'", text);
		}
		grow(&terms);
		terms.items[terms.count++] = (struct term){
			.name = xstrndup(c, name_size),
			.value = equals ? copy_value(equals + 1, size - name_size - 1) : NULL,
			.at = (size_t)(c - text),
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
		r = term_common_number(term, UINT64_MAX, &value, err);
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

	const char *common;

	for (size_t i = 0; (common = term_common_name(i)); i++)
		suggest_try(&suggest, common);
	for (unsigned i = 1; pmu && pmu->type == TOOL_EVENT_TYPE && i < TOOL_COUNT; i++)
		suggest_try(&suggest, tool_event_name((enum tool_event)i));
	for (size_t i = 0; pmu && i < pmu->format_count; i++)
		suggest_try(&suggest, pmu->formats[i].name);
	for (size_t i = 0; pmu && i < pmu->event_count; i++)
		suggest_try(&suggest, pmu->events[i].name);
	for (size_t i = 0; pmu && pmu->vendor && i < pmu->vendor->event_count; i++)
		suggest_try(&suggest, pmu->vendor->events[i].name);
	if (pmu)
		err_set(err, -EINVAL, "PMU '%s' has no term or event '%s'", pmu->name, name);
	else
		err_set(err, -EINVAL, "unknown term '%s'", name);
	if (suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	else if (pmu && pmu->format_count == 0 && pmu->is_core)
		err_hint(err, -EINVAL, "this machine shows no PMU for its CPUs");
	return -EINVAL;
}

static int apply(const struct term *term, const struct pmu *pmu, struct event_spec *event,
		 unsigned depth, struct strobe_err *err);

/* The terms that a named event stands for, DEPTH_MAX deep at most. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static int apply_text(const char *name, const char *text, const struct pmu *pmu,
		      struct event_spec *event, unsigned depth, struct strobe_err *err)
{
	_cleanup_(term_done) struct term_list terms = { 0 };
	size_t at;
	int r;

	if (depth == DEPTH_MAX)
		return err_set(err, -EINVAL, "event '%s' of PMU '%s' stands for itself", name,
			       pmu->name);
	r = term_parse(text, &terms, &at, err);
	for (size_t i = 0; r == 0 && i < terms.count; i++)
		r = apply(&terms.items[i], pmu, event, depth + 1, err);
	return r;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static int apply_event(const struct pmu_event *named, const struct pmu *pmu,
		       struct event_spec *event, unsigned depth, struct strobe_err *err)
{
	if (named->scale > 0)
		event->scale = named->scale;
	if (named->unit) {
		free(event->unit);
		event->unit = xstrdup(named->unit);
	}
	event->per_package |= named->per_package;
	event->is_snapshot |= named->is_snapshot;
	return apply_text(named->name, named->text, pmu, event, depth, err);
}

/* What has no value can be an event. 1: it was none. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static int apply_name(const char *name, const struct pmu *pmu, struct event_spec *event,
		      unsigned depth, struct strobe_err *err)
{
	const struct pmu_event *named = pmu_find_event(pmu, name);
	const struct vendor_event *known =
		pmu->vendor ? vendor_find_event(pmu->vendor, name) : NULL;
	uint64_t config;

	if (named)
		return apply_event(named, pmu, event, depth, err);
	if (known)
		return apply_text(known->name, known->terms, pmu, event, depth, err);
	if (apply_generic(pmu, name, event))
		return 0;
	if (!parse_raw(name, &config))
		return 1;
	event->attr.config = config;
	return 0;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static int apply(const struct term *term, const struct pmu *pmu, struct event_spec *event,
		 unsigned depth, struct strobe_err *err)
{
	const struct pmu_format *format = pmu ? pmu_find_format(pmu, term->name) : NULL;
	int r = 1;

	if (format)
		return apply_format(format, term, event, err);
	if (pmu)
		r = probe_term_apply(pmu, term, event, err);
	if (r > 0)
		r = term_common_apply(term, event, err);
	if (r > 0 && pmu && !term->value)
		r = apply_name(term->name, pmu, event, depth, err);
	return r > 0 ? unknown_term(pmu, term->name, err) : r;
}

int term_apply(const struct term *term, const struct pmu *pmu, struct event_spec *event,
	       struct strobe_err *err)
{
	return apply(term, pmu, event, 0, err);
}
