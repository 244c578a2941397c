/* callspec.c - see callspec.h. */
#include "format/callspec.h"

#include <errno.h>
#include <string.h>

#include "format/calltables.h"

/* Set in the numbers of x32's programs, which have x86_64's calls. */
static const uint64_t X32_BIT = 0x40000000;

const struct callspec *callspec_find(enum callabi abi, uint64_t number)
{
	const struct callnumbers *numbers = &calltables_numbers[abi];

	if (abi == CALLABI_X86_64)
		number &= ~X32_BIT;
	if (number >= numbers->count || !numbers->specs[number])
		return NULL;
	return &calltables_specs[numbers->specs[number] - 1];
}

int callspec_number(enum callabi abi, const char *name)
{
	const struct callnumbers *numbers = &calltables_numbers[abi];

	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->specs[i] &&
		    strcmp(calltables_specs[numbers->specs[i] - 1].name, name) == 0)
			return (int)i;
	return -ENOENT;
}

size_t callspec_count(enum callabi abi)
{
	return calltables_numbers[abi].count;
}

size_t callspec_word(enum callabi abi)
{
	return abi == CALLABI_I386 || abi == CALLABI_ARM ? 4 : 8;
}

enum callspec_layout callspec_layout(enum callabi abi)
{
	static const enum callspec_layout layouts[CALLABI_COUNT] = {
		[CALLABI_X86_64] = CALLSPEC_LAYOUT_X86_64,
		[CALLABI_I386] = CALLSPEC_LAYOUT_I386,
		[CALLABI_ARM64] = CALLSPEC_LAYOUT_WIDE,
		[CALLABI_ARM] = CALLSPEC_LAYOUT_NARROW,
	};

	return layouts[abi];
}

bool callspec_abi(const char *machine, bool is_32, enum callabi *ret_abi)
{
	bool is_x86 = strcmp(machine, "x86_64") == 0;

	if (!is_x86 && strcmp(machine, "aarch64") != 0)
		return false;
	if (is_x86)
		*ret_abi = is_32 ? CALLABI_I386 : CALLABI_X86_64;
	else
		*ret_abi = is_32 ? CALLABI_ARM : CALLABI_ARM64;
	return true;
}

static const char *const group_names[] = { "file",    "desc",   "network", "memory",
					   "process", "signal", "ipc" };

unsigned callspec_group(const char *name)
{
	for (size_t i = 0; callspec_group_name(i); i++)
		if (strcmp(group_names[i], name) == 0)
			return 1U << i;
	return 0;
}

const char *callspec_group_name(size_t i)
{
	return i < sizeof(group_names) / sizeof(*group_names) ? group_names[i] : NULL;
}

bool callspec_applies(const struct calltype *type, const uint64_t *args)
{
	uint64_t value = args[type->condition_arg];

	switch (type->condition) {
	case CALLTYPE_ALWAYS:
		return true;
	case CALLTYPE_ANY:
		return (value & type->condition_bits) != 0;
	case CALLTYPE_NONE:
		return (value & type->condition_bits) == 0;
	case CALLTYPE_ONE_OF:
		value &= 0x7f;
		return value < 32 && (type->condition_bits >> value & 1);
	}
	return true;
}
