/* printcall.c - the calls in print formats: __get_str(), __print_flags(), sizeof() and the like. */
#include "base/arena.h"
#include "format/printparser.h"
#include "format/tracefields.h"

/* NOLINTBEGIN(misc-no-recursion): PRINTEXPR_DEPTH deep at most */

/* ", { 1 << 2, "text" }, ..." up to the call's end; there may be none. */
static bool take_values(struct printparser *parser, const struct printexpr_value **ret_values)
{
	const struct printexpr_value **last = ret_values;

	*last = NULL;
	while (printparser_take(parser, ",")) {
		struct printexpr_value *value = arena_alloc(parser->arena, sizeof(*value));

		*value = (struct printexpr_value){ 0 };
		if (!printparser_take(parser, "{") ||
		    !(value->number = printexpr_constant(parser)) || !printparser_take(parser, ","))
			return false;
		value->text = printparser_text(parser);
		/* A list may end in { -1, NULL }. */
		if ((!value->text && !printexpr_constant(parser)) || !printparser_take(parser, "}"))
			return false;
		*last = value;
		last = &value->next;
	}
	return printparser_take(parser, ")");
}

static const struct printexpr *parse_array_call(struct printparser *parser,
						enum printexpr_kind kind)
{
	struct printexpr *expr = printparser_new(parser, kind);

	expr->left = printexpr_constant(parser);
	if (!printparser_is_array(expr->left) || !printparser_take(parser, ","))
		return NULL;
	expr->right = printexpr_constant(parser);
	if (!expr->right)
		return NULL;
	if (kind == PRINTEXPR_NUMBERS) {
		expr->third = printparser_take(parser, ",") ? printexpr_constant(parser) : NULL;
		if (!expr->third)
			return NULL;
	}
	return printparser_take(parser, ")") ? printparser_bounded(expr) : NULL;
}

static const struct printexpr *parse_values_call(struct printparser *parser,
						 enum printexpr_kind kind)
{
	struct printexpr *expr = printparser_new(parser, kind);

	expr->left = printexpr_constant(parser);
	if (!expr->left)
		return NULL;
	if (kind == PRINTEXPR_FLAGS &&
	    (!printparser_take(parser, ",") || !(expr->text = printparser_text(parser))))
		return NULL;
	return take_values(parser, &expr->values) ? printparser_bounded(expr) : NULL;
}

static const struct printexpr *parse_field_call(struct printparser *parser,
						enum printexpr_kind kind)
{
	struct printexpr *expr = printparser_new(parser, kind);

	expr->field = printparser_field(parser);
	if (!expr->field || !expr->field->is_dynamic)
		return NULL;
	return printparser_take(parser, ")") ? expr : NULL;
}

/* sizeof(u64), sizeof(REC->buf) */
static const struct printexpr *parse_sizeof(struct printparser *parser)
{
	struct printexpr *expr = printparser_new(parser, PRINTEXPR_NUMBER);
	const struct printexpr *of;
	struct printparser_type type;

	expr->text = "";
	if (printparser_take_type(parser, &type)) {
		expr->number = type.size;
		return type.size ? expr : NULL;
	}
	of = printexpr_constant(parser);
	if (!of || of->kind != PRINTEXPR_FIELD || !printparser_take(parser, ")"))
		return NULL;
	expr->number = of->field->size;
	return expr;
}

/* What compilers are told of how likely a condition is. */
static const struct printexpr *parse_expect(struct printparser *parser)
{
	const struct printexpr *expr = printexpr_constant(parser);

	return expr && printparser_take(parser, ",") && printexpr_constant(parser) &&
			       printparser_take(parser, ")")
		       ? expr
		       : NULL;
}

const struct printexpr *printcall_parse(struct printparser *parser, const struct printtoken *name)
{
	static const struct {
		const char *name;
		const struct printexpr *(*parse)(struct printparser *, enum printexpr_kind);
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

/* NOLINTEND(misc-no-recursion) */
