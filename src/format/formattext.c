/* formattext.c - see formattext.h. */
#include "format/formattext.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

/* Kernels have a hundred; every record is asked for each of them. */
enum { FIELDS_MOST = 1024 };

/* Moves past @word, if the line goes on with it. */
static bool take_word(struct str_part *line, const char *word)
{
	size_t size = strlen(word);

	if (line->size < size || memcmp(line->text, word, size) != 0)
		return false;
	line->text += size;
	line->size -= size;
	return true;
}

/* A number of nine digits at most. */
static bool take_number(struct str_part *line, uint32_t *ret_number)
{
	size_t size = 0;

	*ret_number = 0;
	for (; size < line->size && size < 10 && isdigit((unsigned char)line->text[size]); size++)
		*ret_number = *ret_number * 10 + (uint32_t)(line->text[size] - '0');
	line->text += size;
	line->size -= size;
	return size > 0 && size < 10;
}

static bool take_declaration(struct str_part *line, struct str_part *ret_declaration)
{
	const char *end = memchr(line->text, ';', line->size);
	size_t size = end ? (size_t)(end - line->text) : 0;

	*ret_declaration = (struct str_part){ line->text, size };
	line->text += size;
	line->size -= size;
	return size > 0;
}

static bool parse_field(struct str_part line, struct arena *arena, struct tracefields *fields)
{
	struct str_part declaration;
	uint32_t offset, size, is_signed = 0;

	if (!take_word(&line, "\tfield:") || !take_declaration(&line, &declaration) ||
	    !take_word(&line, ";\toffset:") || !take_number(&line, &offset) ||
	    !take_word(&line, ";\tsize:") || !take_number(&line, &size) || !take_word(&line, ";"))
		return false;
	/* Before Linux 2.6.32 signs were not told. */
	if (line.size > 0 && (!take_word(&line, "\tsigned:") || !take_number(&line, &is_signed) ||
			      !take_word(&line, ";")))
		return false;
	return line.size == 0 && tracefields_add(fields, declaration.text, declaration.size, offset,
						 size, is_signed, arena);
}

static bool parse_name(struct str_part line, struct str_part *ret_name)
{
	if (!take_word(&line, "name: ") || line.size == 0)
		return false;
	for (size_t i = 0; i < line.size; i++)
		if (!isalnum((unsigned char)line.text[i]) && !strchr("_-.", line.text[i]))
			return false;
	*ret_name = line;
	return true;
}

static struct str_part next_line(const char **at, const char *end)
{
	const char *stop = memchr(*at, '\n', (size_t)(end - *at));
	struct str_part line = { *at, (size_t)((stop ? stop : end) - *at) };

	*at = stop ? stop + 1 : end;
	return line;
}

bool formattext_parse(const char *text, size_t size, struct arena *arena,
		      struct formattext *ret_format)
{
	const char *at = text, *end = text + size;
	struct str_part line;

	if (size == 0 || memchr(text, '\0', size) ||
	    !parse_name(next_line(&at, end), &ret_format->name))
		return false;
	line = next_line(&at, end);
	if (!take_word(&line, "ID: ") || !take_number(&line, &ret_format->id) || line.size > 0 ||
	    !str_part_is(next_line(&at, end), "format:"))
		return false;
	while (at < end) {
		line = next_line(&at, end);
		if (take_word(&line, "print fmt: ")) {
			ret_format->print =
				(struct str_part){ line.text, (size_t)(end - line.text) };
			return true;
		}
		if (line.size > 0 && (ret_format->fields.count == FIELDS_MOST ||
				      !parse_field(line, arena, &ret_format->fields)))
			return false;
	}
	return false;
}
