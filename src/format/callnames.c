/* callnames.c - see callnames.h. */
#include "format/callnames.h"

#include <string.h>

#include "base/str.h"
#include "format/calltables.h"

const struct callnames *callnames_of(const struct callnames *names, enum callabi abi)
{
	/* Programs of 32 bits have what the others of their machine have. */
	enum callabi wide = abi == CALLABI_I386  ? CALLABI_X86_64
			    : abi == CALLABI_ARM ? CALLABI_ARM64
						 : abi;

	for (const struct callnames_variant *v = calltables_variants; v->usual; v++)
		if (v->usual == names && v->abi == wide)
			return v->other;
	return names;
}

/* What stands for no bit at all is the name of nothing else than 0. */
static bool holds(const struct callname *item, uint64_t value, uint64_t rest, bool is_enum)
{
	if (is_enum)
		return (value & item->mask) == item->value;
	if (item->mask == 0)
		return value == 0;
	/* Of what is told already nothing is told again. */
	return (value & item->mask) == item->value && (rest & item->value) == item->value;
}

const struct callname *callnames_next(const struct callnames *names, uint64_t value, uint64_t *rest,
				      size_t *at)
{
	bool is_enum = names->kind == CALLNAMES_ENUM || names->kind == CALLNAMES_POINTER;

	if (*at == 0)
		*rest = value;
	while (*at < names->count) {
		const struct callname *item = &names->items[(*at)++];

		if (!holds(item, value, *rest, is_enum))
			continue;
		*rest &= ~item->mask;
		if (is_enum)
			*at = names->count;
		return item;
	}
	return NULL;
}

const char *callnames_find(const struct callnames *names, uint64_t value)
{
	uint64_t rest;
	size_t at = 0;
	const struct callname *found = callnames_next(names, value, &rest, &at);

	return found ? found->name : NULL;
}

const char *callnames_short(const struct callnames *names, const char *name)
{
	const char *rest = str_after(name, names->prefix);

	return rest && *rest ? rest : name;
}
