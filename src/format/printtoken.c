/* printtoken.c - see printtoken.h. */
#include "format/printtoken.h"

#include <ctype.h>
#include <string.h>

static size_t sign_size(const char *at, const char *end)
{
	static const char *const pairs[] = { "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };

	for (size_t i = 0; end - at >= 2 && i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (memcmp(at, pairs[i], 2) == 0)
			return 2;
	}
	return strchr("+-*/%&|^~!<>=?:,(){}[]", *at) && *at ? 1 : 0;
}

/* 0 if it does not end. */
static size_t quoted_size(const char *at, const char *end)
{
	for (const char *next = at + 1; next < end; next++) {
		if (*next == *at)
			return (size_t)(next + 1 - at);
		if (*next == '\\')
			next++;
	}
	return 0;
}

static size_t word_size(const char *at, const char *end)
{
	size_t size = 0;

	while (at + size < end && (isalnum((unsigned char)at[size]) || at[size] == '_'))
		size++;
	return size;
}

static void set(struct printtoken *token, enum printtoken_kind kind, size_t size)
{
	token->kind = size ? kind : PRINTTOKEN_RUBBISH;
	token->size = size ? size : 1;
}

void printtoken_next(struct printtoken *token)
{
	const char *at = token->at, *end = token->end;

	while (at < end && isspace((unsigned char)*at))
		at++;
	token->text = at;
	if (at == end) {
		token->kind = PRINTTOKEN_END;
		token->size = 0;
	} else if (isalpha((unsigned char)*at) || *at == '_') {
		set(token, PRINTTOKEN_NAME, word_size(at, end));
	} else if (isdigit((unsigned char)*at)) {
		set(token, PRINTTOKEN_NUMBER, word_size(at, end));
	} else if (*at == '"' || *at == '\'') {
		set(token, *at == '"' ? PRINTTOKEN_TEXT : PRINTTOKEN_CHAR, quoted_size(at, end));
	} else {
		set(token, PRINTTOKEN_SIGN, sign_size(at, end));
	}
	token->at = at + token->size;
}

bool printtoken_is(const struct printtoken *token, const char *word)
{
	return token->size == strlen(word) && memcmp(token->text, word, token->size) == 0;
}

bool printtoken_take(struct printtoken *token, const char *sign)
{
	if (token->kind != PRINTTOKEN_SIGN || !printtoken_is(token, sign))
		return false;
	printtoken_next(token);
	return true;
}
