/*
 * printparser.h - what the parts of the parser of print formats share; for printexpr.c and
 * printcall.c. An expression that is none is NULL.
 */
#pragma once

#include <stdbool.h>

#include "format/printexpr.h"
#include "format/printtoken.h"

struct str;

struct printparser {
	struct printtoken token; /* the next one */
	const struct tracefields *fields;
	struct arena *arena;
	int depth;
};

/* A type in parentheses. */
struct printparser_type {
	unsigned size;    /* bytes of the type itself; 0 if unknown */
	unsigned pointed; /* of a pointer: those of what it points to */
};

/* In the arena. */
struct printexpr *printparser_new(struct printparser *parser, enum printexpr_kind kind);
/* The expression, or NULL where it is nested too deep: who evaluates it walks down by recursion. */
const struct printexpr *printparser_bounded(struct printexpr *expr);

bool printparser_take(struct printparser *parser, const char *sign);
/* The token's text, ended by a NUL. */
char *printparser_copy(struct printparser *parser);
/* What stands between quotes. */
void printparser_add_quoted(struct str *text, const struct printtoken *token);
/* One text, or several that C puts together; NULL if there is none. */
const char *printparser_text(struct printparser *parser);
/* The field whose name is next. */
const struct tracefield *printparser_field(struct printparser *parser);
/* "(unsigned long long)", "(void *)": words, stars, the parenthesis. Else nothing is taken. */
bool printparser_take_type(struct printparser *parser, struct printparser_type *ret_type);

const struct printexpr *printexpr_expression(struct printparser *parser);
/* An expression that is a number. */
const struct printexpr *printexpr_constant(struct printparser *parser);
/* An array of bytes: what __print_hex() and an index take. */
bool printparser_is_array(const struct printexpr *expr);

/* The rest of a call behind its parenthesis. */
const struct printexpr *printcall_parse(struct printparser *parser, const struct printtoken *name);
