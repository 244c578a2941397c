/*
 * extras.h - what is counted of an entry only where a column shows it: the sums of its samples'
 * weights, and the periods of its accesses to memory by what they met.
 *
 * Samples of a bundle are then equal in all of that, so that it follows from the bundles.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/fields.h"
#include "format/data-src.h"

struct bundle;
struct item;

enum { EXTRAS_WEIGHTS = 3 };

struct extras {
	uint64_t weights[EXTRAS_WEIGHTS]; /* as in struct sample: weight, weight_2, weight_3 */
	uint64_t classes[DATA_SRC_KINDS][DATA_SRC_CLASSES];
};

/* True if a column of the list wants weights; if one wants what accesses met. */
bool extras_want_weights(const struct field_list *list);
bool extras_want_classes(const struct field_list *list);

/* Which of struct extras a measure shows; false if it is none of the kind. */
bool extras_weight_of(enum measure measure, size_t *ret_number);
bool extras_kind_of(enum measure measure, enum data_src_kind *ret_kind);

/* Adds a bundle, of whose context @item is. */
void extras_add(struct extras *extras, const struct item *item, const struct bundle *bundle);
void extras_join(struct extras *to, const struct extras *more);
