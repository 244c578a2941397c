/* printexpr.c - see printexpr.h. A recursive descent; NULL is an expression that is none. */
#include "format/printexpr.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/printtoken.h"
#include "format/tracefields.h"

struct parser {
	struct printtoken token;
	const struct tracefields *fields;
	struct arena *arena;
	int depth;
};

/* A type in parentheses. */
struct type {
	unsigned size;    /* bytes of the type itself; 0 if unknown */
	unsigned pointed; /* of a pointer: those of what it points to */
};

static const struct printexpr *parse_expression(struct parser *parser);
static const struct printexpr *parse_operand(struct parser *parser);

static struct printexpr *new_expr(struct parser *parser, enum printexpr_kind kind)
{
	struct printexpr *expr = arena_alloc(parser->arena, sizeof(*expr));

	*expr = (struct printexpr){ .kind = kind };
	return expr;
}

/* The expression, or NULL where it is nested too deep: who evaluates it walks down by recursion. */
static const struct printexpr *bounded(struct printexpr *expr)
{
	const struct printexpr *const below[] = { expr->left, expr->right, expr->third };

	for (size_t i = 0; i < 3 && below[i]; i++) {
		if (expr->depth < below[i]->depth)
			expr->depth = below[i]->depth;
		expr->is_unknown |= below[i]->is_unknown;
	}
	return expr->depth++ < PRINTEXPR_DEPTH ? expr : NULL;
}

static bool take_sign(struct parser *parser, const char *sign)
{
	return printtoken_take(&parser->token, sign);
}

/* The token's text, ended by a NUL. */
static char *copy_token(struct parser *parser)
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

static void add_quoted(struct str *text, const struct printtoken *token)
{
	for (size_t i = 1; i + 1 < token->size; i++) {
		char c = token->text[i];

		if (c == '\\' && i + 2 < token->size)
			c = unescape(token->text[++i]);
		str_add_char(text, c);
	}
}

/* One text, or several that C puts together; NULL if there is none. */
static const char *take_text(struct parser *parser)
{
	_cleanup_(str_done) struct str text = { 0 };

	if (parser->token.kind != PRINTTOKEN_TEXT)
		return NULL;
	for (; parser->token.kind == PRINTTOKEN_TEXT; printtoken_next(&parser->token))
		add_quoted(&text, &parser->token);
	return arena_strdup(parser->arena, str_text(&text));
}

static const struct printexpr *parse_number(struct parser *parser)
{
	struct printexpr *expr = new_expr(parser, PRINTEXPR_NUMBER);

	expr->text = copy_token(parser);
	expr->number = strtoull(expr->text, NULL, 0);
	printtoken_next(&parser->token);
	return expr;
}

static const struct printexpr *parse_char(struct parser *parser)
{
	_cleanup_(str_done) struct str text = { 0 };
	struct printexpr *expr = new_expr(parser, PRINTEXPR_NUMBER);

	add_quoted(&text, &parser->token);
	expr->text = arena_strdup(parser->arena, str_text(&text));
	expr->number = (unsigned char)expr->text[0];
	printtoken_next(&parser->token);
	return expr;
}

/* NOLINTBEGIN(misc-no-recursion): PRINTEXPR_DEPTH deep at most */

static const struct printexpr *take_number(struct parser *parser)
{
	const struct printexpr *expr = parse_expression(parser);

	return expr && !printexpr_is_text(expr) ? expr : NULL;
}

/* The field whose name is next. */
static const struct tracefield *take_field(struct parser *parser)
{
	const struct tracefield *field;

	if (parser->token.kind != PRINTTOKEN_NAME)
		return NULL;
	field = tracefields_find(parser->fields, copy_token(parser));
	printtoken_next(&parser->token);
	return field;
}

/* "(unsigned long long)", "(void *)": words, stars, the parenthesis. Else nothing is taken. */
static bool take_type(struct parser *parser, struct type *ret_type)
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
	while (words.size && take_sign(parser, "*"))
		stars++;
	if (words.size == 0 || !take_sign(parser, ")")) {
		parser->token = before;
		return false;
	}
	*ret_type = (struct type){ .size = tracefields_type_size(parser->fields, words.text) };
	if (stars) {
		ret_type->pointed = ret_type->size;
		ret_type->size = parser->fields->long_size;
	}
	return true;
}

/* ", { 1 << 2, "text" }, ..." up to the call's end; there may be none. */
static bool take_values(struct parser *parser, const struct printexpr_value **ret_values)
{
	const struct printexpr_value **last = ret_values;

	*last = NULL;
	while (take_sign(parser, ",")) {
		struct printexpr_value *value = arena_alloc(parser->arena, sizeof(*value));

		*value = (struct printexpr_value){ 0 };
		if (!take_sign(parser, "{") || !(value->number = take_number(parser)) ||
		    !take_sign(parser, ","))
			return false;
		value->text = take_text(parser);
		/* A list may end in { -1, NULL }. */
		if ((!value->text && !take_number(parser)) || !take_sign(parser, "}"))
			return false;
		*last = value;
		last = &value->next;
	}
	return take_sign(parser, ")");
}

/* An array of bytes: what __print_hex() and an index take. */
static bool is_array(const struct printexpr *expr)
{
	expr = expr ? printexpr_uncast(expr) : NULL;
	return expr && (expr->kind == PRINTEXPR_FIELD || expr->kind == PRINTEXPR_ARRAY);
}

static const struct printexpr *parse_array_call(struct parser *parser, enum printexpr_kind kind)
{
	struct printexpr *expr = new_expr(parser, kind);

	expr->left = take_number(parser);
	if (!is_array(expr->left) || !take_sign(parser, ","))
		return NULL;
	expr->right = take_number(parser);
	if (!expr->right)
		return NULL;
	if (kind == PRINTEXPR_NUMBERS) {
		expr->third = take_sign(parser, ",") ? take_number(parser) : NULL;
		if (!expr->third)
			return NULL;
	}
	return take_sign(parser, ")") ? bounded(expr) : NULL;
}

static const struct printexpr *parse_values_call(struct parser *parser, enum printexpr_kind kind)
{
	struct printexpr *expr = new_expr(parser, kind);

	expr->left = take_number(parser);
	if (!expr->left)
		return NULL;
	if (kind == PRINTEXPR_FLAGS &&
	    (!take_sign(parser, ",") || !(expr->text = take_text(parser))))
		return NULL;
	return take_values(parser, &expr->values) ? bounded(expr) : NULL;
}

static const struct printexpr *parse_field_call(struct parser *parser, enum printexpr_kind kind)
{
	struct printexpr *expr = new_expr(parser, kind);

	expr->field = take_field(parser);
	if (!expr->field || !expr->field->is_dynamic)
		return NULL;
	return take_sign(parser, ")") ? expr : NULL;
}

/* sizeof(u64), sizeof(REC->buf) */
static const struct printexpr *parse_sizeof(struct parser *parser)
{
	struct printexpr *expr = new_expr(parser, PRINTEXPR_NUMBER);
	const struct printexpr *of;
	struct type type;

	expr->text = "";
	if (take_type(parser, &type)) {
		expr->number = type.size;
		return type.size ? expr : NULL;
	}
	of = take_number(parser);
	if (!of || of->kind != PRINTEXPR_FIELD || !take_sign(parser, ")"))
		return NULL;
	expr->number = of->field->size;
	return expr;
}

/* What compilers are told of how likely a condition is. */
static const struct printexpr *parse_expect(struct parser *parser)
{
	const struct printexpr *expr = take_number(parser);

	return expr && take_sign(parser, ",") && take_number(parser) && take_sign(parser, ")")
		       ? expr
		       : NULL;
}

/* The rest of a call behind its parenthesis. */
static const struct printexpr *parse_call(struct parser *parser, const struct printtoken *name)
{
	static const struct {
		const char *name;
		const struct printexpr *(*parse)(struct parser *, enum printexpr_kind);
		enum printexpr_kind kind;
	} calls[] = {
		{ "__get_str", parse_field_call, PRINTEXPR_STRING },
		{ "__get_rel_str", parse_field_call, PRINTEXPR_STRING },
		{ "__get_bitmask", parse_field_call, PRINTEXPR_BITMASK },
		{ "__get_rel_bitmask", parse_field_call, PRINTEXPR_BITMASK },
		{ "__get_cpumask", parse_field_call, PRINTEXPR_CPUMASK },
		{ "__get_rel_cpumask", parse_field_call, PRINTEXPR_CPUMASK },
		{ "__get_dynamic_array", parse_field_call, PRINTEXPR_ARRAY },
		{ "__get_rel_dynamic_array", parse_field_call, PRINTEXPR_ARRAY },
		{ "__get_sockaddr", parse_field_call, PRINTEXPR_ARRAY },
		{ "__get_dynamic_array_len", parse_field_call, PRINTEXPR_ARRAY_LENGTH },
		{ "__get_rel_dynamic_array_len", parse_field_call, PRINTEXPR_ARRAY_LENGTH },
		{ "__print_flags", parse_values_call, PRINTEXPR_FLAGS },
		{ "__print_symbolic", parse_values_call, PRINTEXPR_SYMBOLIC },
		{ "__print_hex", parse_array_call, PRINTEXPR_HEX },
		{ "__print_hex_str", parse_array_call, PRINTEXPR_HEX_STR },
		{ "__print_array", parse_array_call, PRINTEXPR_NUMBERS },
	};

	if (printtoken_is(name, "sizeof"))
		return parse_sizeof(parser);
	if (printtoken_is(name, "__builtin_expect"))
		return parse_expect(parser);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (printtoken_is(name, calls[i].name))
			return calls[i].parse(parser, calls[i].kind);
	}
	return NULL;
}

/* Behind REC. */
static const struct printexpr *parse_field(struct parser *parser)
{
	struct printexpr *expr = new_expr(parser, PRINTEXPR_FIELD);

	if (!take_sign(parser, "->"))
		return NULL;
	expr->field = take_field(parser);
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
static const struct printexpr *parse_name(struct parser *parser)
{
	struct printtoken name = parser->token;
	struct printexpr *expr;
	const char *text = copy_token(parser);

	printtoken_next(&parser->token);
	if (printtoken_is(&name, "REC"))
		return parse_field(parser);
	if (take_sign(parser, "("))
		return parse_call(parser, &name);
	expr = new_expr(parser, PRINTEXPR_CONSTANT);
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
static const struct printexpr *parse_parentheses(struct parser *parser)
{
	struct printtoken inside = parser->token;
	const struct printexpr *expr;
	struct type type;

	if (take_type(parser, &type) &&
	    (begins_operand(&parser->token) || type.pointed || type.size)) {
		struct printexpr *cast = new_expr(parser, PRINTEXPR_CAST);

		cast->left = parse_operand(parser);
		cast->cast_size = type.pointed ? 0 : type.size;
		cast->target_size = type.pointed;
		return cast->left && !printexpr_is_text(cast->left) ? bounded(cast) : NULL;
	}
	parser->token = inside;
	/* "(REC)->field": the macro's argument came in parentheses. */
	if (printtoken_is(&parser->token, "REC")) {
		printtoken_next(&parser->token);
		if (take_sign(parser, ")"))
			return parse_field(parser);
		parser->token = inside;
	}
	expr = parse_expression(parser);
	return take_sign(parser, ")") ? expr : NULL;
}

static const struct printexpr *parse_primary(struct parser *parser)
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
		text = take_text(parser);
		expr = new_expr(parser, PRINTEXPR_TEXT);
		expr->text = text;
		return expr;
	default:
		return take_sign(parser, "(") ? parse_parentheses(parser) : NULL;
	}
}

static const struct printexpr *parse_unary(struct parser *parser, enum printexpr_kind kind)
{
	struct printexpr *expr = new_expr(parser, kind);

	expr->left = parse_operand(parser);
	return expr->left && !printexpr_is_text(expr->left) ? bounded(expr) : NULL;
}

static const struct printexpr *parse_signed(struct parser *parser)
{
	if (take_sign(parser, "-"))
		return parse_unary(parser, PRINTEXPR_NEGATE);
	if (take_sign(parser, "!"))
		return parse_unary(parser, PRINTEXPR_NOT);
	if (take_sign(parser, "~"))
		return parse_unary(parser, PRINTEXPR_INVERT);
	return parse_primary(parser);
}

/* With what stands before and behind it: "-x", "!x", "x[2]". */
static const struct printexpr *parse_operand(struct parser *parser)
{
	const struct printexpr *expr;

	if (parser->depth == PRINTEXPR_DEPTH)
		return NULL;
	parser->depth++;
	expr = parse_signed(parser);
	while (expr && take_sign(parser, "[")) {
		struct printexpr *index = new_expr(parser, PRINTEXPR_INDEX);

		index->left = expr;
		index->right = is_array(expr) ? take_number(parser) : NULL;
		expr = index->right && take_sign(parser, "]") ? bounded(index) : NULL;
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
static const struct printexpr *parse_binary(struct parser *parser, int outer)
{
	const struct printexpr *left = parse_operand(parser);
	int inner;

	while (left && (inner = strength(&parser->token)) > outer) {
		struct printexpr *expr = new_expr(parser, PRINTEXPR_BINARY);

		memcpy(expr->op, parser->token.text, parser->token.size);
		printtoken_next(&parser->token);
		expr->left = left;
		expr->right = parse_binary(parser, inner);
		if (!expr->right || printexpr_is_text(left) || printexpr_is_text(expr->right))
			return NULL;
		left = bounded(expr);
	}
	return left;
}

static const struct printexpr *parse_choice(struct parser *parser,
					    const struct printexpr *condition)
{
	struct printexpr *expr = new_expr(parser, PRINTEXPR_CHOICE);

	expr->left = condition;
	expr->right = parse_expression(parser);
	expr->third = expr->right && take_sign(parser, ":") ? parse_expression(parser) : NULL;
	return expr->third && !printexpr_is_text(condition) ? bounded(expr) : NULL;
}

static const struct printexpr *parse_expression(struct parser *parser)
{
	const struct printexpr *expr;

	if (parser->depth == PRINTEXPR_DEPTH)
		return NULL;
	parser->depth++;
	expr = parse_binary(parser, 0);
	if (expr && take_sign(parser, "?"))
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
	struct parser parser = { { .at = text, .end = text + size }, fields, arena, 0 };

	*ret_list = (struct printexpr_list){ 0 };
	printtoken_next(&parser.token);
	ret_list->format = take_text(&parser);
	if (!ret_list->format)
		return false;
	while (take_sign(&parser, ",")) {
		const struct printexpr *expr = parse_expression(&parser);

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
