#include "format/metric-formula.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

enum { DEPTH_MAX = 64 }; /* open parentheses and operators that wait; values that wait */

enum kind {
	NUMBER,
	NAME,
	/* These wait only: '(', and functions that have not come to their comma. */
	OPEN,
	MIN_FIRST,
	MAX_FIRST,
	MIN,
	MAX,
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	NEGATE,
};

/* In postfix order: "a b + 2 *". */
struct step {
	enum kind kind;
	double number;
	size_t name;
};

struct steps {
	struct step *items;
	size_t count, capacity;
};

struct formula_names {
	char **items;
	size_t count, capacity;
};

struct metric_formula {
	struct steps steps;
	struct formula_names names;
};

/* Operators go to a stack until what they are between is complete (the shunting yard). */
struct parser {
	struct metric_formula *formula;
	const char *text, *at;
	enum kind waiting[DEPTH_MAX];
	size_t waiting_count;
	size_t value_count; /* that would be on the stack when the steps so far are run */
	struct strobe_err *err;
};

static int fail(const struct parser *p, const char *what)
{
	err_set(p->err, -EINVAL, "%s in formula '%s'", what, p->text);
	return err_where(p->err, -EINVAL, p->text, (size_t)(p->at - p->text));
}

static int add_step(struct parser *p, struct step step)
{
	struct steps *steps = &p->formula->steps;

	if (step.kind == NUMBER || step.kind == NAME)
		p->value_count++;
	else if (step.kind != NEGATE)
		p->value_count--;
	if (p->value_count > DEPTH_MAX)
		return fail(p, "too much is nested");
	grow(steps);
	steps->items[steps->count++] = step;
	return 0;
}

static unsigned rank_of(enum kind kind)
{
	switch (kind) {
	case NEGATE:
		return 3;
	case MULTIPLY:
	case DIVIDE:
		return 2;
	case ADD:
	case SUBTRACT:
		return 1;
	default: /* what only its closing parenthesis ends */
		return 0;
	}
}

/* Those that wait and bind as strongly as @rank, or more, have both of their sides now. */
static int settle(struct parser *p, unsigned rank)
{
	int r = 0;

	while (r == 0 && p->waiting_count && rank_of(p->waiting[p->waiting_count - 1]) >= rank)
		r = add_step(p, (struct step){ .kind = p->waiting[--p->waiting_count] });
	return r;
}

static int wait(struct parser *p, enum kind kind)
{
	if (p->waiting_count == DEPTH_MAX)
		return fail(p, "too much is nested");
	p->waiting[p->waiting_count++] = kind;
	return 0;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t name_index(struct formula_names *names, struct str_part name)
{
	for (size_t i = 0; i < names->count; i++)
		if (str_part_is(name, names->items[i]))
			return i;
	grow(names);
	names->items[names->count] = xstrndup(name.text, name.size);
	return names->count++;
}

static int parse_quoted(struct parser *p)
{
	const char *end = strchr(p->at + 1, '\'');
	struct str_part name;

	if (!end || end == p->at + 1)
		return fail(p, "a name is not complete");
	name = (struct str_part){ p->at + 1, (size_t)(end - p->at - 1) };
	p->at = end + 1;
	return add_step(
		p, (struct step){ .kind = NAME, .name = name_index(&p->formula->names, name) });
}

/* A name, or "min(" and "max(", behind which an operand is still to come: 1. */
static int parse_word(struct parser *p)
{
	struct str_part word = { p->at, 0 };

	while (is_letter(*p->at) || is_digit(*p->at) || *p->at == '.')
		p->at++;
	word.size = (size_t)(p->at - word.text);
	if (*p->at == '(') {
		enum kind kind = str_part_is(word, "min") ? MIN_FIRST : MAX_FIRST;
		int r;

		if (kind == MAX_FIRST && !str_part_is(word, "max")) {
			p->at = word.text;
			return fail(p, "an unknown function");
		}
		p->at++;
		r = wait(p, kind);
		return r < 0 ? r : 1;
	}
	return add_step(
		p, (struct step){ .kind = NAME, .name = name_index(&p->formula->names, word) });
}

/* Digits with one point at most; no sign, no exponent, whatever the locale's point is. */
static int parse_number(struct parser *p)
{
	double value = 0, part = 1;
	bool has_point = false;

	for (; is_digit(*p->at) || (*p->at == '.' && !has_point); p->at++) {
		if (*p->at == '.') {
			has_point = true;
			continue;
		}
		value = value * 10 + (*p->at - '0');
		part *= has_point ? 10 : 1;
	}
	return add_step(p, (struct step){ .kind = NUMBER, .number = value / part });
}

/* What stands before an operator. 0: an operand was; 1: one is still to come. */
static int parse_operand(struct parser *p)
{
	int r;

	if (*p->at == '(' || *p->at == '-') {
		r = wait(p, *p->at == '(' ? OPEN : NEGATE);
		p->at++;
		return r < 0 ? r : 1;
	}
	if (is_digit(*p->at))
		return parse_number(p);
	if (*p->at == '\'')
		return parse_quoted(p);
	if (is_letter(*p->at))
		return parse_word(p);
	return fail(p, "a number or a name is missing");
}

/* ',': between the two of a function. An operand is still to come: 1. */
static int parse_comma(struct parser *p)
{
	int r = settle(p, 1);
	enum kind *last = p->waiting_count ? &p->waiting[p->waiting_count - 1] : NULL;

	if (r < 0)
		return r;
	if (!last || (*last != MIN_FIRST && *last != MAX_FIRST))
		return fail(p, "a ',' that parts nothing");
	*last = *last == MIN_FIRST ? MIN : MAX;
	p->at++;
	return 1;
}

/* ')': an operand is complete: 0. */
static int parse_close(struct parser *p)
{
	int r = settle(p, 1);
	enum kind kind;

	if (r < 0)
		return r;
	if (p->waiting_count == 0)
		return fail(p, "a ')' without '('");
	kind = p->waiting[--p->waiting_count];
	if (kind == MIN_FIRST || kind == MAX_FIRST)
		return fail(p, "min and max are of two");
	p->at++;
	return kind == OPEN ? 0 : add_step(p, (struct step){ .kind = kind });
}

/* What stands behind an operand. 0: another may stand there; 1: an operand is still to come. */
static int parse_operator(struct parser *p)
{
	static const char operators[] = "+-*/";
	static const enum kind kinds[] = { ADD, SUBTRACT, MULTIPLY, DIVIDE };
	const char *found = strchr(operators, *p->at);
	enum kind kind;
	int r;

	if (*p->at == ')')
		return parse_close(p);
	if (*p->at == ',')
		return parse_comma(p);
	if (!found)
		return fail(p, "an operator is missing");
	kind = kinds[found - operators];
	r = settle(p, rank_of(kind));
	if (r == 0)
		r = wait(p, kind);
	p->at++;
	return r < 0 ? r : 1;
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

static int parse(struct parser *p)
{
	int wants_operand = 1;

	for (skip_blanks(p); *p->at || wants_operand; skip_blanks(p)) {
		wants_operand = wants_operand ? parse_operand(p) : parse_operator(p);
		if (wants_operand < 0)
			return wants_operand;
	}
	wants_operand = settle(p, 1);
	if (wants_operand == 0 && p->waiting_count)
		return fail(p, "a ')' is missing");
	return wants_operand;
}

int metric_formula_parse(const char *text, struct metric_formula **ret_formula,
			 struct strobe_err *err)
{
	_cleanup_(metric_formula_freep) struct metric_formula *formula =
		xnew(struct metric_formula);
	struct parser parser = { .formula = formula, .text = text, .at = text, .err = err };
	int r = parse(&parser);

	if (r < 0)
		return r;
	*ret_formula = take(formula);
	return 0;
}

void metric_formula_free(struct metric_formula *formula)
{
	if (!formula)
		return;
	for (size_t i = 0; i < formula->names.count; i++)
		free(formula->names.items[i]);
	free(formula->names.items);
	free(formula->steps.items);
	free(formula);
}

size_t metric_formula_count(const struct metric_formula *formula)
{
	return formula->names.count;
}

const char *metric_formula_name(const struct metric_formula *formula, size_t index)
{
	return formula->names.items[index];
}

static double calculate(enum kind kind, double a, double b)
{
	switch (kind) {
	case ADD:
		return a + b;
	case SUBTRACT:
		return a - b;
	case MULTIPLY:
		return a * b;
	case DIVIDE:
		return b == 0 ? (double)NAN : a / b;
	case MIN:
		return isnan(a) || a < b ? a : b;
	default:
		return isnan(a) || a > b ? a : b;
	}
}

bool metric_formula_value(const struct metric_formula *formula, const double *values,
			  double *ret_value)
{
	double stack[DEPTH_MAX] = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < formula->steps.count; i++) {
		const struct step *step = &formula->steps.items[i];

		if (step->kind == NUMBER)
			stack[count++] = step->number;
		else if (step->kind == NAME)
			stack[count++] = values[step->name];
		else if (step->kind == NEGATE)
			stack[count - 1] = -stack[count - 1];
		else {
			count--;
			stack[count - 1] = calculate(step->kind, stack[count - 1], stack[count]);
		}
	}
	if (!isfinite(stack[0]))
		return false;
	*ret_value = stack[0];
	return true;
}
