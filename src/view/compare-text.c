/* compare-text.c - see compare-text.h. */
#include "view/compare-text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/compare.h"
#include "base/json.h"
#include "base/str.h"

enum { LEAST_NAME_WIDTH = 16, VALUE_WIDTH = 16 };

static void add_command(struct str *out, char letter, const char *const *argv)
{
	str_addf(out, "   %c: '", letter);
	for (size_t i = 0; argv[i]; i++)
		str_addf(out, "%s%s", i ? " " : "", argv[i]);
	str_add(out, "'\n");
}

static size_t name_width(const struct compare_text *text)
{
	size_t width = LEAST_NAME_WIDTH;

	for (size_t i = 0; i < text->row_count; i++) {
		const struct compare_row *row = &text->rows[i];
		size_t size = strlen(row->name) + (row->unit ? strlen(row->unit) + 3 : 0);

		width = size > width ? size : width;
	}
	return width;
}

/* "1.234 +- 0.5%": the interval as a share of the mean. */
static void add_side(struct str *out, const struct compare_row *row, const struct moments *side,
		     double interval)
{
	double share = side->mean != 0 ? 100 * interval / fabs(side->mean) : 0;

	if (side->count == 0)
		str_addf(out, "  %*s          ", VALUE_WIDTH, row->missing);
	else
		str_addf(out, "  %*.*f +-%6.2f%%", VALUE_WIDTH, row->digits, side->mean, share);
}

static void add_verdict(struct str *out, const struct compare_row *row)
{
	static const char *const words[] = {
		[COMPARE_SAME] = "no difference shown",
		[COMPARE_LESS] = "less",
		[COMPARE_MORE] = "more",
	};

	if (row->p < 0.001)
		str_addf(out, "  %s (p < 0.001)", words[row->verdict]);
	else
		str_addf(out, "  %s (p = %.3f)", words[row->verdict], row->p);
}

static void add_row(struct str *out, const struct compare_row *row, size_t width)
{
	size_t begin = out->size;

	str_addf(out, " %s", row->name);
	if (row->unit)
		str_addf(out, " (%s)", row->unit);
	str_add_repeat(out, ' ', width + 1 - (out->size - begin));
	add_side(out, row, &row->a, row->interval_a);
	add_side(out, row, &row->b, row->interval_b);
	if (row->verdict != COMPARE_UNKNOWN) {
		if (row->a.mean != 0)
			str_addf(out, "  %+8.2f%% +-%6.2f%%", row->change, row->interval);
		else
			str_add_repeat(out, ' ', 20);
		add_verdict(out, row);
	}
	str_add_char(out, '\n');
}

void compare_text_add(struct str *out, const struct compare_text *text)
{
	size_t width = name_width(text);

	str_addf(out, "\n %u runs of each, in turns, after %u to warm up:\n", text->run_count,
		 text->warmup_count);
	add_command(out, 'A', text->a);
	add_command(out, 'B', text->b);
	str_addf(out, "\n %*s  %*s +- 95%%   %*s +- 95%%    B against A\n", (int)width, "",
		 VALUE_WIDTH, "A", VALUE_WIDTH, "B");
	for (size_t i = 0; i < text->row_count; i++)
		add_row(out, &text->rows[i], width);
	str_add_char(out, '\n');
}

static void add_command_json(struct json *json, const char *name, const char *const *argv)
{
	size_t count = 0;

	while (argv[count])
		count++;
	json_texts(json, name, argv, count);
}

static void add_side_json(struct json *json, const char *name, const struct moments *side,
			  double interval)
{
	if (side->count == 0) {
		json_null(json, name);
		return;
	}
	json_begin(json, name);
	json_u64(json, "runs", side->count);
	json_double(json, "mean", side->mean);
	json_double(json, "interval", interval);
	json_double(json, "deviation", moments_deviation(side));
	json_double(json, "min", side->min);
	json_double(json, "max", side->max);
	json_end(json);
}

static void add_row_json(struct json *json, const struct compare_row *row)
{
	static const char *const verdicts[] = { "same", "less", "more", "unknown" };
	bool is_known = row->verdict != COMPARE_UNKNOWN && row->a.mean != 0;

	json_begin(json, NULL);
	json_text(json, "name", row->name);
	json_text(json, "unit", row->unit);
	add_side_json(json, "a", &row->a, row->interval_a);
	add_side_json(json, "b", &row->b, row->interval_b);
	json_double(json, "change_percent", is_known ? row->change : (double)NAN);
	json_double(json, "change_interval", is_known ? row->interval : (double)NAN);
	json_double(json, "p", row->p);
	json_text(json, "verdict", verdicts[row->verdict]);
	json_end(json);
}

void compare_text_add_json(struct str *out, const struct compare_text *text)
{
	struct json json = { .out = out };

	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.stat.compare/1");
	json_text(&json, "test", "welch");
	json_double(&json, "confidence", 0.95);
	json_u64(&json, "runs", text->run_count);
	json_u64(&json, "warmup", text->warmup_count);
	add_command_json(&json, "a", text->a);
	add_command_json(&json, "b", text->b);
	json_begin_list(&json, "rows");
	for (size_t i = 0; i < text->row_count; i++)
		add_row_json(&json, &text->rows[i]);
	json_end_list(&json);
	json_end(&json);
	str_add_char(out, '\n');
}
