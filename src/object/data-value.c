/* data-value.c - see data-value.h. */
#include "object/data-value.h"

#include "object/data-types.h"
#include "object/variables.h"

static const struct data_value unknown;

bool data_value_same(struct data_value left, struct data_value right)
{
	return left.kind == right.kind && data_types_same(left.type, right.type) &&
	       left.offset == right.offset && data_types_same(left.declared, right.declared);
}

/* Two pointers to one thing, which is in the other's: what both know of it. */
static struct data_value meet_inner(const struct data_here *here, struct data_value left,
				    struct data_value right)
{
	int64_t offset = (int64_t)((uint64_t)left.offset - (uint64_t)right.offset);

	if (offset >= 0 && data_types_have(here->types, left.type, (uint64_t)offset, right.type))
		return right;
	if (offset <= 0 && data_types_have(here->types, right.type, -(uint64_t)offset, left.type))
		return left;
	return unknown;
}

struct data_value data_value_meet(const struct data_here *here, struct data_value left,
				  struct data_value right)
{
	int64_t size;

	if (left.kind != right.kind)
		return unknown;
	if (!data_types_same(left.declared, right.declared))
		left.declared = right.declared = NULL;
	if (left.kind == DATA_VALUE_PLAIN)
		return left.declared ? left : unknown;
	if (!data_types_same(left.type, right.type))
		return left.kind == DATA_VALUE_POINTER ? meet_inner(here, left, right) : unknown;
	if (left.offset == right.offset)
		return left;
	/* On its way through an array. */
	size = left.kind == DATA_VALUE_POINTER ? (int64_t)left.type->size : 0;
	if (size <= 0 || left.offset < 0 || right.offset < 0 ||
	    left.offset % size != right.offset % size)
		return unknown;
	left.offset %= size;
	return left;
}

struct data_value data_value_add(struct data_value value, int64_t number)
{
	if (value.kind != DATA_VALUE_UNKNOWN && value.kind != DATA_VALUE_PLAIN)
		value.offset = (int64_t)((uint64_t)value.offset + (uint64_t)number);
	return value;
}

struct data_value data_value_index(const struct data_here *here, struct data_value value)
{
	const struct data_type *type;
	uint64_t offset;

	if (value.kind != DATA_VALUE_FRAME)
		return value;
	if (!data_value_target(here, value, &type, &offset))
		return unknown;
	return (struct data_value){ DATA_VALUE_POINTER, type, (int64_t)offset, NULL };
}

/* Where an offset from a pointer leads to. What has no fields may be one of many. */
static bool settle(const struct data_type *type, int64_t offset, uint64_t *ret_offset)
{
	int64_t size = (int64_t)type->size;

	if (size <= 0 || size > UINT32_MAX)
		return false;
	if (type->kind != DATA_TYPE_FIELDS)
		offset = (offset % size + size) % size;
	*ret_offset = (uint64_t)offset;
	return offset >= 0 && offset < size;
}

static bool find_in_frame(const struct data_here *here, int64_t offset,
			  const struct data_type **ret_type, uint64_t *ret_offset)
{
	for (size_t i = 0; here->function && i < here->function->count; i++) {
		const struct variable *variable = &here->function->items[i];

		if (variable->begin > here->vaddr)
			break;
		uint64_t within = (uint64_t)offset - (uint64_t)variable->offset;

		if (variable->kind != VARIABLE_IN_FRAME || here->vaddr >= variable->end ||
		    within >= variable->type->size)
			continue;
		*ret_type = variable->type;
		*ret_offset = within;
		return true;
	}
	return false;
}

bool data_value_target(const struct data_here *here, struct data_value value,
		       const struct data_type **ret_type, uint64_t *ret_offset)
{
	switch (value.kind) {
	case DATA_VALUE_POINTER:
		*ret_type = value.type;
		return settle(value.type, value.offset, ret_offset);
	case DATA_VALUE_FRAME:
		return find_in_frame(here, value.offset, ret_type, ret_offset);
	case DATA_VALUE_NUMBER:
		*ret_type = here->variables ? variables_static(here->variables, here->vaddr,
							       (uint64_t)value.offset, ret_offset)
					    : NULL;
		return *ret_type;
	default:
		return false;
	}
}

struct data_value data_value_of(const struct data_here *here, const struct data_type *type)
{
	const struct data_type *target;

	if (!type)
		return unknown;
	if (type->kind == DATA_TYPE_PLAIN)
		return (struct data_value){ DATA_VALUE_PLAIN, NULL, 0, type };
	if (type->kind != DATA_TYPE_POINTER)
		return unknown;
	target = data_types_target(here->types, type);
	return target ? (struct data_value){ DATA_VALUE_POINTER, target, 0, type } : unknown;
}

struct data_value data_value_load(const struct data_here *here, const struct data_type *type,
				  uint64_t offset)
{
	type = data_types_at(here->types, type, offset, &offset);
	return type && offset == 0 ? data_value_of(here, type) : unknown;
}
