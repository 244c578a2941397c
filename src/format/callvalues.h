/*
 * callvalues.h - what a system call was called with, and what it returned, as a tree of values.
 *
 * A pure function of the call's two records. Values lie one behind the other, each before its
 * parts: a struct's members, a list's elements. What points into memory of which nothing was copied
 * is a pointer.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "format/callitems.h"
#include "format/callspec.h"

struct callnames_more;

enum callvalue_kind {
	CALLVALUE_SIGNED,
	CALLVALUE_UNSIGNED,
	CALLVALUE_HEX,
	CALLVALUE_OCTAL,
	CALLVALUE_POINTER, /* 0 is NULL */
	CALLVALUE_NAMES,   /* .names tells */
	CALLVALUE_WORD,    /* .text is a word for the number, or for more than a number */
	CALLVALUE_TEXT,    /* .text are bytes of the program's */
	CALLVALUE_FD,      /* .text is its path, or NULL */
	CALLVALUE_STRUCT,  /* .count members follow, with their parts */
	CALLVALUE_LIST,    /* .count elements do */
	CALLVALUE_ALL_BUT, /* a list of those that are not in it */
};

struct callvalue {
	enum callvalue_kind kind;
	bool is_cut;      /* there is more of a text, or a list */
	bool is_detail;   /* of a struct, a member that says less than others */
	const char *name; /* of an argument or a member; NULL: an element */
	uint64_t number;  /* a signed one has its sign in all bits */
	const struct callnames *names;
	const char *text; /* of names and words that have a prefix, with it */
	size_t size;      /* bytes of a text */
	size_t count;     /* of parts, not counting parts of those */
	size_t span;      /* of values that it is, with all its parts: the next begins there */
};

/* Starts as { 0 }. What values borrow lives as long as the records and this. */
struct callvalues {
	struct callvalue *items;
	size_t count, capacity;
	struct arena texts;
	struct callnames_more *more; /* of the call whose values are made; or NULL */
};

/* The files of a call's descriptors. */
enum callcase_path {
	CALLCASE_RESULT = CALLCOPY_ARGS, /* after those of the arguments */
	CALLCASE_PAIR,                   /* two that the call made */
	CALLCASE_PATHS = CALLCASE_PAIR + 2,
};

struct callcase {
	const struct callspec *spec;
	enum callabi abi;
	const struct callitems *enter;
	const struct callitems *exit; /* NULL: it has not returned */
	const char *const *paths;     /* CALLCASE_PATHS of them, NULL where there is none */
	struct callnames_more *more;  /* names beyond those of the tables; or NULL */
};

/* Which arguments are wanted. */
enum callvalues_which {
	CALLVALUES_ALL,
	CALLVALUES_LATE, /* those that are known at the exit only */
};

/* The arguments that mean anything, in their order, in place of what was there before. */
void callvalues_args(struct callvalues *values, const struct callcase *call,
		     enum callvalues_which which);
/* What it returned, if that is no error: one value with its parts. */
void callvalues_result(struct callvalues *values, const struct callcase *call);
void callvalues_done(struct callvalues *values);

/* Adds a value, for those who make them. */
struct callvalue *callvalues_add(struct callvalues *values, enum callvalue_kind kind,
				 const char *name);
