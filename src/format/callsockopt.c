/* callsockopt.c - values of socket options that are more than a number: see callmemory.h. */
#include "format/callmemory.h"
#include "format/calltables.h"

enum { ARG_LEVEL = 1, ARG_OPTION = 2 };

/* The kernel's numbers, which are the same on all machines that are known here. */
static const struct option {
	uint32_t level, number;
	const struct calllayout *layout; /* NULL: a text */
} options[] = {
	{ 1, 13, &calltables_layout_linger },    /* SO_LINGER */
	{ 1, 17, &calltables_layout_ucred },     /* SO_PEERCRED */
	{ 1, 20, &calltables_layout_timeval },   /* SO_RCVTIMEO, by a long */
	{ 1, 21, &calltables_layout_timeval },   /* SO_SNDTIMEO */
	{ 1, 66, &calltables_layout_timeval64 }, /* SO_RCVTIMEO */
	{ 1, 67, &calltables_layout_timeval64 }, /* SO_SNDTIMEO */
	{ 1, 25, NULL },                         /* SO_BINDTODEVICE */
	{ 6, 13, NULL },                         /* TCP_CONGESTION */
	{ 6, 31, NULL },                         /* TCP_ULP */
};

static const struct option *find(const struct callcase *call)
{
	const uint64_t *args = call->enter->args;

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].level == (uint32_t)args[ARG_LEVEL] &&
		    options[i].number == (uint32_t)args[ARG_OPTION])
			return &options[i];
	return NULL;
}

void callsockopt_add(struct callvalues *values, const char *name, const struct callcase *call,
		     const struct callmemory *memory)
{
	const struct option *option = call->enter ? find(call) : NULL;
	struct calltype type = { .kind = CALLTYPE_SIGNED, .size = 4 };

	if (option && option->layout) {
		type = (struct calltype){ .kind = CALLTYPE_STRUCT, .table = option->layout };
		callstruct_add(values, &type, name, call->abi, memory);
	} else if (!option && memory->size == 4) {
		callmemory_list(values, &type, name, call->abi, memory);
	} else {
		callmemory_text(values, name, memory, false);
	}
}
