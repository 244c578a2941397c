#include "event/modifier.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "event/eventlist.h"

enum { PRECISE_MAX = 3 };

static const char letters[] = "ukhGHpPSDeWIRb";

/* The field of a letter that may be given once; NULL for others. */
static bool *field_of(struct modifier *modifier, char letter)
{
	switch (letter) {
	case 'u':
		return &modifier->user;
	case 'k':
		return &modifier->kernel;
	case 'h':
		return &modifier->hypervisor;
	case 'G':
		return &modifier->guest;
	case 'H':
		return &modifier->host;
	case 'P':
		return &modifier->max_precise;
	case 'S':
		return &modifier->sample_read;
	case 'D':
		return &modifier->pinned;
	case 'e':
		return &modifier->exclusive;
	case 'W':
		return &modifier->weak;
	case 'I':
		return &modifier->idle_excluded;
	case 'R':
		return &modifier->latency;
	case 'b':
		return &modifier->bpf;
	default:
		return NULL;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool modifier_likely(const char *text)
{
	size_t size = strspn(text, letters);

	if (is_digit(text[size]) && (size == 0 || text[size - 1] != 'R'))
		return strspn(text + size, "0123456789") == strlen(text + size);
	return !text[size];
}

static int parse_period(const char *text, struct modifier *modifier, struct strobe_err *err)
{
	uint64_t period;

	if (!str_to_u64(text, &period) || period == 0)
		return err_set(err, -EINVAL, "'%s' is not a period", text);
	if (modifier->period)
		return err_set(err, -EINVAL, "two periods for one event");
	modifier->period = period;
	return 0;
}

int modifier_parse(const char *text, struct modifier *modifier, size_t *ret_at,
		   struct strobe_err *err)
{
	struct modifier given = { 0 };

	for (const char *c = text; *c; c++) {
		bool *field = field_of(&given, *c);

		*ret_at = (size_t)(c - text);
		if (is_digit(*c)) {
			int r = parse_period(c, modifier, err);

			if (r < 0)
				return r;
			break;
		}
		if (*c == 'p' && given.precise < PRECISE_MAX) {
			given.precise++;
			continue;
		}
		if (*c == 'p')
			return err_set(err, -EINVAL, "more than three 'p' in modifier '%s'", text);
		if (!field) {
			err_set(err, -EINVAL, "unknown modifier '%c' in '%s'", *c, text);
			return err_hint(err, -EINVAL, "modifiers are %s and a period", letters);
		}
		if (*field)
			return err_set(err, -EINVAL, "modifier '%c' twice in '%s'", *c, text);
		*field = true;
	}
	modifier_join(modifier, &given);
	return 0;
}

void modifier_join(struct modifier *modifier, const struct modifier *group)
{
	static const char flags[] = "ukhGHPSDeWIRb";

	for (size_t i = 0; flags[i]; i++) {
		const bool *given = field_of((struct modifier *)group, flags[i]);
		bool *field = field_of(modifier, flags[i]);

		if (given && field && *given)
			*field = true;
	}
	modifier->precise += group->precise;
	if (modifier->precise > PRECISE_MAX)
		modifier->precise = PRECISE_MAX;
	if (!modifier->period)
		modifier->period = group->period;
}

static void apply_where(const struct modifier *modifier, struct event_spec *event)
{
	if (modifier->user || modifier->kernel || modifier->hypervisor) {
		event->attr.exclude_user = !modifier->user;
		event->attr.exclude_kernel = !modifier->kernel;
		event->attr.exclude_hv = !modifier->hypervisor;
	}
	if (modifier->guest != modifier->host) {
		event->attr.exclude_host = modifier->guest;
		event->attr.exclude_guest = modifier->host;
	}
	event->attr.exclude_idle = modifier->idle_excluded;
}

void modifier_apply(const struct modifier *modifier, struct event_spec *event)
{
	apply_where(modifier, event);
	if (modifier->max_precise) {
		event->max_precise = true;
		event->attr.precise_ip = PRECISE_MAX;
	} else if (modifier->precise) {
		event->attr.precise_ip = modifier->precise & PRECISE_MAX;
	}
	event->attr.pinned = modifier->pinned;
	event->attr.exclusive = modifier->exclusive;
	event->sample_read = modifier->sample_read;
	event->weak = modifier->weak;
	event->latency = modifier->latency;
	event->bpf = modifier->bpf;
	if (modifier->period) {
		event->has_period = true;
		event->attr.freq = 0;
		event->attr.sample_period = modifier->period;
	}
}
