/* printfmt.c - see printfmt.h. */
#include "format/printfmt.h"

#include <stddef.h>

#include <traceevent/event-parse.h>

/* Deeper than any kernel's; libtraceevent walks the tree by recursion, as is done here. */
enum { DEPTH_MAX = 100 };

static bool args_are_sound(struct tep_event *event, const struct tep_print_arg *arg, int depth);

/* An array or a text that lies elsewhere in the record. */
static bool is_dynamic(const struct tep_format_field *field)
{
	return field && field->flags & TEP_FIELD_IS_DYNAMIC;
}

static bool names_dynamic(struct tep_event *event, const char *name)
{
	return name && is_dynamic(tep_find_any_field(event, name));
}

/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX deep at most */
static bool one_is_sound(struct tep_event *event, const struct tep_print_arg *arg, int depth)
{
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		return tep_find_any_field(event, arg->field.name) != NULL;
	case TEP_PRINT_FLAGS:
		return arg->flags.field && args_are_sound(event, arg->flags.field, depth);
	case TEP_PRINT_SYMBOL:
		return arg->symbol.field && args_are_sound(event, arg->symbol.field, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return arg->hex.field && arg->hex.size &&
		       args_are_sound(event, arg->hex.field, depth) &&
		       args_are_sound(event, arg->hex.size, depth);
	case TEP_PRINT_INT_ARRAY:
		return arg->int_array.field && arg->int_array.count && arg->int_array.el_size &&
		       args_are_sound(event, arg->int_array.field, depth) &&
		       args_are_sound(event, arg->int_array.count, depth) &&
		       args_are_sound(event, arg->int_array.el_size, depth);
	case TEP_PRINT_TYPE:
		return arg->typecast.item && args_are_sound(event, arg->typecast.item, depth);
	case TEP_PRINT_STRING:
		return names_dynamic(event, arg->string.string);
	case TEP_PRINT_BITMASK:
		return names_dynamic(event, arg->bitmask.bitmask);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		/* libtraceevent 1.7 follows a NULL to find the length of a __rel_loc. */
		return is_dynamic(arg->dynarray.field) &&
		       !(arg->dynarray.field->flags & TEP_FIELD_IS_RELATIVE);
	case TEP_PRINT_DYNAMIC_ARRAY:
		return is_dynamic(arg->dynarray.field) &&
		       args_are_sound(event, arg->dynarray.index, depth);
	case TEP_PRINT_OP:
		return arg->op.op && arg->op.right && args_are_sound(event, arg->op.left, depth) &&
		       args_are_sound(event, arg->op.right, depth);
	case TEP_PRINT_FUNC:
		return arg->func.func && args_are_sound(event, arg->func.args, depth);
	default:
		return true;
	}
}

/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX deep at most */
static bool args_are_sound(struct tep_event *event, const struct tep_print_arg *arg, int depth)
{
	if (depth == DEPTH_MAX)
		return false;
	for (; arg; arg = arg->next)
		if (!one_is_sound(event, arg, depth + 1))
			return false;
	return true;
}

bool printfmt_is_sound(struct tep_event *event)
{
	return args_are_sound(event, event->print_fmt.args, 0);
}
