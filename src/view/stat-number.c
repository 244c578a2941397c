/* stat-number.c - see stat-number.h. */
#include "view/stat-number.h"

#include <stdio.h>
#include <string.h>

#include "analyze/stat.h"
#include "base/str.h"

void stat_number_add(struct str *out, double value, int digits, size_t width, const char *thousands)
{
	struct str text = { 0 };
	char plain[400];
	size_t whole, start;

	(void)snprintf(plain, sizeof(plain), "%.*f", digits, value);
	start = plain[0] == '-';
	whole = strcspn(plain, ".");
	for (size_t i = 0; plain[i]; i++) {
		if (*thousands && i > start && i < whole && (whole - i) % 3 == 0)
			str_add(&text, thousands);
		str_add_char(&text, plain[i]);
	}
	str_add_right(out, str_text(&text), width);
	str_done(&text);
}

int stat_number_digits(const struct stat_row *row)
{
	return row->event->scale != 0 && row->event->scale != 1 ? 2 : 0;
}

static const struct {
	int width, digits;
	const char *behind;
} styles[] = {
	[STAT_STYLE_RATE] = { 8, 3, "" },
	[STAT_STYLE_RATIO] = { 7, 2, " " },
	[STAT_STYLE_PERCENT] = { 7, 2, "%" },
	[STAT_STYLE_SHARE] = { 8, 3, " %" },
	[STAT_STYLE_TENTHS_PERCENT] = { 8, 1, "%" },
	[STAT_STYLE_HUNDREDTHS] = { 8, 2, "" },
};

void stat_number_add_metric(struct str *out, const struct stat_metric *metric, bool padded)
{
	int width = padded ? styles[metric->style].width : 0;

	str_addf(out, "%*.*f%s", width, styles[metric->style].digits, metric->value,
		 padded ? styles[metric->style].behind : "");
}

const char *stat_number_missing(const struct stat_row *row)
{
	return row->state == STAT_COUNTED       ? NULL
	       : row->state == STAT_NOT_COUNTED ? "<not counted>"
						: "<not supported>";
}

double stat_number_running(const struct stat_row *row)
{
	return row->enabled_ns > 0 ? 100 * row->running_ns / row->enabled_ns : 100;
}
