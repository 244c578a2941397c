/*
 * printexpr.h - the expressions that stand behind a tracepoint's print format, as trees.
 *
 *   REC->prev_state & 0xff ? __print_flags(REC->prev_state, "|", { 0x1, "S" }) : "R"
 *
 * This is the part of C that kernels write there: numbers and constants, REC->field and its
 * elements, casts, operators, and the calls __get_str() and the like, __print_flags() and the like,
 * sizeof(). What it means is in printvalue.h. A tree holds together: fields are there, an operator
 * has numbers on both sides and never texts, a call has as many arguments as it takes and of the
 * kind that it takes, and nothing is nested more than PRINTEXPR_DEPTH deep.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct tracefield;
struct tracefields;

enum { PRINTEXPR_DEPTH = 200 };

enum printexpr_kind {
	/* Numbers */
	PRINTEXPR_NUMBER,
	PRINTEXPR_CONSTANT, /* a name of the kernel's headers: its number is not told */
	PRINTEXPR_FIELD,
	PRINTEXPR_ARRAY,        /* __get_dynamic_array() */
	PRINTEXPR_ARRAY_LENGTH, /* __get_dynamic_array_len(): bytes */
	PRINTEXPR_CAST,
	PRINTEXPR_NEGATE, /* -x */
	PRINTEXPR_NOT,    /* !x */
	PRINTEXPR_INVERT, /* ~x */
	PRINTEXPR_INDEX,  /* left[right]; left is a field or an array, or a cast of one */
	PRINTEXPR_BINARY,
	PRINTEXPR_CHOICE, /* left ? right : third; a text if right and third are */
	/* Texts */
	PRINTEXPR_TEXT,
	PRINTEXPR_STRING,   /* __get_str() */
	PRINTEXPR_BITMASK,  /* __get_bitmask() */
	PRINTEXPR_CPUMASK,  /* __get_cpumask() */
	PRINTEXPR_FLAGS,    /* __print_flags(left, text, values) */
	PRINTEXPR_SYMBOLIC, /* __print_symbolic(left, values) */
	PRINTEXPR_HEX,      /* __print_hex(left, right): an array, bytes */
	PRINTEXPR_HEX_STR,
	PRINTEXPR_NUMBERS, /* __print_array(left, right, third): an array, count, bytes of one */
};

struct printexpr {
	enum printexpr_kind kind;
	int depth;        /* of the tree below it */
	bool is_unknown;  /* it has a constant in it whose number is not told */
	const char *text; /* of TEXT, CONSTANT, NUMBER; FLAGS: what separates; ends in a NUL */
	uint64_t number;
	char op[3];                     /* BINARY: as in C */
	unsigned cast_size;             /* CAST to a number: bytes; 0: leaves it as it is */
	unsigned target_size;           /* CAST to a pointer: bytes of what it points to */
	const struct tracefield *field; /* FIELD, ARRAY, STRING, ... */
	const struct printexpr *left, *right, *third;
	const struct printexpr_value *values; /* FLAGS, SYMBOLIC */
};

struct printexpr_value {
	const struct printexpr *number;
	const char *text; /* NULL: the list's end */
	const struct printexpr_value *next;
};

/* All expressions of a format, in their order. */
struct printexpr_list {
	const char *format; /* the text before them */
	const struct printexpr **items;
	size_t count, capacity;
};

/*
 * @text is what follows "print fmt: ". False if it is anything else. Trees and texts are in the
 * arena; the items are the caller's, to printexpr_list_done(), also where it fails.
 */
bool printexpr_parse(const char *text, size_t size, const struct tracefields *fields,
		     struct arena *arena, struct printexpr_list *ret_list);
void printexpr_list_done(struct printexpr_list *list);

/* Without the casts around it. */
const struct printexpr *printexpr_uncast(const struct printexpr *expr);

static inline bool printexpr_is_text(const struct printexpr *expr)
{
	return expr->kind >= PRINTEXPR_TEXT ||
	       (expr->kind == PRINTEXPR_CHOICE && expr->right->kind >= PRINTEXPR_TEXT);
}
