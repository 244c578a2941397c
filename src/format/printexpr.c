/* printexpr.c - see printexpr.h. A recursive descent; NULL is an expression that is none. */
#include "format/printexpr.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/printparser.h"
#include "format/tracefields.h"

static const struct printexpr *parse_operand(struct printparser *parser);

static const struct printexpr *parse_number(struct printparser *parser)
{
	struct printexpr *expr = printparser_new(parser, PRINTEXPR_NUMBER);

	expr->text = printparser_copy(parser);
	expr->number = strtoull(expr->text, NULL, 0);
	printtoken_next(&parser->token);
	return expr;
}

static const struct printexpr *parse_char(struct printparser *parser)
{
	_cleanup_(str_done) struct str text = { 0 };
	struct printexpr *expr = printparser_new(parser, PRINTEXPR_NUMBER);

	printparser_add_quoted(&text, &parser->token);
	expr->text = arena_strdup(parser->arena, str_text(&text));
	expr->number = (unsigned char)expr->text[0];
	printtoken_next(&parser->token);
	return expr;
}

/* NOLINTBEGIN(misc-no-recursion): PRINTEXPR_DEPTH deep at most */

const struct printexpr *printexpr_constant(struct printparser *parser)
{
	const struct printexpr *expr = printexpr_expression(parser);

	return expr && !printexpr_is_text(expr) ? expr : NULL;
}

/* Behind REC. */
static const struct printexpr *parse_field(struct printparser *parser)
{
	struct printexpr *expr = printparser_new(parser, PRINTEXPR_FIELD);

	if (!printparser_take(parser, "->"))
		return NULL;
	expr->field = printparser_field(parser);
	return expr->field ? expr : NULL;
}

/* Names whose numbers are the same in every kernel. */
static bool find_constant(const char *name, uint64_t *ret_number)
{
	static const struct {
		const char *name;
		uint64_t number;
	} constants[] = {
		{ "NULL", 0 },
		{ "HI_SOFTIRQ", 0 },
		{ "TIMER_SOFTIRQ", 1 },
		{ "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },
		{ "BLOCK_SOFTIRQ", 4 },
		{ "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 },
		{ "SCHED_SOFTIRQ", 7 },
		{ "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },
		{ "HRTIMER_NORESTART", 0 },
		{ "HRTIMER_RESTART", 1 },
	};

	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		if (strcmp(name, constants[i].name) == 0) {
			*ret_number = constants[i].number;
			return true;
		}
	}
	return false;
}

/* REC->field, a constant, or a call. */
static const struct printexpr *parse_name(struct printparser *parser)
{
	struct printtoken name = parser->token;
	struct printexpr *expr;
	const char *text = printparser_copy(parser);

	printtoken_next(&parser->token);
	if (printtoken_is(&name, "REC"))
		return parse_field(parser);
	if (printparser_take(parser, "("))
		return printcall_parse(parser, &name);
	expr = printparser_new(parser, PRINTEXPR_CONSTANT);
	expr->text = text;
	expr->is_unknown = !find_constant(text, &expr->number);
	return expr;
}

/* What can stand behind a cast: "(x) - 1" has none. */
static bool begins_operand(const struct printtoken *token)
{
	return token->kind != PRINTTOKEN_END && token->kind != PRINTTOKEN_RUBBISH &&
	       (token->kind != PRINTTOKEN_SIGN || printtoken_is(token, "("));
}

/* A cast with what it is of, or an expression in parentheses. */
static const struct printexpr *parse_parentheses(struct printparser *parser)
{
	struct printtoken inside = parser->token;
	const struct printexpr *expr;
	struct printparser_type type;

	if (printparser_take_type(parser, &type) &&
	    (begins_operand(&parser->token) || type.pointed || type.size)) {
		struct printexpr *cast = printparser_new(parser, PRINTEXPR_CAST);

		cast->left = parse_operand(parser);
		cast->cast_size = type.pointed ? 0 : type.size;
		cast->target_size = type.pointed;
		return cast->left && !printexpr_is_text(cast->left) ? printparser_bounded(cast)
								    : NULL;
	}
	parser->token = inside;
	/* "(REC)->field": the macro's argument came in parentheses. */
	if (printtoken_is(&parser->token, "REC")) {
		printtoken_next(&parser->token);
		if (printparser_take(parser, ")"))
			return parse_field(parser);
		parser->token = inside;
	}
	expr = printexpr_expression(parser);
	return printparser_take(parser, ")") ? expr : NULL;
}

static const struct printexpr *parse_primary(struct printparser *parser)
{
	struct printexpr *expr;
	const char *text;

	switch (parser->token.kind) {
	case PRINTTOKEN_NAME:
		return parse_name(parser);
	case PRINTTOKEN_NUMBER:
		return parse_number(parser);
	case PRINTTOKEN_CHAR:
		return parse_char(parser);
	case PRINTTOKEN_TEXT:
		text = printparser_text(parser);
		expr = printparser_new(parser, PRINTEXPR_TEXT);
		expr->text = text;
		return expr;
	default:
		return printparser_take(parser, "(") ? parse_parentheses(parser) : NULL;
	}
}

static const struct printexpr *parse_unary(struct printparser *parser, enum printexpr_kind kind)
{
	struct printexpr *expr = printparser_new(parser, kind);

	expr->left = parse_operand(parser);
	return expr->left && !printexpr_is_text(expr->left) ? printparser_bounded(expr) : NULL;
}

static const struct printexpr *parse_signed(struct printparser *parser)
{
	if (printparser_take(parser, "-"))
		return parse_unary(parser, PRINTEXPR_NEGATE);
	if (printparser_take(parser, "!"))
		return parse_unary(parser, PRINTEXPR_NOT);
	if (printparser_take(parser, "~"))
		return parse_unary(parser, PRINTEXPR_INVERT);
	return parse_primary(parser);
}

/* With what stands before and behind it: "-x", "!x", "x[2]". */
static const struct printexpr *parse_operand(struct printparser *parser)
{
	const struct printexpr *expr;

	if (parser->depth == PRINTEXPR_DEPTH)
		return NULL;
	parser->depth++;
	expr = parse_signed(parser);
	while (expr && printparser_take(parser, "[")) {
		struct printexpr *index = printparser_new(parser, PRINTEXPR_INDEX);

		index->left = expr;
		index->right = printparser_is_array(expr) ? printexpr_constant(parser) : NULL;
		expr = index->right && printparser_take(parser, "]") ? printparser_bounded(index)
								     : NULL;
	}
	parser->depth--;
	return expr;
}

/* How strongly an operator binds, as in C; 0: the token is none. */
static int strength(const struct printtoken *token)
{
	static const char *const operators[][5] = {
		{ "||" },
		{ "&&" },
		{ "|" },
		{ "^" },
		{ "&" },
		{ "==", "!=" },
		{ "<", ">", "<=", ">=" },
		{ "<<", ">>" },
		{ "+", "-" },
		{ "*", "/", "%" },
	};

	for (int i = 0; token->kind == PRINTTOKEN_SIGN && i < 10; i++) {
		for (const char *const *op = operators[i]; *op; op++) {
			if (printtoken_is(token, *op))
				return i + 1;
		}
	}
	return 0;
}

/* Operands and operators that bind more strongly than @outer. */
static const struct printexpr *parse_binary(struct printparser *parser, int outer)
{
	const struct printexpr *left = parse_operand(parser);
	int inner;

	while (left && (inner = strength(&parser->token)) > outer) {
		struct printexpr *expr = printparser_new(parser, PRINTEXPR_BINARY);

		memcpy(expr->op, parser->token.text, parser->token.size);
		printtoken_next(&parser->token);
		expr->left = left;
		expr->right = parse_binary(parser, inner);
		if (!expr->right || printexpr_is_text(left) || printexpr_is_text(expr->right))
			return NULL;
		left = printparser_bounded(expr);
	}
	return left;
}

static const struct printexpr *parse_choice(struct printparser *parser,
					    const struct printexpr *condition)
{
	struct printexpr *expr = printparser_new(parser, PRINTEXPR_CHOICE);

	expr->left = condition;
	expr->right = printexpr_expression(parser);
	expr->third =
		expr->right && printparser_take(parser, ":") ? printexpr_expression(parser) : NULL;
	return expr->third && !printexpr_is_text(condition) ? printparser_bounded(expr) : NULL;
}

const struct printexpr *printexpr_expression(struct printparser *parser)
{
	const struct printexpr *expr;

	if (parser->depth == PRINTEXPR_DEPTH)
		return NULL;
	parser->depth++;
	expr = parse_binary(parser, 0);
	if (expr && printparser_take(parser, "?"))
		expr = parse_choice(parser, expr);
	parser->depth--;
	return expr;
}

/* NOLINTEND(misc-no-recursion) */

const struct printexpr *printexpr_uncast(const struct printexpr *expr)
{
	while (expr->kind == PRINTEXPR_CAST)
		expr = expr->left;
	return expr;
}

bool printexpr_parse(const char *text, size_t size, const struct tracefields *fields,
		     struct arena *arena, struct printexpr_list *ret_list)
{
	struct printparser parser = { { .at = text, .end = text + size }, fields, arena, 0 };

	*ret_list = (struct printexpr_list){ 0 };
	printtoken_next(&parser.token);
	ret_list->format = printparser_text(&parser);
	if (!ret_list->format)
		return false;
	while (printparser_take(&parser, ",")) {
		const struct printexpr *expr = printexpr_expression(&parser);

		if (!expr)
			return false;
		grow(ret_list);
		ret_list->items[ret_list->count++] = expr;
	}
	return parser.token.kind == PRINTTOKEN_END;
}

void printexpr_list_done(struct printexpr_list *list)
{
	free(list->items);
	*list = (struct printexpr_list){ 0 };
}
