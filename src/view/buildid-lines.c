/* buildid-lines.c - see buildid-lines.h. */
#include "view/buildid-lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"

enum { ID_COLUMN = 40 /* digits that a missing id is padded to */ };

void buildid_lines_done(struct buildid_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i].name);
	free(lines->items);
}

struct buildid_line *buildid_lines_add(struct buildid_lines *lines, const char *name,
				       const uint8_t *id, size_t id_size)
{
	struct buildid_line *line;

	grow(lines);
	line = &lines->items[lines->count++];
	*line = (struct buildid_line){ .name = name ? xstrdup(name) : NULL, .id_size = id_size };
	if (line->id_size > sizeof(line->id))
		line->id_size = sizeof(line->id);
	memcpy(line->id, id, line->id_size);
	return line;
}

static void add_line(const struct buildid_line *line, struct str *out)
{
	size_t digits = 2 * line->id_size, begin;

	str_add_hex(out, line->id, line->id_size);
	if (line->has_range) {
		str_add_char(out, ' ');
		str_add_hexadecimal(out, line->start, 16, ' ');
		str_add_char(out, ' ');
		str_add_hexadecimal(out, line->end, 16, ' ');
	} else if (line->name && digits < ID_COLUMN) {
		str_add_repeat(out, ' ', ID_COLUMN - digits);
	}
	begin = out->size;
	if (line->name)
		str_addf(out, " %s", line->name);
	str_one_line(out, begin);
	str_add_char(out, '\n');
}

void buildid_lines_text(const struct buildid_lines *lines, FILE *out)
{
	struct str text = { 0 };

	for (size_t i = 0; i < lines->count; i++)
		add_line(&lines->items[i], &text);
	(void)fwrite(str_text(&text), 1, text.size, out);
	str_done(&text);
}

void buildid_lines_json(const struct buildid_lines *lines, FILE *out)
{
	struct str text = { 0 };
	struct json json = { .out = &text };

	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.buildid-list/1");
	json_begin_list(&json, "objects");
	for (size_t i = 0; i < lines->count; i++) {
		const struct buildid_line *line = &lines->items[i];

		json_begin(&json, NULL);
		json_hex(&json, "build_id", line->id, line->id_size);
		json_text(&json, "name", line->name);
		if (line->has_range) {
			json_addr(&json, "start", line->start);
			json_addr(&json, "end", line->end);
		}
		json_end(&json);
	}
	json_end_list(&json);
	json_end(&json);
	str_add_char(&text, '\n');
	(void)fwrite(text.text, 1, text.size, out);
	str_done(&text);
}
