/*
 * strings.h - each text once: the same text always has the same id and the same address.
 *
 * Starts as { 0 }. Ids count from 0 in the order of first adding. Texts never move and live until
 * strings_done; so texts of one table are equal just if their ids or pointers are. A text may hold
 * any bytes but is NUL-terminated all the same.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct strings_item; /* a text, its size, its hash */

struct strings {
	struct arena arena;
	struct strings_item *items;
	size_t count, capacity;
	uint32_t *slots; /* id + 1, or 0 */
	size_t slot_count;
};

uint32_t strings_intern(struct strings *strings, const char *text);
uint32_t strings_intern_bytes(struct strings *strings, const char *text, size_t size);
/* The text itself, where the id is of no use. */
const char *strings_keep(struct strings *strings, const char *text);
/* False if it was never added. */
bool strings_find(const struct strings *strings, const char *text, uint32_t *ret_id);

/* @id came from this table. */
const char *strings_text(const struct strings *strings, uint32_t id);
void strings_done(struct strings *strings);
