/* stacks-json.c - see stacks-json.h. */
#include "view/stacks-json.h"

#include "base/json.h"
#include "base/stack-sum.h"

void stacks_json(struct json *json, const char *name, const struct stack_sum *sum)
{
	json_begin(json, name);
	json_u64(json, "count", sum->count);
	json_u64(json, "complete", sum->complete);
	json_u64(json, "stitched", sum->stitched);
	json_u64(json, "gap", sum->gap);
	json_u64(json, "truncated", sum->truncated);
	json_u64(json, "no_cfi", sum->no_cfi);
	json_u64(json, "damaged", sum->damaged);
	json_u64(json, "cut", sum->cut);
	if (sum->size_needed) {
		json_u64(json, "size_needed", sum->size_needed);
		json_bool(json, "needs_more", sum->needs_more);
	}
	if (sum->stored) {
		json_u64(json, "stored", sum->stored);
		json_u64(json, "stored_from_ns", sum->stored_from_ns);
		json_u64(json, "stored_until_ns", sum->stored_until_ns);
	}
	json_begin_list(json, "objects");
	for (size_t i = 0; i < STACK_SUM_OBJECTS && sum->objects[i].name; i++) {
		json_begin(json, NULL);
		json_text(json, "dso", sum->objects[i].name);
		json_u64(json, "stacks", sum->objects[i].count);
		json_end(json);
	}
	json_end_list(json);
	json_end(json);
}
