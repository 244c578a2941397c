/* callstruct.c - structs, with the structs in them: see callmemory.h. */
#include "format/callmemory.h"

enum { LEVELS = 4 }; /* of structs in structs: generate.py sees to it */

/* A struct whose members are being added. */
struct level {
	const struct callmember *members;
	size_t count, next; /* members, and those before the one to come */
	struct callmemory memory;
	size_t value; /* its own value's place */
};

static void begin(struct callvalues *values, const struct calltype *type, const char *name,
		  enum callabi abi, const struct callmemory *memory, struct level *ret_level)
{
	const struct calllayout *layout = type->table;
	enum callspec_layout variant = callspec_layout(abi);

	*ret_level = (struct level){
		.members = layout->variants[variant].members,
		.count = layout->variants[variant].count,
		.memory = *memory,
		.value = values->count,
	};
	callvalues_add(values, CALLVALUE_STRUCT, name);
}

static void end(struct callvalues *values, const struct level *level)
{
	values->items[level->value].count = level->next;
	values->items[level->value].is_cut = level->next < level->count;
}

/* NULL: that was the last, or the next was not copied. */
static const struct callmember *next_member(struct level *level)
{
	const struct callmember *member = &level->members[level->next];

	if (level->next == level->count ||
	    level->memory.size < (size_t)member->offset + member->size)
		return NULL;
	level->next++;
	return member;
}

static void add_member(struct callvalues *values, const struct callmember *member, enum callabi abi,
		       const struct callmemory *memory)
{
	uint64_t number = callmemory_read(memory, 0, member->size);

	switch (member->type.kind) {
	case CALLTYPE_TEXT:
		callmemory_text(values, member->name, memory, true);
		return;
	case CALLTYPE_SIGSET:
		callmemory_bits(values, member->name, memory, true);
		return;
	case CALLTYPE_NAMES:
		callmemory_number(values, &member->type, member->name, abi, number);
		return;
	default:
		callmemory_number(values, &member->type, member->name, abi,
				  callmemory_signed(number, member->size));
		return;
	}
}

void callstruct_add(struct callvalues *values, const struct calltype *type, const char *name,
		    enum callabi abi, const struct callmemory *memory)
{
	struct level levels[LEVELS];
	size_t depth = 1;

	begin(values, type, name, abi, memory, &levels[0]);
	while (depth > 0) {
		struct level *level = &levels[depth - 1];
		const struct callmember *member = next_member(level);
		size_t first = values->count;
		struct callmemory part;

		if (!member) {
			end(values, level);
			depth--;
			continue;
		}
		part = (struct callmemory){ level->memory.bytes + member->offset, member->size,
					    member->size };
		if (member->type.kind == CALLTYPE_STRUCT && depth < LEVELS)
			begin(values, &member->type, member->name, abi, &part, &levels[depth++]);
		else
			add_member(values, member, abi, &part);
		values->items[first].is_detail = member->is_detail;
	}
}
