/* blocks-text.c - see blocks-text.h. */
#include "view/blocks-text.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/blocks.h"
#include "analyze/sources.h"
#include "base/str.h"
#include "model/timeline.h"
#include "view/report-text.h"

enum column { CYCLES_PERCENT, CYCLES, AVERAGE_PERCENT, AVERAGE, RANGE, OBJECT, COLUMNS };

static const struct {
	const char *title;
	size_t width;
} columns[COLUMNS] = {
	[CYCLES_PERCENT] = { "Sampled Cycles%", 15 }, [CYCLES] = { "Sampled Cycles", 14 },
	[AVERAGE_PERCENT] = { "Avg Cycles%", 11 },    [AVERAGE] = { "Avg Cycles", 10 },
	[RANGE] = { "[Program Block Range]", 70 },    [OBJECT] = { "Shared Object", 20 },
};

/* Adds what @cell holds, flush right. */
static void add_cell(struct str *line, size_t i, struct str *cell, const char *separator)
{
	if (separator)
		str_add(line, i > 0 ? separator : "");
	else
		str_add_repeat(line, ' ', i > 0 ? 2 : 0);
	str_one_line(cell, 0);
	if (!separator && cell->size < columns[i].width)
		str_add_repeat(line, ' ', columns[i].width - cell->size);
	str_add_bytes(line, str_text(cell), cell->size);
	str_clear(cell);
}

static void print_titles(const struct report_text *text, FILE *out)
{
	_cleanup_(str_done) struct str line = { 0 }, cell = { 0 };

	for (size_t i = 0; i < COLUMNS; i++) {
		str_add(&cell, columns[i].title);
		add_cell(&line, i, &cell, text->separator);
	}
	(void)fprintf(out, "# %s\n", str_text(&line));
	if (text->separator)
		return;
	str_clear(&line);
	for (size_t i = 0; i < COLUMNS; i++) {
		str_add_repeat(&cell, '.', columns[i].width);
		add_cell(&line, i, &cell, NULL);
	}
	(void)fprintf(out, "# %s\n#\n", str_text(&line));
}

/* "812", "1.5K", "3.2M". */
static void add_cycles(struct str *out, uint64_t cycles)
{
	if (cycles >= 1000000)
		str_addf(out, "%.1fM", (double)cycles / 1e6);
	else if (cycles >= 1000)
		str_addf(out, "%.1fK", (double)cycles / 1e3);
	else
		str_addf(out, "%" PRIu64, cycles);
}

static void add_column(struct str *cell, enum column column, const struct blocks_event *event,
		       const struct block *block)
{
	switch (column) {
	case CYCLES_PERCENT:
		str_addf(cell, "%.2f%%", blocks_percent(event, block));
		break;
	case CYCLES:
		add_cycles(cell, block->cycles);
		break;
	case AVERAGE_PERCENT:
		str_addf(cell, "%.2f%%", blocks_average_percent(event, block));
		break;
	case AVERAGE:
		add_cycles(cell, blocks_average(block));
		break;
	case RANGE:
		str_addf(cell, "[%s -> %s]", block->begin_source->line, block->end_source->line);
		break;
	default:
		str_add(cell, block->end.map->dso->short_name);
		break;
	}
}

static void print_row(const struct blocks_event *event, const struct block *block,
		      const struct report_text *text, FILE *out)
{
	_cleanup_(str_done) struct str line = { 0 }, cell = { 0 };

	for (size_t i = 0; i < COLUMNS; i++) {
		add_column(&cell, (enum column)i, event, block);
		add_cell(&line, i, &cell, text->separator);
	}
	(void)fprintf(out, "%s%s\n", text->separator ? "" : "  ", str_text(&line));
}

void blocks_text_print(const struct blocks_event *event, const struct report_text *text, FILE *out)
{
	if (!text->quiet)
		print_titles(text, out);
	for (size_t i = 0; i < event->count; i++) {
		if (blocks_percent(event, &event->items[i]) >= text->percent_limit)
			print_row(event, &event->items[i], text, out);
	}
}
