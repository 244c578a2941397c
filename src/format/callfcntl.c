/* callfcntl.c - see callfcntl.h. */
#include "format/callfcntl.h"

#include <stddef.h>

#include "format/callmemory.h"
#include "format/callnames.h"
#include "format/calltables.h"
#include "format/callvalues.h"

/* What a command takes or returns. */
enum shape {
	NOTHING,
	NUMBER,
	FILE_NUMBER,
	NAMES,
};

/* The kernel's numbers, which are the same on all machines. */
static const struct command {
	uint32_t number;
	enum shape takes, returns;
	const struct callnames *names;
} commands[] = {
	{ 0, NUMBER, FILE_NUMBER, NULL },                /* F_DUPFD */
	{ 1, NOTHING, NAMES, &calltables_fd_flags },     /* F_GETFD */
	{ 2, NAMES, NUMBER, &calltables_fd_flags },      /* F_SETFD */
	{ 3, NOTHING, NAMES, &calltables_open },         /* F_GETFL */
	{ 4, NAMES, NUMBER, &calltables_open },          /* F_SETFL */
	{ 8, NUMBER, NUMBER, NULL },                     /* F_SETOWN */
	{ 9, NOTHING, NUMBER, NULL },                    /* F_GETOWN */
	{ 10, NAMES, NUMBER, &calltables_signal },       /* F_SETSIG */
	{ 11, NOTHING, NAMES, &calltables_signal },      /* F_GETSIG */
	{ 1024, NAMES, NUMBER, &calltables_lock_type },  /* F_SETLEASE */
	{ 1025, NOTHING, NAMES, &calltables_lock_type }, /* F_GETLEASE */
	{ 1030, NUMBER, FILE_NUMBER, NULL },             /* F_DUPFD_CLOEXEC */
	{ 1031, NUMBER, NUMBER, NULL },                  /* F_SETPIPE_SZ */
	{ 1032, NOTHING, NUMBER, NULL },                 /* F_GETPIPE_SZ */
	{ 1033, NAMES, NUMBER, &calltables_seal },       /* F_ADD_SEALS */
	{ 1034, NOTHING, NAMES, &calltables_seal },      /* F_GET_SEALS */
};

static const struct command *find(uint64_t command)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (commands[i].number == (uint32_t)command)
			return &commands[i];
	return NULL;
}

static void add(struct callvalues *values, const char *name, enum callabi abi, enum shape shape,
		const struct callnames *names, uint64_t number)
{
	struct calltype type = { .kind = CALLTYPE_SIGNED, .size = 4 };

	if (shape == FILE_NUMBER)
		type.kind = CALLTYPE_FD;
	if (shape == NAMES) {
		type.kind = CALLTYPE_NAMES;
		type.table = names;
	}
	callmemory_number(values, &type, name, abi, number);
}

void callfcntl_arg(struct callvalues *values, const char *name, enum callabi abi, uint64_t command,
		   uint64_t number)
{
	const struct command *known = find(command);

	if (!known)
		callvalues_add(values, CALLVALUE_HEX, name)->number = number;
	else if (known->takes != NOTHING)
		add(values, name, abi, known->takes, known->names, number);
}

void callfcntl_result(struct callvalues *values, enum callabi abi, uint64_t command,
		      uint64_t number)
{
	const struct command *known = find(command);

	if (known)
		add(values, NULL, abi, known->returns, known->names, number);
	else
		add(values, NULL, abi, NUMBER, NULL, number);
}
