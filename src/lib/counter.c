/* counter.c - see strobe/counter.h. */
#include "strobe/counter.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "kernel/perfevent.h"
#include "kernel/pmc.h"
#include "kernel/userpage.h"
#include "lib/counter-open.h"
#include "lib/counter-read.h"
#include "lib/counter-state.h"
#include "lib/counter-values.h"

/* Of a newer caller what is unknown must not be set. */
static int copy_options(const struct strobe_counter_options *options,
			struct strobe_counter_options *ret_options, struct strobe_err *err)
{
	const char *bytes = (const char *)options;
	size_t size = options->size < sizeof(*options) ? options->size : sizeof(*options);

	if (options->size < sizeof(options->size))
		return err_set(err, -EINVAL, "the size of the options is not set");
	for (size_t i = sizeof(*options); i < options->size; i++)
		if (bytes[i])
			return err_set(err, -E2BIG, "an option that this library does not know");
	*ret_options = (struct strobe_counter_options){ 0 };
	memcpy(ret_options, options, size);
	if (ret_options->flags & ~(unsigned)(STROBE_COUNTER_SEPARATE | STROBE_COUNTER_SYSTEM_CALLS))
		return err_set(err, -E2BIG, "a flag that this library does not know");
	return 0;
}

int strobe_counter_open(const struct strobe_counter_options *options,
			struct strobe_counter **ret_counter, struct strobe_err *err)
{
	struct strobe_counter_options known;
	int r = copy_options(options, &known, err);

	return r < 0 ? r : counter_open_events(&known, ret_counter, err);
}

/* A child of fork(2) has no thread in it, and nothing to close. */
void strobe_counter_close(struct strobe_counter *counter)
{
	if (counter && counter->thread)
		counter_open_undo(counter);
}

size_t strobe_counter_count(const struct strobe_counter *counter)
{
	return counter->count;
}

const char *strobe_counter_name(const struct strobe_counter *counter, size_t index)
{
	return index < counter->count ? counter->events[index].name : NULL;
}

int strobe_counter_is_direct(const struct strobe_counter *counter, size_t index)
{
	uint64_t count;

	return index < counter->count && counter->thread == pmc_thread() &&
	       userpage_count(counter->slots[index].page, pmc_read, &count);
}

static int explain(int code, struct strobe_err *err)
{
	if (code == -ECHILD)
		return err_set(err, code, "the counter is the parent's, before fork");
	if (code == -EBUSY)
		return err_set(err, code, "a pinned event found no counter");
	return err_set(err, code, "the counter cannot be used: %s", strerror(-code));
}

/* Errors of what is pinned show when it is read. */
static int start_group(struct strobe_counter *counter, const struct counter_group *group)
{
	int fd = counter->events[group->first].fd;
	int r = perfevent_enable(fd);

	if (r == 0 && group->is_pinned)
		r = perfevent_values(fd, counter->words, COUNTER_STATE_READ_WORDS + counter->count);
	return r < 0 ? r : 0;
}

static int stop(struct strobe_counter *counter)
{
	int result = 0;

	if (!counter->thread)
		return -ECHILD;
	for (size_t i = 0; i < counter->group_count; i++) {
		int r = perfevent_disable(counter->events[counter->groups[i].first].fd);

		if (result == 0)
			result = r;
	}
	counter->is_started = false;
	return result;
}

static int start(struct strobe_counter *counter)
{
	if (!counter->thread)
		return -ECHILD;
	counter->is_started = true;
	for (size_t i = 0; i < counter->group_count; i++) {
		int r = start_group(counter, &counter->groups[i]);

		if (r < 0) {
			(void)stop(counter);
			return r;
		}
	}
	return 0;
}

int strobe_counter_start(struct strobe_counter *counter, struct strobe_err *err)
{
	int r = start(counter);

	return r < 0 ? explain(r, err) : 0;
}

int strobe_counter_stop(struct strobe_counter *counter, struct strobe_err *err)
{
	int r = stop(counter);

	return r < 0 ? explain(r, err) : 0;
}

/* The kernel would begin counts anew, but not times: what there is now is taken away later. */
int strobe_counter_reset(struct strobe_counter *counter, struct strobe_err *err)
{
	int r = counter_read_all(counter, &counter->reading);

	if (r < 0)
		return explain(r, err);
	for (size_t i = 0; i < counter->count; i++)
		counter->slots[i].base = counter->reading.counts[i];
	for (size_t i = 0; i < counter->group_count; i++)
		counter->groups[i].base = counter->reading.times[i];
	return 0;
}

int strobe_counter_read(struct strobe_counter *counter, struct strobe_counter_value *ret_values,
			size_t count, struct strobe_err *err)
{
	int r = counter_read_all(counter, &counter->reading);

	if (r < 0)
		return explain(r, err);
	counter_values_since_reset(counter, &counter->reading, ret_values, count);
	return (int)counter->count;
}

static __attribute__((noinline)) int value_by_call(struct strobe_counter *counter, size_t index,
						   uint64_t *ret_value)
{
	int r = counter_read_all(counter, &counter->reading);

	if (r == 0 && index >= counter->count)
		r = -ERANGE;
	if (r == 0)
		*ret_value = counter->reading.counts[index] - counter->slots[index].base;
	return r;
}

/* What is seldom is in a function of its own, so that what is usual is a few dozen instructions. */
int strobe_counter_value(struct strobe_counter *counter, size_t index, uint64_t *ret_value)
{
	size_t event_count = counter->count;
	uintptr_t thread = counter->thread;
	const struct counter_slot *slot;
	uint64_t count;

	if (index >= event_count || thread != pmc_thread())
		return value_by_call(counter, index, ret_value);
	slot = &counter->slots[index];
	pmc_settle();
	if (!userpage_try_count(slot->page, pmc_read, &count))
		return value_by_call(counter, index, ret_value);
	*ret_value = count - slot->base;
	return 0;
}
