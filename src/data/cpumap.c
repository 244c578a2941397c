/* cpumap.c - see cpumap.h. */
#include "data/cpumap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"

enum kind { KIND_LIST, KIND_MASK, KIND_RANGE };
enum { CPUS = UINT16_MAX }; /* the last number means "any" */

struct set {
	size_t end; /* behind the highest */
	uint64_t words[CPUS / 64 + 1];
};

static uint16_t get_16(const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void add(struct set *set, size_t cpu)
{
	if (cpu >= CPUS)
		return;
	set->words[cpu / 64] |= UINT64_C(1) << cpu % 64;
	if (set->end <= cpu)
		set->end = cpu + 1;
}

static bool has(const struct set *set, size_t cpu)
{
	return set->words[cpu / 64] >> cpu % 64 & 1;
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

static void add_run(size_t first, size_t last, struct str *text)
{
	str_addf(text, "%s%zu", text->size > 0 ? "," : "", first);
	if (last > first)
		str_addf(text, "-%zu", last);
}

static void add_runs(const struct set *set, struct str *text)
{
	for (size_t cpu = 0; cpu < set->end; cpu++) {
		size_t last = cpu;

		if (!has(set, cpu))
			continue;
		while (last + 1 < set->end && has(set, last + 1))
			last++;
		add_run(cpu, last, text);
		cpu = last;
	}
}

static bool add_set(enum kind kind, const uint8_t *bytes, size_t size, struct str *text)
{
	_cleanup_(freep) struct set *set = xnew(struct set);

	if (!(kind == KIND_LIST ? add_list(set, bytes, size) : add_mask(set, bytes, size)))
		return false;
	add_runs(set, text);
	return true;
}

/* any, padding, first, last */
static bool add_range(const uint8_t *bytes, size_t size, struct str *text)
{
	size_t first, last;

	if (size < 6)
		return false;
	first = get_16(bytes + 2);
	last = get_16(bytes + 4);
	if (last >= CPUS)
		last = CPUS - 1;
	if (first <= last)
		add_run(first, last, text);
	return true;
}

static bool add_text(const uint8_t *bytes, size_t size, struct str *text)
{
	if (size < 2)
		return false;
	switch (get_16(bytes)) {
	case KIND_LIST:
	case KIND_MASK:
		return add_set(get_16(bytes), bytes + 2, size - 2, text);
	case KIND_RANGE:
		return add_range(bytes + 2, size - 2, text);
	default:
		return false;
	}
}

const char *cpumap_text(const void *bytes, size_t size, struct arena *arena)
{
	_cleanup_(str_done) struct str text = { 0 };

	return add_text(bytes, size, &text) ? arena_strdup(arena, str_text(&text)) : NULL;
}
