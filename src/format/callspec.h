/*
 * callspec.h - system calls: their numbers and names by machine, and what their arguments are.
 *
 * A machine's programs enter the kernel in one of several ways, each with numbers of its own: that
 * is the ABI. Tables are made by the build, of calls/ and the system's headers (calltables.h). A
 * call of which only the name is known has arguments of six words.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/callcopy.h"

struct callnames;

/* Where members of structs lie. */
enum callspec_layout {
	CALLSPEC_LAYOUT_X86_64,
	CALLSPEC_LAYOUT_I386,
	CALLSPEC_LAYOUT_WIDE,   /* arm64, and whoever came late */
	CALLSPEC_LAYOUT_NARROW, /* arm */
	CALLSPEC_LAYOUTS,
};

/* What kind of value it is, wherever it lies. */
enum calltype_kind {
	CALLTYPE_SIGNED,
	CALLTYPE_UNSIGNED,
	CALLTYPE_HEX,
	CALLTYPE_OCTAL,
	CALLTYPE_POINTER, /* of which nothing more is known */
	CALLTYPE_NAMES,   /* of a table: struct callnames */
	CALLTYPE_FD,
	CALLTYPE_DIRFD,    /* or the folder that the process is in */
	CALLTYPE_LIMIT,    /* a number, or none at all */
	CALLTYPE_LOW,      /* 64 bits that lie in two arguments: the lower half, */
	CALLTYPE_HIGH,     /* and the upper one, which is shown with the lower */
	CALLTYPE_SOCKOPT,  /* of the level that is the argument before it */
	CALLTYPE_PROTOCOL, /* of the family that is two before it */
	CALLTYPE_FCNTL,    /* of the command that is the argument before it */
	CALLTYPE_WAIT,     /* how a child ended: wait(2) */
	/* Only in memory: */
	CALLTYPE_PATH,
	CALLTYPE_STRING,
	CALLTYPE_STRINGS,    /* an array of pointers to texts, the last is NULL */
	CALLTYPE_BUFFER,     /* bytes */
	CALLTYPE_TEXT,       /* a member that is a text */
	CALLTYPE_STRUCT,     /* struct calllayout */
	CALLTYPE_IOVEC_DATA, /* iovecs, and what they point at */
	CALLTYPE_MSGHDR,
	CALLTYPE_SOCKADDR,
	CALLTYPE_OPTION, /* a number, or bytes */
	CALLTYPE_FD_PAIR,
	CALLTYPE_FD_SET,
	CALLTYPE_SIGSET,
	CALLTYPE_CPUSET,
};

/* Is it the argument itself, or what lies where the argument points at: before, or afterwards? */
enum calltype_way {
	CALLTYPE_VALUE,
	CALLTYPE_IN,
	CALLTYPE_OUT,
	CALLTYPE_INOUT,
};

/* How many of it lie there. */
enum calltype_counted {
	CALLTYPE_ONE,
	CALLTYPE_FIXED,       /* .count */
	CALLTYPE_BY_ARGUMENT, /* the value of argument .count */
	CALLTYPE_BY_POINTED,  /* an int that argument .count points at says so */
	CALLTYPE_BY_RESULT,   /* as many as the call returned */
};

/* When it means anything at all: by the value of argument .condition_arg. */
enum calltype_condition {
	CALLTYPE_ALWAYS,
	CALLTYPE_ANY,    /* any of .condition_bits is set */
	CALLTYPE_NONE,   /* none is */
	CALLTYPE_ONE_OF, /* its lower seven bits are the number of one of them */
};

struct calltype {
	enum calltype_kind kind;
	enum calltype_way way;
	uint8_t size; /* of a number, bytes; 0: a word, or what holds it */
	enum calltype_counted counted;
	uint8_t count;
	enum calltype_condition condition;
	uint8_t condition_arg;
	uint32_t condition_bits;
	const void *table;
};

struct callmember {
	const char *name;
	uint16_t offset, size; /* bytes */
	bool is_detail;        /* others of its struct say more */
	struct calltype type;
};

struct calllayout {
	const char *name;
	struct {
		const struct callmember *members;
		size_t count, size; /* members; bytes of all */
	} variants[CALLSPEC_LAYOUTS];
};

/* For "-e file". */
enum callspec_group {
	CALLSPEC_FILE = 1 << 0,
	CALLSPEC_DESC = 1 << 1,
	CALLSPEC_NETWORK = 1 << 2,
	CALLSPEC_MEMORY = 1 << 3,
	CALLSPEC_PROCESS = 1 << 4,
	CALLSPEC_SIGNAL = 1 << 5,
	CALLSPEC_IPC = 1 << 6,
};

struct callarg {
	const char *name;
	struct calltype type;
};

enum { CALLSPEC_ARGS = 6 };

struct callspec {
	const char *name;
	uint8_t arg_count;
	bool is_known; /* what its arguments are */
	unsigned groups;
	struct calltype result;
	struct callarg args[CALLSPEC_ARGS];
};

/* NULL if there is no such call, or nothing is known of the machine. */
const struct callspec *callspec_find(enum callabi abi, uint64_t number);
/* The other way round: -ENOENT if the ABI has no call of that name. */
int callspec_number(enum callabi abi, const char *name);
/* One more than the highest number. */
size_t callspec_count(enum callabi abi);

/* Bytes of a pointer and a long, and where members of structs lie. */
size_t callspec_word(enum callabi abi);
enum callspec_layout callspec_layout(enum callabi abi);
/* The ABI of a machine's programs ("x86_64", as uname -m has it), of 64 or 32 bits; false: none
 * whose calls are known. */
bool callspec_abi(const char *machine, bool is_32, enum callabi *ret_abi);

/* "file" and so on: its bit; 0: there is no such group. */
unsigned callspec_group(const char *name);
/* Their names, one by one; NULL past the end. */
const char *callspec_group_name(size_t i);

/* Whether an argument means anything, with the others as they are. */
bool callspec_applies(const struct calltype *type, const uint64_t *args);
