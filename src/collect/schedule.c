/* schedule.c - see schedule.h. */
#include "collect/schedule.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#define MS_NS UINT64_C(1000000)

static bool parse_ms(const char *text, size_t size, uint64_t *ret_ns)
{
	_cleanup_(freep) char *number = xstrndup(text, size);
	uint64_t ms;

	if (!str_to_u64(number, &ms) || ms > INT32_MAX)
		return false;
	*ret_ns = ms * MS_NS;
	return true;
}

static void add(struct schedule *schedule, struct schedule_span span)
{
	grow(schedule);
	schedule->items[schedule->count++] = span;
}

static int parse_range(struct str_part part, struct schedule *schedule, struct strobe_err *err)
{
	const char *dash = memchr(part.text, '-', part.size);
	size_t size = dash ? (size_t)(dash - part.text) : 0;
	uint64_t before = schedule->count ? schedule->items[schedule->count - 1].end_ns : 0;
	struct schedule_span span;

	if (!dash || !parse_ms(part.text, size, &span.start_ns) ||
	    !parse_ms(dash + 1, part.size - size - 1, &span.end_ns)) {
		err_set(err, -EINVAL, "'%.*s' is no range of milliseconds", (int)part.size,
			part.text);
		return err_hint(err, -EINVAL, "as in: -D 10-20,30-40");
	}
	if (span.end_ns <= span.start_ns || span.start_ns < before)
		return err_set(err, -EINVAL, "'%.*s' does not go on from where it was",
			       (int)part.size, part.text);
	add(schedule, span);
	return 0;
}

static int parse_ranges(const char *text, struct schedule *schedule, struct strobe_err *err)
{
	struct str_part part;
	int r = 0;

	while (r == 0 && str_split(&text, ',', &part))
		r = parse_range(part, schedule, err);
	return r;
}

int schedule_parse(const char *text, struct schedule *ret_schedule, struct strobe_err *err)
{
	struct schedule schedule = { 0 };
	uint64_t start_ns;
	int r = 0;

	if (strcmp(text, "-1") == 0) {
		schedule.never = true;
	} else if (strchr(text, '-')) {
		r = parse_ranges(text, &schedule, err);
	} else if (!parse_ms(text, strlen(text), &start_ns)) {
		r = err_set(err, -EINVAL, "'%s' is no delay: milliseconds, or -1 for ever", text);
	} else if (start_ns) {
		add(&schedule, (struct schedule_span){ .start_ns = start_ns });
	}
	if (r < 0) {
		schedule_done(&schedule);
		return r;
	}
	schedule_done(ret_schedule);
	*ret_schedule = schedule;
	return 0;
}

void schedule_done(struct schedule *schedule)
{
	free(schedule->items);
	*schedule = (struct schedule){ 0 };
}

bool schedule_is_delayed(const struct schedule *schedule)
{
	return schedule->never || schedule->count > 0;
}

uint64_t schedule_walk_due(const struct schedule_walk *walk)
{
	const struct schedule *schedule = walk->schedule;

	if (walk->span >= schedule->count)
		return UINT64_MAX;
	if (!walk->counting)
		return schedule->items[walk->span].start_ns;
	return schedule->items[walk->span].end_ns ? schedule->items[walk->span].end_ns : UINT64_MAX;
}

bool schedule_walk_step(struct schedule_walk *walk)
{
	walk->span += walk->counting;
	walk->counting = !walk->counting;
	return walk->span < walk->schedule->count;
}
