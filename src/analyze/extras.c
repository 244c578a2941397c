/* extras.c - see extras.h. */
#include "analyze/extras.h"

#include "analyze/bundles.h"
#include "analyze/item.h"

bool extras_weight_of(enum measure measure, size_t *ret_number)
{
	if (measure < MEASURE_WEIGHT_1 || measure > MEASURE_WEIGHT_3)
		return false;
	*ret_number = measure - MEASURE_WEIGHT_1;
	return true;
}

bool extras_kind_of(enum measure measure, enum data_src_kind *ret_kind)
{
	switch (measure) {
	case MEASURE_OP:
		*ret_kind = DATA_SRC_OP;
		return true;
	case MEASURE_CACHE:
		*ret_kind = DATA_SRC_CACHE;
		return true;
	case MEASURE_MEMORY:
		*ret_kind = DATA_SRC_MEMORY;
		return true;
	case MEASURE_SNOOP:
		*ret_kind = DATA_SRC_SNOOP;
		return true;
	case MEASURE_DTLB:
		*ret_kind = DATA_SRC_DTLB;
		return true;
	default:
		return false;
	}
}

bool extras_want_weights(const struct field_list *list)
{
	size_t number;

	for (size_t i = 0; i < list->count; i++) {
		if (extras_weight_of(list->items[i].measure, &number))
			return true;
	}
	return false;
}

bool extras_want_classes(const struct field_list *list)
{
	enum data_src_kind kind;

	for (size_t i = 0; i < list->count; i++) {
		if (extras_kind_of(list->items[i].measure, &kind))
			return true;
	}
	return false;
}

void extras_add(struct extras *extras, const struct item *item, const struct bundle *bundle)
{
	extras->weights[0] += item->weight * bundle->count;
	extras->weights[1] += item->weight_2 * bundle->count;
	extras->weights[2] += item->weight_3 * bundle->count;
	if (!item->memory)
		return;
	for (size_t kind = 0; kind < DATA_SRC_KINDS; kind++) {
		size_t i = data_src_class((enum data_src_kind)kind, item->memory->data_src);

		extras->classes[kind][i] += bundle->period;
	}
}

void extras_join(struct extras *to, const struct extras *more)
{
	for (size_t i = 0; i < EXTRAS_WEIGHTS; i++)
		to->weights[i] += more->weights[i];
	for (size_t kind = 0; kind < DATA_SRC_KINDS; kind++) {
		for (size_t i = 0; i < DATA_SRC_CLASSES; i++)
			to->classes[kind][i] += more->classes[kind][i];
	}
}
