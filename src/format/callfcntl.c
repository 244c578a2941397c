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

#define BIT(number) (UINT64_C(1) << (number))

static const struct callfcntl_struct structs[] = {
	/* F_GETLK, F_SETLK and F_SETLKW; those for offsets of 64 bits in programs of 32; F_OFD_. */
	{ &calltables_layout_flock, BIT(5) | BIT(6) | BIT(7), BIT(5) },
	{ &calltables_layout_flock64, BIT(12) | BIT(13) | BIT(14) | BIT(36) | BIT(37) | BIT(38),
	  BIT(12) | BIT(36) },
	/* F_SETOWN_EX and F_GETOWN_EX. */
	{ &calltables_layout_owner_ex, BIT(15) | BIT(16), BIT(16) },
};

const struct callfcntl_struct *callfcntl_struct(size_t i)
{
	return i < sizeof(structs) / sizeof(*structs) ? &structs[i] : NULL;
}

const struct calllayout *callfcntl_layout(uint64_t command)
{
	uint32_t number = (uint32_t)command;

	for (size_t i = 0; number < 64 && i < sizeof(structs) / sizeof(*structs); i++)
		if (structs[i].commands & BIT(number))
			return structs[i].layout;
	return NULL;
}

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
