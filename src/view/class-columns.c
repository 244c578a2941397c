/* class-columns.c - see class-columns.h. */
#include "view/class-columns.h"

#include <string.h>

#include "analyze/report.h"
#include "base/str.h"

enum { CELL_WIDTH = 7 };

static bool is_shown(const struct report_event *event, enum data_src_kind kind, size_t i)
{
	return event->extras.classes[kind][i] > 0;
}

size_t class_columns_width(const struct report_event *event, enum data_src_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; data_src_class_name(kind, i); i++)
		count += is_shown(event, kind, i);
	return count * CELL_WIDTH;
}

/* Over a single column there is no room for a rule. */
void class_columns_add_heading(const struct report_event *event, enum data_src_kind kind,
			       const char *title, struct str *line)
{
	size_t width = class_columns_width(event, kind), taken = strlen(title) + 2;

	if (width <= CELL_WIDTH) {
		str_addf(line, "%*s", (int)width, title);
		return;
	}
	str_add_repeat(line, '-', (width - taken) / 2);
	str_addf(line, " %s ", title);
	str_add_repeat(line, '-', width - taken - (width - taken) / 2);
}

void class_columns_add_titles(const struct report_event *event, enum data_src_kind kind,
			      struct str *line)
{
	for (size_t i = 0; data_src_class_name(kind, i); i++) {
		if (is_shown(event, kind, i))
			str_addf(line, "%*s", CELL_WIDTH, data_src_class_name(kind, i));
	}
}

void class_columns_add(const struct report_event *event, enum data_src_kind kind,
		       const struct hist_entry *entry, struct str *line)
{
	for (size_t i = 0; data_src_class_name(kind, i); i++) {
		if (is_shown(event, kind, i))
			str_addf(line, "%*.1f%%", CELL_WIDTH - 1,
				 report_class_percent(event, entry, kind, i));
	}
}
