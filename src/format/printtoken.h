/* printtoken.h - the words of C that a print format is made of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum printtoken_kind {
	PRINTTOKEN_END,
	PRINTTOKEN_NAME,
	PRINTTOKEN_NUMBER,
	PRINTTOKEN_TEXT, /* with its quotes */
	PRINTTOKEN_CHAR, /* with its quotes */
	PRINTTOKEN_SIGN,
	PRINTTOKEN_RUBBISH,
};

struct printtoken {
	const char *at, *end; /* what is behind the token */
	enum printtoken_kind kind;
	const char *text;
	size_t size;
};

/* Moves to the next token; before the first, only @at and @end are set. */
void printtoken_next(struct printtoken *token);

bool printtoken_is(const struct printtoken *token, const char *word);
/* Moves on if it is that sign. */
bool printtoken_take(struct printtoken *token, const char *sign);
