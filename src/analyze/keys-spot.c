/* keys-spot.c - see keys-spot.h. */
#include "analyze/keys-spot.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/placeinfo.h"
#include "base/str.h"
#include "model/timeline.h"

enum { ADDR_WIDTH = 16, LEVEL_WIDTH = 4 }; /* 0123456789abcdef and "[k] " */

static const struct dso *dso_of(const struct spot *spot)
{
	return spot->place.map ? spot->place.map->dso : NULL;
}

static const char *dso_name(const struct spot *spot, keys_style *how)
{
	const struct dso *dso = dso_of(spot);

	if (!dso)
		return NULL;
	return how->long_names ? dso->name : dso->short_name;
}

/* As in perf, that a file was deleted is a part of its name. */
static const char *dso_suffix(const struct spot *spot)
{
	return spot->place.map ? map_suffix(spot->place.map) : "";
}

int keys_spot_compare_dso(const struct spot *left, const struct spot *right, keys_style *how)
{
	int r = keys_compare_text(dso_name(left, how), dso_name(right, how));

	return r ? r : strcmp(dso_suffix(left), dso_suffix(right));
}

uint64_t keys_spot_hash_dso(const struct spot *spot, keys_style *how)
{
	return keys_hash_text(dso_name(spot, how));
}

void keys_spot_print_dso(const struct spot *spot, struct str *out, keys_style *how)
{
	const char *name = dso_name(spot, how);

	str_add(out, name ? name : "[unknown]");
	str_add(out, dso_suffix(spot));
}

size_t keys_spot_width_dso(const struct spot *spot, keys_style *how)
{
	const char *name = dso_name(spot, how);
	size_t width = name ? str_line_size(name) + strlen(dso_suffix(spot)) : 0;

	/* Where there is no name, perf makes room for an address here too. */
	if (!spot->place.function && !how->dsos_are_given && width < ADDR_WIDTH)
		return ADDR_WIDTH;
	return width;
}

/* By file, whatever became of its code in memory. */
static int file_compare(const struct dso *left, const struct dso *right, keys_style *how)
{
	int r = keys_compare_text(how->long_names ? left->name : left->short_name,
				  how->long_names ? right->name : right->short_name);

	return r ? r : left->deleted - right->deleted;
}

/* What was put into a function begins and ends where that does. */
static int function_compare(const struct function *left, const struct function *right)
{
	int r = keys_compare_addr(left->start, right->start);

	if (r == 0)
		r = keys_compare_addr(left->end, right->end);
	if (r != 0 || !(left->inlined || right->inlined))
		return r;
	return left->inlined == right->inlined ? strcmp(left->name, right->name)
					       : left->inlined - right->inlined;
}

int keys_spot_compare(const struct spot *left, const struct spot *right, uint64_t left_addr,
		      uint64_t right_addr, keys_style *how)
{
	const struct function *a = left->place.function, *b = right->place.function;
	int r = 0;

	if (!a && !b)
		return keys_compare_addr(left_addr, right_addr);
	if (!how->dso_is_a_key && dso_of(left) && dso_of(right))
		r = file_compare(dso_of(left), dso_of(right), how);
	if (r || a == b)
		return r;
	return a && b ? function_compare(a, b) : keys_compare_missing(a, b);
}

int keys_spot_order(const struct spot *left, const struct spot *right)
{
	const struct function *a = left->place.function, *b = right->place.function;

	if (a == b)
		return 0;
	return a && b ? strcmp(a->name, b->name) : keys_compare_missing(a, b);
}

uint64_t keys_spot_hash(const struct spot *spot, uint64_t addr, keys_style *how)
{
	const struct function *function = spot->place.function;

	if (!function)
		return addr;
	return function->start * 31 + function->end +
	       (function->inlined ? keys_hash_text(function->name) : 0);
}

/* Why it has no name. */
static const char *mark_of(const struct spot *spot, keys_style *how)
{
	return how->resolver ? reason_mark(placeinfo_reason(how->resolver, &spot->place)) : "";
}

void keys_spot_print(const struct spot *spot, struct str *out, keys_style *how)
{
	const struct function *function = spot->place.function;
	const char *mark = mark_of(spot, how);

	if (how->long_names)
		str_addf(out, "%-#*" PRIx64 " %c ", ADDR_WIDTH + 2, spot->place.addr,
			 spot->place.map ? '.' : '!');
	str_add_char(out, '[');
	str_add_char(out, spot->level);
	str_add(out, "] ");
	if (function) {
		str_add(out, function->name);
		if (function->inlined)
			str_add(out, " (inlined)");
		/* As in perf, of data it is of interest which part. */
		if (function->is_object)
			str_addf(out, "+0x%" PRIx64, spot->place.object_addr - function->start);
	} else {
		if (spot->shown_addr != 0)
			str_add(out, "0x");
		str_add_hexadecimal(out, spot->shown_addr, ADDR_WIDTH, '0');
	}
	if (mark[0])
		str_addf(out, " %s", mark);
}

size_t keys_spot_width(const struct spot *spot, keys_style *how)
{
	const struct function *function = spot->place.function;
	const char *mark = mark_of(spot, how);
	size_t width = LEVEL_WIDTH + (how->long_names && function ? ADDR_WIDTH + 2 + 3 : 0);

	if (mark[0])
		width += 1 + strlen(mark);
	return width + (function ? str_line_size(function->name) : ADDR_WIDTH + 2);
}
