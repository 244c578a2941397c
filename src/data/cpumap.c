/* cpumap.c - see cpumap.h. */
#include "data/cpumap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

enum kind { KIND_LIST, KIND_MASK, KIND_RANGE };
enum { CPUS = UINT16_MAX }; /* the last number means "any" */

struct set {
	uint8_t has[CPUS];
};

static uint16_t get_16(const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void add(struct set *set, size_t cpu)
{
	if (cpu < CPUS)
		set->has[cpu] = 1;
}

/* count, numbers */
static bool add_list(struct set *set, const uint8_t *bytes, size_t size)
{
	if (size < 2 || (size - 2) / 2 < get_16(bytes))
		return false;
	for (size_t i = 0; i < get_16(bytes); i++)
		add(set, get_16(bytes + 2 + 2 * i));
	return true;
}

/*
 * Where words of 8 bytes begin. Recorders before 6.1 padded them as if the mask had no kind before
 * it, and then the record to a multiple of 8: so there is a word more than needed.
 */
static size_t words_begin(size_t count, size_t size)
{
	enum { NOW = 6, BEFORE = 8 };

	return size >= NOW + 8 * (count + 1) ? BEFORE : NOW;
}

/* number of words, size of a word, padding before words of 8 bytes, words */
static bool add_mask(struct set *set, const uint8_t *bytes, size_t size)
{
	size_t word_size, begin;

	if (size < 4)
		return false;
	word_size = get_16(bytes + 2);
	begin = word_size == 8 ? words_begin(get_16(bytes), size) : 4;
	if ((word_size != 4 && word_size != 8) || size < begin ||
	    (size - begin) / word_size < get_16(bytes))
		return false;
	for (size_t i = 0; i < get_16(bytes); i++) {
		uint64_t word = 0;
		uint32_t half;

		if (word_size == 8) {
			memcpy(&word, bytes + begin + i * 8, sizeof(word));
		} else {
			memcpy(&half, bytes + begin + i * 4, sizeof(half));
			word = half;
		}
		for (size_t bit = 0; bit < word_size * 8; bit++) {
			if (word >> bit & 1)
				add(set, i * word_size * 8 + bit);
		}
	}
	return true;
}

/* any, padding, first, last */
static bool add_range(struct set *set, const uint8_t *bytes, size_t size)
{
	if (size < 6)
		return false;
	for (size_t cpu = get_16(bytes + 2); cpu <= get_16(bytes + 4); cpu++)
		add(set, cpu);
	return true;
}

static bool add_all(struct set *set, const uint8_t *bytes, size_t size)
{
	if (size < 2)
		return false;
	switch (get_16(bytes)) {
	case KIND_LIST:
		return add_list(set, bytes + 2, size - 2);
	case KIND_MASK:
		return add_mask(set, bytes + 2, size - 2);
	case KIND_RANGE:
		return add_range(set, bytes + 2, size - 2);
	default:
		return false;
	}
}

static void print(const struct set *set, FILE *out)
{
	const char *comma = "";

	for (size_t cpu = 0; cpu < CPUS; cpu++) {
		size_t last = cpu;

		if (!set->has[cpu])
			continue;
		while (last + 1 < CPUS && set->has[last + 1])
			last++;
		(void)fprintf(out, "%s%zu", comma, cpu);
		if (last > cpu)
			(void)fprintf(out, "-%zu", last);
		comma = ",";
		cpu = last;
	}
}

const char *cpumap_text(const void *bytes, size_t size, struct arena *arena)
{
	_cleanup_(freep) struct set *set = xnew(struct set);
	_cleanup_(freep) char *text = NULL;
	size_t text_size;
	FILE *out;

	if (!add_all(set, bytes, size))
		return NULL;
	out = open_memstream(&text, &text_size);
	if (!out)
		abort();
	print(set, out);
	(void)fclose(out);
	return arena_strdup(arena, text);
}
