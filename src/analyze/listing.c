/* listing.c - see listing.h. */
#include "analyze/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/code-line.h"
#include "analyze/code.h"
#include "analyze/function-hits.h"
#include "analyze/profile.h"
#include "analyze/report.h"
#include "base/hash.h"
#include "base/mem.h"
#include "symbol/resolve.h"

enum {
	SIZE_MOST = 16 << 20, /* bytes of a function; no compiler makes more */
	GAP_MOST = 6,         /* lines without code that are shown between two with code */
	MNEMONIC_WIDTH = 6,
};

/* A function that is being read. */
struct reading_code {
	struct code *code;
	const struct function_hits *function;
	const struct listing_options *options;
	struct source_files *files;
	struct listing *listing;
	const uint8_t *bytes;
	size_t size;
	struct insn_reader *reader;
	size_t next_hit;
	struct hash lines; /* that code was made of */
};

static struct place place_at(const struct reading_code *reading, uint64_t addr)
{
	struct place place = reading->function->begin;

	place.addr += addr - place.object_addr;
	place.object_addr = addr;
	return place;
}

static struct listing_row *add_row(struct listing *listing)
{
	grow(listing);
	listing->items[listing->count] = (struct listing_row){ 0 };
	return &listing->items[listing->count++];
}

static struct str_part keep(struct listing *listing, const struct str *text)
{
	const char *kept = strings_keep(&listing->texts, str_text(text));

	return (struct str_part){ kept, strlen(kept) };
}

/* Where a source file is looked for: "/build/x/a.c" without two components, behind "/src":
 * "/src/a.c". */
static const char *where_is(const struct reading_code *reading, const char *file)
{
	_cleanup_(str_done) struct str path = { 0 };
	const char *rest = file;

	if (!reading->options->prefix || file[0] != '/')
		return file;
	for (unsigned i = 0; i < reading->options->prefix_strip; i++) {
		const char *slash = strchr(rest + 1, '/');

		if (!slash)
			break;
		rest = slash;
	}
	str_addf(&path, "%s%s", reading->options->prefix, rest);
	return strings_keep(&reading->listing->texts, str_text(&path));
}

static void show_line(struct reading_code *reading, const char *file, uint32_t line)
{
	struct listing_row *row;
	struct str_part text;

	if (!source_files_line(reading->files, where_is(reading, file), line, &text))
		return;
	row = add_row(reading->listing);
	row->is_source = true;
	row->file = file;
	row->line = line;
	row->text = text;
}

static uint64_t line_key(const char *file, uint32_t line)
{
	return hash_bytes(file, strlen(file)) + line;
}

/* Whether none of the function's code was made of the lines between two. */
static bool is_gap(const struct reading_code *reading, const char *file, uint32_t from,
		   uint32_t until)
{
	if (until - from > GAP_MOST)
		return false;
	for (uint32_t i = from + 1; i < until; i++) {
		if (hash_find(&reading->lines, line_key(file, i)))
			return false;
	}
	return true;
}

/* What stands before an instruction of another line than @before, which may be NULL. */
static void show_source(struct reading_code *reading, const struct listing_row *before,
			const struct listing_row *row)
{
	bool same_file = before && before->file && strcmp(before->file, row->file) == 0;
	uint32_t first = row->line;

	if (same_file && before->line == row->line)
		return;
	if (same_file && row->line > before->line &&
	    is_gap(reading, row->file, before->line, row->line))
		first = before->line + 1;
	for (uint32_t i = first; i <= row->line; i++)
		show_line(reading, row->file, i);
}

/* "jle 0x1290" -> "jle    1290 <sum+0x60>". */
static void add_text(struct reading_code *reading, struct listing_row *row, const struct insn *insn,
		     const struct str *plain)
{
	_cleanup_(str_done) struct str text = { 0 };
	const char *blank = strchr(str_text(plain), ' ');
	struct place to;

	if (!blank) {
		row->text = keep(reading->listing, plain);
		return;
	}
	str_addf(&text, "%-*.*s ", MNEMONIC_WIDTH, (int)(blank - plain->text), plain->text);
	if (!insn->has_target) {
		str_add(&text, blank + 1);
		row->text = keep(reading->listing, &text);
		return;
	}
	/* "cbz x0, #0x1290": what stands before the target stays. */
	if (strrchr(blank, ' ') != blank)
		str_add_bytes(&text, blank + 1, (size_t)(strrchr(blank, ' ') - blank));
	to = place_at(reading, insn->target);
	to = resolver_find(profile_resolver(reading->code->profile), to.map, to.addr);
	str_addf(&text, "%" PRIx64, insn->target);
	if (to.function && to.object_addr == to.function->start)
		str_addf(&text, " <%s>", to.function->name);
	else if (to.function)
		str_addf(&text, " <%s+0x%" PRIx64 ">", to.function->name,
			 to.object_addr - to.function->start);
	row->has_target = to.function == reading->function->begin.function;
	row->target = insn->target;
	row->text = keep(reading->listing, &text);
}

static uint64_t next_hit(const struct reading_code *reading)
{
	return reading->next_hit < reading->function->count
		       ? reading->function->items[reading->next_hit].addr
		       : UINT64_MAX;
}

/* Reads the instruction at @addr. Where a sample hit what would be its middle, it is none. */
static struct insn read_insn(const struct reading_code *reading, size_t at, uint64_t addr,
			     struct str *plain)
{
	struct insn insn = { 0 };

	if (insn_read(reading->reader, reading->bytes + at, reading->size - at, addr, &insn,
		      plain) &&
	    (next_hit(reading) <= addr || next_hit(reading) >= addr + insn.size))
		return insn;
	str_clear(plain);
	str_add(plain, "(bad)");
	return (struct insn){ .size = 1 };
}

/* Adds an instruction; where the next one is. */
static size_t read_one(struct reading_code *reading, size_t at)
{
	_cleanup_(str_done) struct str plain = { 0 };
	uint64_t addr = reading->function->begin.object_addr + at;
	struct place place = place_at(reading, addr);
	struct code_line line = { 0 };
	struct insn insn = read_insn(reading, at, addr, &plain);
	struct listing_row *row = add_row(reading->listing);

	if (reading->options->lines && code_line_find(reading->code->profile, &place, &line))
		(void)hash_add(&reading->lines, line_key(line.file, line.line), NULL);
	row->file = line.file;
	row->line = line.line;
	row->addr = addr;
	row->size = (uint8_t)insn.size;
	memcpy(row->bytes, reading->bytes + at, insn.size);
	if (next_hit(reading) == addr)
		row->entry = reading->function->items[reading->next_hit++].entry;
	add_text(reading, row, &insn, &plain);
	return at + insn.size;
}

/* The same instructions, with source lines between them. */
static void add_source(struct reading_code *reading)
{
	struct listing *listing = reading->listing;
	_cleanup_(freep) struct listing_row *insns = take(listing->items);
	const struct listing_row *before = NULL;
	size_t count = listing->count;

	listing->count = listing->capacity = 0;
	for (size_t i = 0; i < count; i++) {
		if (insns[i].file)
			show_source(reading, before, &insns[i]);
		*add_row(listing) = insns[i];
		before = &insns[i];
	}
}

bool listing_make(struct code *code, const struct function_hits *function,
		  const struct listing_options *options, struct source_files *files,
		  struct listing *ret_listing)
{
	const struct function *about = function->begin.function;
	size_t size = about->end - about->start;
	_cleanup_(freep) uint8_t *bytes = NULL;
	struct reading_code reading = {
		.code = code,
		.function = function,
		.options = options,
		.files = files,
		.listing = ret_listing,
	};

	*ret_listing = (struct listing){ 0 };
	if (size == 0 || size > SIZE_MOST)
		return false;
	bytes = xcalloc(size, 1);
	reading.size = code_copy(code, &function->begin, bytes, size, &reading.reader);
	reading.bytes = bytes;
	for (size_t at = 0; at < reading.size;)
		at = read_one(&reading, at);
	if (options->source)
		add_source(&reading);
	hash_done(&reading.lines);
	return reading.size > 0;
}

void listing_done(struct listing *listing)
{
	free(listing->items);
	strings_done(&listing->texts);
}

static int compare_lines(const void *left, const void *right)
{
	const struct listing_line *a = left, *b = right;
	int order = strcmp(a->file, b->file);

	if (a->percents[0] != b->percents[0])
		return a->percents[0] < b->percents[0] ? 1 : -1;
	return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* Functions have few lines that samples hit. */
static struct listing_line *line_of(struct listing_lines *lines, const struct listing_row *row,
				    size_t member_count)
{
	struct listing_line *line;

	for (size_t i = 0; i < lines->count; i++) {
		line = &lines->items[i];
		if (line->line == row->line && strcmp(line->file, row->file) == 0)
			return line;
	}
	grow(lines);
	line = &lines->items[lines->count++];
	line->file = row->file;
	line->line = row->line;
	line->percents = xcalloc(member_count, sizeof(*line->percents));
	return line;
}

void listing_sum_lines(const struct listing *listing, const struct function_share *share,
		       const struct report_event *event, const struct function_hits *function,
		       struct listing_lines *ret_lines)
{
	*ret_lines = (struct listing_lines){ 0 };
	for (size_t i = 0; i < listing->count; i++) {
		const struct listing_row *row = &listing->items[i];
		struct listing_line *line;

		if (!row->entry || !row->file)
			continue;
		line = line_of(ret_lines, row, event->member_count);
		for (size_t k = 0; k < event->member_count; k++)
			line->percents[k] +=
				function_hits_percent(share, event, function, row->entry, k);
	}
	if (ret_lines->count > 0)
		qsort(ret_lines->items, ret_lines->count, sizeof(*ret_lines->items), compare_lines);
}

void listing_lines_done(struct listing_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i].percents);
	free(lines->items);
}
