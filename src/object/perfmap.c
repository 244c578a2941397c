/* perfmap.c - see perfmap.h. */
#include "object/perfmap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "object/symtab.h"

enum { LINE_MAX_SIZE = 64 * 1024 };
static const off_t file_max = 1024L * 1024 * 1024;

/* What is left to read of one line. */
struct cursor {
	const char *at, *end;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct cursor *line)
{
	while (line->at < line->end && is_blank(*line->at))
		line->at++;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A number with a blank behind it. */
static bool parse_hex(struct cursor *line, uint64_t *ret_value)
{
	uint64_t value = 0;
	const char *start;

	skip_blanks(line);
	if (line->end - line->at > 2 && line->at[0] == '0' && (line->at[1] | 0x20) == 'x')
		line->at += 2;
	start = line->at;
	for (; line->at < line->end && digit_value(*line->at) >= 0; line->at++) {
		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)digit_value(*line->at);
	}
	if (line->at == start || line->at == line->end || !is_blank(*line->at))
		return false;
	*ret_value = value;
	return true;
}

static bool parse_line(struct cursor line, struct symtab_builder *builder)
{
	uint64_t start = 0, size = 0;
	struct symbol symbol = { 0 };
	char name[LINE_MAX_SIZE + 1];
	size_t length;

	if (line.end - line.at > LINE_MAX_SIZE)
		return false;
	if (!parse_hex(&line, &start) || !parse_hex(&line, &size))
		return false;
	skip_blanks(&line);
	length = (size_t)(line.end - line.at);
	if (length == 0 || size == 0 || size > UINT64_MAX - start || memchr(line.at, '\0', length))
		return false;
	memcpy(name, line.at, length);
	name[length] = '\0';
	symbol.start = start;
	symbol.end = start + size;
	symbol.name = name;
	symtab_builder_add(builder, &symbol, symbol.end);
	return true;
}

struct symtab *perfmap_parse(const char *text, size_t size, struct perfmap_counts *ret_counts)
{
	struct symtab_builder *builder = symtab_builder_new();
	struct perfmap_counts counts = { 0 };
	const char *end = text + size;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		struct cursor line = { text, newline ? newline : end };

		text = newline ? newline + 1 : end;
		if (line.end > line.at && line.end[-1] == '\r')
			line.end--;
		if (line.end == line.at)
			continue;
		if (parse_line(line, builder))
			counts.lines++;
		else
			counts.skipped++;
	}
	if (ret_counts)
		*ret_counts = counts;
	return symtab_build(builder, SYMTAB_LATEST);
}

/* Reads up to size bytes: the file may be written to, and shrink, at this moment. */
static ssize_t read_up_to(int fd, char *bytes, size_t size)
{
	size_t have = 0;

	while (have < size) {
		ssize_t n = pread(fd, bytes + have, size - have, (off_t)have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

int perfmap_load(int fd, const char *name, struct symtab **ret_table,
		 struct perfmap_counts *ret_counts, struct strobe_err *err)
{
	_cleanup_(freep) char *text = NULL;
	struct stat st;
	ssize_t size;

	if (fstat(fd, &st) < 0)
		return err_errno(err, "cannot read '%s'", name);
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EINVAL, "'%s' is not a regular file", name);
	if (st.st_size > file_max)
		return err_set(err, -EFBIG, "'%s' is too large for a perf map", name);
	text = xcalloc(1, (size_t)st.st_size + 1);
	size = read_up_to(fd, text, (size_t)st.st_size);
	if (size < 0)
		return err_errno(err, "cannot read '%s'", name);
	*ret_table = perfmap_parse(text, (size_t)size, ret_counts);
	return 0;
}
