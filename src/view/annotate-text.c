/* annotate-text.c - see annotate-text.h. */
#include "view/annotate-text.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/hist.h"
#include "analyze/listing.h"
#include "analyze/placeinfo.h"
#include "analyze/report.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/timeline.h"
#include "view/callgraph.h"

static const struct {
	const char *title;
	size_t width;
} columns[] = {
	[ANNOTATE_PERCENTS] = { "Percent", 8 },
	[ANNOTATE_SAMPLES] = { "Samples", 8 },
	[ANNOTATE_PERIODS] = { "Event count", 12 },
};

/* A function as it is printed. */
struct page {
	const struct annotate_text *text;
	const struct report_event *event;
	const struct function_hits *function;
	const struct listing *listing;
	int addr_width;
	struct str line;
};

static void flush(struct page *page, FILE *out)
{
	str_one_line(&page->line, 0);
	str_add_char(&page->line, '\n');
	(void)fwrite(str_text(&page->line), 1, page->line.size, out);
	str_clear(&page->line);
}

static const char *path_of(const struct page *page, const char *file)
{
	return page->text->full_paths ? file : str_base_name(file);
}

static uint64_t sample_count(const struct page *page)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < page->event->shown_count; i++)
		sum += page->function->totals[page->event->shown[i]].count;
	return sum;
}

static void print_title(struct page *page, FILE *out)
{
	const struct annotate_text *text = page->text;
	const struct map *map = page->function->begin.map;
	size_t width = columns[text->numbers].width * page->event->shown_count;

	str_addf(&page->line, "%-*s|\tSource code & Disassembly of %s for %s (%" PRIu64 " samples",
		 (int)width + 1, "", map->dso->short_name, page->event->name, sample_count(page));
	memcpy(page->line.text + 1, columns[text->numbers].title,
	       strlen(columns[text->numbers].title));
	if (text->numbers == ANNOTATE_PERCENTS)
		str_addf(&page->line, ", percent: %s %s", text->share.global ? "global" : "local",
			 text->share.hits ? "hits" : "period");
	str_add_char(&page->line, ')');
	width = page->line.size;
	(void)fprintf(out, "%s\n", str_text(&page->line));
	str_clear(&page->line);
	str_add_repeat(&page->line, '-', width);
	flush(page, out);
}

/* The columns of a row that nothing hits; NULL: one that nothing can hit. */
static void add_numbers(struct page *page, const struct listing_row *row)
{
	const struct annotate_text *text = page->text;
	size_t width = columns[text->numbers].width;

	for (size_t i = 0; i < page->event->shown_count; i++) {
		size_t member = page->event->shown[i];
		const struct hist_entry *entry = row ? row->entry : NULL;
		double percent = 0;

		if (!row) {
			str_add_repeat(&page->line, ' ', width);
		} else if (text->numbers == ANNOTATE_SAMPLES) {
			str_addf(&page->line, "%*" PRIu64, (int)width,
				 entry ? entry->self[member].count : 0);
		} else if (text->numbers == ANNOTATE_PERIODS) {
			str_addf(&page->line, "%*" PRIu64, (int)width,
				 entry ? entry->self[member].period : 0);
		} else {
			if (entry)
				percent = function_hits_percent(&text->share, page->event,
								page->function, entry, member);
			if (text->color)
				str_add(&page->line, callgraph_color(percent));
			str_add_hundredths(&page->line, percent, width);
			if (text->color)
				str_add(&page->line, callgraph_color_end(percent));
		}
	}
	str_add(&page->line, " : ");
}

static void print_source(struct page *page, const struct listing_row *row, FILE *out)
{
	add_numbers(page, NULL);
	str_addf(&page->line, "%-5" PRIu32, row->line);
	str_add_bytes(&page->line, row->text.text, row->text.size);
	flush(page, out);
}

static void print_file(struct page *page, const char *file, FILE *out)
{
	add_numbers(page, NULL);
	str_addf(&page->line, "%s:", path_of(page, file));
	flush(page, out);
}

enum { BYTES_SHOWN = 7 }; /* as many as fit in a column that other text may follow */

static void add_bytes(struct page *page, const struct listing_row *row)
{
	size_t begin = page->line.size;

	for (size_t i = 0; i < row->size; i++)
		str_addf(&page->line, "%02x ", row->bytes[i]);
	for (size_t i = page->line.size - begin; i < (size_t)3 * BYTES_SHOWN; i++)
		str_add_char(&page->line, ' ');
	str_add(&page->line, "  ");
}

static void print_insn(struct page *page, const struct listing_row *row, bool with_line, FILE *out)
{
	add_numbers(page, row);
	str_addf(&page->line, "%*" PRIx64 ":   ", page->addr_width, row->addr);
	if (page->text->bytes)
		add_bytes(page, row);
	str_add_bytes(&page->line, row->text.text, row->text.size);
	if (with_line && row->file)
		str_addf(&page->line, " // %s:%" PRIu32, path_of(page, row->file), row->line);
	flush(page, out);
}

static bool is_same_file(const char *one, const char *other)
{
	return one && other && strcmp(one, other) == 0;
}

static void print_code(struct page *page, FILE *out)
{
	const struct place *begin = &page->function->begin;
	const struct listing_row *before = NULL;
	const char *file = NULL;

	add_numbers(page, NULL);
	str_addf(&page->line, "%016" PRIx64 " <%s>:", begin->object_addr, begin->function->name);
	flush(page, out);
	for (size_t i = 0; i < page->listing->count; i++) {
		const struct listing_row *row = &page->listing->items[i];
		bool moved = !before || before->line != row->line ||
			     !is_same_file(before->file, row->file);

		if (!row->is_source) {
			print_insn(page, row, page->text->lines && moved, out);
			before = row;
			continue;
		}
		if (row->file && !is_same_file(file, row->file))
			print_file(page, row->file, out);
		file = row->file;
		print_source(page, row, out);
	}
}

static void print_lines(struct page *page, FILE *out)
{
	const struct place *begin = &page->function->begin;
	struct listing_lines lines;

	listing_sum_lines(page->listing, &page->text->share, page->event, page->function, &lines);
	(void)fprintf(out, "\nSorted summary for file %s\n", placeinfo_path(begin->map, true));
	(void)fputs("----------------------------------------------\n\n", out);
	for (size_t i = 0; i < lines.count; i++) {
		for (size_t k = 0; k < page->event->shown_count; k++)
			str_add_hundredths(&page->line,
					   lines.items[i].percents[page->event->shown[k]], 8);
		str_addf(&page->line, " %s:%" PRIu32, path_of(page, lines.items[i].file),
			 lines.items[i].line);
		flush(page, out);
	}
	if (lines.count == 0)
		(void)fputs(" Nothing higher than 0.00%\n", out);
	listing_lines_done(&lines);
}

static int digits_of(uint64_t addr)
{
	int digits = 1;

	while (addr >>= 4)
		digits++;
	return digits;
}

void annotate_text_print(const struct annotate_text *text, const struct report_event *event,
			 const struct function_hits *function, const struct listing *listing,
			 const char *no_code, FILE *out)
{
	struct page page = {
		.text = text,
		.event = event,
		.function = function,
		.listing = listing,
		.addr_width = digits_of(function->begin.function->end) + 2,
	};

	if (text->lines && listing->count > 0)
		print_lines(&page, out);
	if (!text->quiet)
		print_title(&page, out);
	if (listing->count > 0) {
		print_code(&page, out);
	} else {
		add_numbers(&page, NULL);
		str_addf(&page.line, "%s: %s", function->begin.function->name, no_code);
		flush(&page, out);
	}
	str_done(&page.line);
}
