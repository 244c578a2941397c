/* stack-sum.c - see stack-sum.h. */
#include "base/stack-sum.h"

#include <stddef.h>
#include <string.h>

/* The heaviest first, and of equal ones that which came first. */
void stack_sum_add_object(struct stack_sum *sum, const char *name, uint64_t count)
{
	for (size_t i = 0; i < STACK_SUM_OBJECTS; i++) {
		const char *other = sum->objects[i].name;
		uint64_t other_count = sum->objects[i].count;

		if (count <= other_count)
			continue;
		sum->objects[i].name = name;
		sum->objects[i].count = count;
		name = other;
		count = other_count;
	}
}

static void merge_object(struct stack_sum *sum, const char *name, uint64_t count)
{
	size_t i = 0, last = STACK_SUM_OBJECTS - 1;

	while (i < STACK_SUM_OBJECTS && sum->objects[i].name &&
	       strcmp(sum->objects[i].name, name) != 0)
		i++;
	if (i < STACK_SUM_OBJECTS && sum->objects[i].name) {
		count += sum->objects[i].count;
		for (; i < last; i++)
			sum->objects[i] = sum->objects[i + 1];
		sum->objects[last].name = NULL;
		sum->objects[last].count = 0;
	}
	stack_sum_add_object(sum, name, count);
}

void stack_sum_add(struct stack_sum *sum, const struct stack_sum *others)
{
	sum->count += others->count;
	sum->complete += others->complete;
	sum->stitched += others->stitched;
	sum->gap += others->gap;
	sum->truncated += others->truncated;
	sum->no_cfi += others->no_cfi;
	sum->damaged += others->damaged;
	sum->cut += others->cut;
	if (others->size_needed > sum->size_needed)
		sum->size_needed = others->size_needed;
	sum->needs_more |= others->needs_more;
	if (others->stored) {
		sum->stored += others->stored;
		sum->stored_from_ns = others->stored_from_ns;
		sum->stored_until_ns = others->stored_until_ns;
	}
	for (size_t i = 0; i < STACK_SUM_OBJECTS && others->objects[i].name; i++)
		merge_object(sum, others->objects[i].name, others->objects[i].count);
}
