/*
 * sorting.c - what two ways to sort cost by the CPU's counters, or by software events where there
 * are none. Each way is a region that is passed through again and again.
 *
 *	cc sorting.c $(pkg-config --cflags --libs libstrobe) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strobe/counter.h>

#define NUMBERS 2000
#define PASSES 20
#define EVENTS_MAX 8

static unsigned numbers[NUMBERS];

static void shuffle(unsigned seed)
{
	for (size_t i = 0; i < NUMBERS; i++) {
		seed = seed * 1664525 + 1013904223;
		numbers[i] = seed >> 8;
	}
}

static int compare(const void *a, const void *b)
{
	unsigned first = *(const unsigned *)a, second = *(const unsigned *)b;

	return (first > second) - (first < second);
}

static void sort_by_library(void)
{
	qsort(numbers, NUMBERS, sizeof(numbers[0]), compare);
}

static void sort_by_insertion(void)
{
	for (size_t i = 1; i < NUMBERS; i++) {
		unsigned number = numbers[i];
		size_t at = i;

		for (; at > 0 && numbers[at - 1] > number; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = number;
	}
}

static struct strobe_counter *open_counter(void)
{
	struct strobe_counter_options options = { .size = sizeof(options) };
	struct strobe_counter *counter;
	struct strobe_err err;

	options.events = "cycles:u,instructions:u,branch-misses:u";
	if (strobe_counter_open(&options, &counter, &err) == 0)
		return counter;
	fprintf(stderr, "%s: software events it is\n", err.text);
	options.events = "task-clock:u,page-faults:u";
	if (strobe_counter_open(&options, &counter, &err) == 0)
		return counter;
	fprintf(stderr, "%s\n%s\n", err.text, err.hint);
	exit(1);
}

static void measure(struct strobe_counter *counter, const char *name, void (*sort)(void))
{
	struct strobe_counter_value values[EVENTS_MAX];
	struct strobe_region *region;

	if (strobe_region_new(counter, &region, NULL) < 0)
		exit(1);
	for (unsigned i = 0; i < PASSES; i++) {
		shuffle(i);
		strobe_region_begin(region);
		sort();
		strobe_region_end(region);
	}
	strobe_region_read(region, values, EVENTS_MAX);
	printf("%s, %d passes\n", name, (int)strobe_region_passes(region));
	for (size_t i = 0; i < strobe_counter_count(counter); i++)
		printf("  %14.1f %s each\n", (double)values[i].scaled / PASSES,
		       strobe_counter_name(counter, i));
	strobe_region_free(region);
}

int main(void)
{
	struct strobe_counter *counter = open_counter();

	strobe_counter_start(counter, NULL);
	measure(counter, "by the library", sort_by_library);
	measure(counter, "by insertion", sort_by_insertion);
	strobe_counter_close(counter);
	return 0;
}
