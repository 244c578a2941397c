/* printparser.c - see printparser.h. */
#include "format/printparser.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/tracefields.h"

struct printexpr *printparser_new(struct printparser *parser, enum printexpr_kind kind)
{
	struct printexpr *expr = arena_alloc(parser->arena, sizeof(*expr));

	*expr = (struct printexpr){ .kind = kind };
	return expr;
}

const struct printexpr *printparser_bounded(struct printexpr *expr)
{
	const struct printexpr *const below[] = { expr->left, expr->right, expr->third };

	for (size_t i = 0; i < 3 && below[i]; i++) {
		if (expr->depth < below[i]->depth)
			expr->depth = below[i]->depth;
		expr->is_unknown |= below[i]->is_unknown;
	}
	return expr->depth++ < PRINTEXPR_DEPTH ? expr : NULL;
}

bool printparser_take(struct printparser *parser, const char *sign)
{
	return printtoken_take(&parser->token, sign);
}

char *printparser_copy(struct printparser *parser)
{
	return arena_strndup(parser->arena, parser->token.text, parser->token.size);
}

static char unescape(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	default:
		return c;
	}
}

void printparser_add_quoted(struct str *text, const struct printtoken *token)
{
	for (size_t i = 1; i + 1 < token->size; i++) {
		char c = token->text[i];

		if (c == '\\' && i + 2 < token->size)
			c = unescape(token->text[++i]);
		str_add_char(text, c);
	}
}

const char *printparser_text(struct printparser *parser)
{
	_cleanup_(str_done) struct str text = { 0 };

	if (parser->token.kind != PRINTTOKEN_TEXT)
		return NULL;
	for (; parser->token.kind == PRINTTOKEN_TEXT; printtoken_next(&parser->token))
		printparser_add_quoted(&text, &parser->token);
	return arena_strdup(parser->arena, str_text(&text));
}

const struct tracefield *printparser_field(struct printparser *parser)
{
	const struct tracefield *field;

	if (parser->token.kind != PRINTTOKEN_NAME)
		return NULL;
	field = tracefields_find(parser->fields, printparser_copy(parser));
	printtoken_next(&parser->token);
	return field;
}

bool printparser_take_type(struct printparser *parser, struct printparser_type *ret_type)
{
	_cleanup_(str_done) struct str words = { 0 };
	struct printtoken before = parser->token;
	unsigned stars = 0;

	while (parser->token.kind == PRINTTOKEN_NAME) {
		if (!printtoken_is(&parser->token, "const")) {
			str_add(&words, words.size ? " " : "");
			str_add_bytes(&words, parser->token.text, parser->token.size);
		}
		printtoken_next(&parser->token);
	}
	while (words.size && printparser_take(parser, "*"))
		stars++;
	if (words.size == 0 || !printparser_take(parser, ")")) {
		parser->token = before;
		return false;
	}
	*ret_type = (struct printparser_type){ .size = tracefields_type_size(parser->fields,
									     words.text) };
	if (stars) {
		ret_type->pointed = ret_type->size;
		ret_type->size = parser->fields->long_size;
	}
	return true;
}

bool printparser_is_array(const struct printexpr *expr)
{
	expr = expr ? printexpr_uncast(expr) : NULL;
	return expr && (expr->kind == PRINTEXPR_FIELD || expr->kind == PRINTEXPR_ARRAY);
}
