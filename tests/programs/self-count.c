/*
 * self-count.c - counts itself by libstrobe, and says beside that what read(2) says of the same
 * counters.
 *
 *   self-count direct         which events are read without a system call
 *   self-count between        readings between two read(2)s
 *   self-count region         a region, and what read(2) says of it
 *   self-count cost           instructions that reading takes
 *   self-count turns          more events than there are counters
 *
 * Each line begins with what it is; tests/lib/selfcount.py knows what has to hold.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <strobe/counter.h>

enum { EVENTS_MAX = 16, GROUP_WORDS = 3 + EVENTS_MAX, ROUNDS = 200 };

static volatile uint64_t sink;

static __attribute__((noinline)) void work(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		sink += i;
}

static struct strobe_counter *open_counter(const char *events, unsigned flags)
{
	struct strobe_counter_options options = { .size = sizeof(options) };
	struct strobe_counter *counter;
	struct strobe_err err;

	options.events = events;
	options.flags = flags;
	if (strobe_counter_open(&options, &counter, &err) < 0) {
		printf("error %d %s\n", err.code, err.text);
		exit(err.code == -ENOENT || err.code == -EOPNOTSUPP ? 2 : 1);
	}
	if (strobe_counter_start(counter, &err) < 0) {
		printf("error %d %s\n", err.code, err.text);
		exit(1);
	}
	return counter;
}

/* The descriptor of the first event that is open: there is one counter at a time. */
static int first_event(void)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;
	int first = -1;

	while (folder && (entry = readdir(folder))) {
		char target[64] = "";
		int fd = atoi(entry->d_name);

		if (readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1) > 0 &&
		    strstr(target, "[perf_event]") && (first < 0 || fd < first))
			first = fd;
	}
	if (folder)
		(void)closedir(folder);
	return first;
}

static void read_group(int fd, uint64_t *words)
{
	if (read(fd, words, GROUP_WORDS * sizeof(*words)) < 0)
		perror("read");
}

static void tell_direct(const char *events)
{
	struct strobe_counter *counter = open_counter(events, 0);

	for (size_t i = 0; i < strobe_counter_count(counter); i++)
		printf("direct %s %d\n", strobe_counter_name(counter, i),
		       strobe_counter_is_direct(counter, i));
	strobe_counter_close(counter);
}

/* between EVENT VALUE: before, by libstrobe, by its quickest way, after */
static void tell_between(void)
{
	struct strobe_counter *counter = open_counter("cycles:u,instructions:u", 0);
	int fd = first_event();

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t before[GROUP_WORDS], after[GROUP_WORDS], quick[2];
		struct strobe_counter_value values[2];

		work((uint64_t)round * 50);
		read_group(fd, before);
		strobe_counter_read(counter, values, 2, NULL);
		strobe_counter_value(counter, 0, &quick[0]);
		strobe_counter_value(counter, 1, &quick[1]);
		read_group(fd, after);
		for (size_t i = 0; i < 2; i++)
			printf("between %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			       strobe_counter_name(counter, i), before[3 + i], values[i].value,
			       quick[i], after[3 + i]);
		printf("between enabled %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       before[1], values[0].time_enabled, values[1].time_enabled, after[1]);
		printf("between running %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       before[2], values[0].time_running, values[1].time_running, after[2]);
	}
	strobe_counter_close(counter);
}

/* region EVENT PASSES: by libstrobe, by read(2) around it */
static void tell_region(void)
{
	struct strobe_counter *counter = open_counter("cycles:u,instructions:u", 0);
	struct strobe_counter_value values[2];
	struct strobe_region *region;
	uint64_t sums[2] = { 0 };
	int fd = first_event();

	if (strobe_region_new(counter, &region, NULL) < 0)
		exit(1);
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t before[GROUP_WORDS], after[GROUP_WORDS];

		read_group(fd, before);
		strobe_region_begin(region);
		work(2000);
		strobe_region_end(region);
		read_group(fd, after);
		for (size_t i = 0; i < 2; i++)
			sums[i] += after[3 + i] - before[3 + i];
	}
	strobe_region_read(region, values, 2);
	for (size_t i = 0; i < 2; i++)
		printf("region %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       strobe_counter_name(counter, i), strobe_region_passes(region),
		       values[i].value, sums[i]);
	strobe_region_free(region);
	strobe_counter_close(counter);
}

/* The least of what one reading of so many counters takes, in instructions, the first one's. */
static uint64_t reading_cost(const char *events, size_t count, int is_quick)
{
	struct strobe_counter *counter = open_counter(events, 0);
	struct strobe_counter_value before[EVENTS_MAX], after[EVENTS_MAX];
	uint64_t least = UINT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		if (is_quick) {
			strobe_counter_value(counter, 0, &before[0].value);
			strobe_counter_value(counter, 0, &after[0].value);
		} else {
			strobe_counter_read(counter, before, count, NULL);
			strobe_counter_read(counter, after, count, NULL);
		}
		if (after[0].value - before[0].value < least)
			least = after[0].value - before[0].value;
	}
	strobe_counter_close(counter);
	return least;
}

/* cost: of the quickest way, of one counter with its times, of four together */
static void tell_cost(void)
{
	printf("cost %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", reading_cost("instructions:u", 1, 1),
	       reading_cost("instructions:u", 1, 0),
	       reading_cost("instructions:u,cycles:u,instructions:u,instructions:u", 4, 0));
}

/* turns EVENT: value, scaled, enabled, running; the first has a counter all the time */
static void tell_turns(uint64_t count)
{
	struct strobe_counter_value values[EVENTS_MAX];
	char events[512] = "instructions:uD";
	struct strobe_counter *counter;

	for (size_t i = 1; i < EVENTS_MAX; i++)
		strcat(events, ",instructions:u");
	counter = open_counter(events, STROBE_COUNTER_SEPARATE);
	work(count);
	strobe_counter_read(counter, values, EVENTS_MAX, NULL);
	for (size_t i = 0; i < EVENTS_MAX; i++)
		printf("turns %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       strobe_counter_name(counter, i), values[i].value, values[i].scaled,
		       values[i].time_enabled, values[i].time_running);
	strobe_counter_close(counter);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "direct")) {
		tell_direct("cycles,instructions:u");
		tell_direct("page-faults,task-clock");
	} else if (!strcmp(what, "between")) {
		tell_between();
	} else if (!strcmp(what, "region")) {
		tell_region();
	} else if (!strcmp(what, "cost")) {
		tell_cost();
	} else if (!strcmp(what, "turns")) {
		tell_turns(argc > 2 ? strtoull(argv[2], NULL, 0) : 10000000);
	} else {
		return 2;
	}
	return 0;
}
