/* callvalues.c - see callvalues.h. */
#include "format/callvalues.h"

#include <string.h>

#include "base/mem.h"
#include "format/callfcntl.h"
#include "format/callmemory.h"
#include "format/callnames.h"
#include "format/calltables.h"

struct callvalue *callvalues_add(struct callvalues *values, enum callvalue_kind kind,
				 const char *name)
{
	struct callvalue *value;

	grow(values);
	value = &values->items[values->count++];
	*value = (struct callvalue){ .kind = kind, .name = name };
	return value;
}

/* Tables for values whose meaning another argument tells. */
struct dependent {
	uint64_t on;
	const struct callnames *names;
};

static const struct dependent options[] = {
	{ 1, &calltables_so_socket }, { 0, &calltables_so_ip },        { 41, &calltables_so_ipv6 },
	{ 6, &calltables_so_tcp },    { 270, &calltables_so_netlink }, { UINT64_MAX, NULL },
};

static const struct dependent protocols[] = {
	{ 2, &calltables_ipproto },
	{ 10, &calltables_ipproto },
	{ 16, &calltables_netlink },
	{ UINT64_MAX, NULL },
};

static void add_dependent(struct callvalues *values, const struct callarg *arg, uint64_t number,
			  const struct dependent *tables, uint64_t on)
{
	struct callvalue *value;

	while (tables->names && tables->on != (uint32_t)on)
		tables++;
	value = callvalues_add(values, tables->names ? CALLVALUE_NAMES : CALLVALUE_SIGNED,
			       arg->name);
	value->names = tables->names;
	value->number = (uint64_t)(int64_t)(int32_t)number;
}

/* How many of it there are in all, whatever was copied. */
static uint64_t total_of(const struct callcase *call, const struct calltype *type,
			 const struct callitem *item)
{
	return item->head.more > item->head.size ? item->head.more : item->head.size;
}

/* What was copied of the memory that an argument points at. */
static bool add_memory(struct callvalues *values, const struct callcase *call, unsigned number,
		       const struct calltype *type, const struct callitems *items)
{
	const struct callarg *arg = &call->spec->args[number];
	struct callmemory memory;
	struct callitem item;

	if (!items || (!callitems_find(items, number, CALLCOPY_BYTES, &item) &&
		       !callitems_find(items, number, CALLCOPY_STRING, &item)))
		return false;
	memory = (struct callmemory){ item.bytes, item.head.size, total_of(call, type, &item) };
	return callmemory_add(values, type, arg->name, call, number, items, &memory);
}

/* From the exit, where that tells it, else from the entry: memory that is not there yet when a call
 * begins is copied when it ends. */
static void add_pointed(struct callvalues *values, const struct callcase *call, unsigned number,
			const struct calltype *type)
{
	const struct callarg *arg = &call->spec->args[number];

	if (add_memory(values, call, number, type, call->exit))
		return;
	if (add_memory(values, call, number, type, call->enter))
		return;
	callvalues_add(values, CALLVALUE_POINTER, arg->name)->number = call->enter->args[number];
}

static void add_fcntl(struct callvalues *values, const struct callcase *call, unsigned number)
{
	uint64_t command = call->enter->args[number - 1];
	const struct calltype type = { .kind = CALLTYPE_STRUCT,
				       .table = callfcntl_layout(command) };

	if (type.table)
		add_pointed(values, call, number, &type);
	else
		callfcntl_arg(values, call->spec->args[number].name, call->abi, command,
			      call->enter->args[number]);
}

static void add_plain(struct callvalues *values, const struct callcase *call, unsigned number)
{
	const struct callarg *arg = &call->spec->args[number];
	const struct calltype *type = &arg->type;
	uint64_t value = call->enter->args[number];
	size_t at = values->count;

	if (type->kind == CALLTYPE_HIGH)
		return;
	if (type->kind == CALLTYPE_SOCKOPT && number >= 1) {
		add_dependent(values, arg, value, options, call->enter->args[number - 1]);
	} else if (type->kind == CALLTYPE_PROTOCOL && number >= 2) {
		add_dependent(values, arg, value, protocols, call->enter->args[number - 2]);
	} else if (type->kind == CALLTYPE_FCNTL && number >= 1) {
		add_fcntl(values, call, number);
	} else if (type->kind == CALLTYPE_LOW) {
		value = (uint32_t)value;
		if (number + 1 < CALLSPEC_ARGS)
			value |= call->enter->args[number + 1] << 32;
		callvalues_add(values, CALLVALUE_SIGNED, arg->name)->number = value;
	} else {
		callmemory_number(values, type, arg->name, call->abi, value);
		if (values->items[at].kind == CALLVALUE_FD && call->paths)
			values->items[at].text = call->paths[number];
	}
}

static void begin(struct callvalues *values, const struct callcase *call)
{
	values->count = 0;
	values->more = call->more;
	arena_done(&values->texts);
}

/* Parts stand behind what they are of: so theirs are known first. */
static void set_spans(struct callvalues *values)
{
	for (size_t i = values->count; i-- > 0;) {
		struct callvalue *value = &values->items[i];

		value->span = 1;
		for (size_t part = 0; part < value->count; part++)
			value->span += value[value->span].span;
	}
}

void callvalues_args(struct callvalues *values, const struct callcase *call,
		     enum callvalues_which which)
{
	begin(values, call);
	for (unsigned i = 0; i < call->spec->arg_count; i++) {
		const struct calltype *type = &call->spec->args[i].type;

		if (which == CALLVALUES_LATE && type->way != CALLTYPE_OUT &&
		    type->way != CALLTYPE_INOUT)
			continue;
		if (!callspec_applies(type, call->enter->args))
			continue;
		if (type->way == CALLTYPE_VALUE)
			add_plain(values, call, i);
		else
			add_pointed(values, call, i, type);
	}
	set_spans(values);
}

void callvalues_result(struct callvalues *values, const struct callcase *call)
{
	const struct callarg *args = call->spec->args;
	uint64_t result = (uint64_t)call->exit->result;
	size_t at;

	begin(values, call);
	at = values->count;
	if (call->enter && call->spec->arg_count == 3 && args[2].type.kind == CALLTYPE_FCNTL)
		callfcntl_result(values, call->abi, call->enter->args[1], result);
	else
		callmemory_number(values, &call->spec->result, NULL, call->abi, result);
	if (values->items[at].kind == CALLVALUE_FD && call->paths)
		values->items[at].text = call->paths[CALLCASE_RESULT];
	set_spans(values);
}

void callvalues_done(struct callvalues *values)
{
	free(values->items);
	arena_done(&values->texts);
	*values = (struct callvalues){ 0 };
}
