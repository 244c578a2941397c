/* formattext.c - see formattext.h. */
#include "format/formattext.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

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

static bool take_number(struct str_part *line)
{
	size_t size = 0;

	while (size < line->size && isdigit((unsigned char)line->text[size]))
		size++;
	line->text += size;
	line->size -= size;
	return size > 0 && size < 10;
}

static bool is_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* "char prev_comm[16]": types, a name, perhaps the length of an array in brackets that pair. */
static bool take_declaration(struct str_part *line)
{
	const char *end = memchr(line->text, ';', line->size);
	size_t size = end ? (size_t)(end - line->text) : 0;
	bool inside = false, spaced = false;

	for (size_t i = 0; i < size; i++) {
		char c = line->text[i];

		if ((c == '[' && (inside || i == 0)) || (c == ']' && !inside))
			return false;
		if (c == '[' || c == ']')
			inside = c == '[';
		else if (!inside && !is_identifier(c) && !strchr(" *", c))
			return false;
		spaced |= c == ' ' && i > 0;
	}
	if (size == 0 || inside || !spaced ||
	    (!is_identifier(line->text[size - 1]) && line->text[size - 1] != ']'))
		return false;
	line->text += size;
	line->size -= size;
	return true;
}

static bool is_field(struct str_part line)
{
	if (!take_word(&line, "\tfield:") || !take_declaration(&line) ||
	    !take_word(&line, ";\toffset:") || !take_number(&line) ||
	    !take_word(&line, ";\tsize:") || !take_number(&line) || !take_word(&line, ";"))
		return false;
	/* Before Linux 2.6.32 signs were not told. */
	if (line.size > 0 &&
	    (!take_word(&line, "\tsigned:") || !take_number(&line) || !take_word(&line, ";")))
		return false;
	return line.size == 0;
}

static bool is_name(struct str_part line)
{
	if (!take_word(&line, "name: ") || line.size == 0)
		return false;
	for (size_t i = 0; i < line.size; i++)
		if (!is_identifier(line.text[i]) && !strchr("-.", line.text[i]))
			return false;
	return true;
}

static struct str_part next_line(const char **at, const char *end)
{
	const char *stop = memchr(*at, '\n', (size_t)(end - *at));
	struct str_part line = { *at, (size_t)((stop ? stop : end) - *at) };

	*at = stop ? stop + 1 : end;
	return line;
}

bool formattext_is_whole(const char *text, size_t size, size_t *ret_print_at)
{
	const char *at = text, *end = text + size;
	struct str_part line;

	if (size == 0 || memchr(text, '\0', size) || !is_name(next_line(&at, end)))
		return false;
	line = next_line(&at, end);
	if (!take_word(&line, "ID: ") || !take_number(&line) || line.size > 0 ||
	    !str_part_is(next_line(&at, end), "format:"))
		return false;
	while (at < end) {
		line = next_line(&at, end);
		if (take_word(&line, "print fmt: ")) {
			*ret_print_at = (size_t)(line.text - text);
			return true;
		}
		if (line.size > 0 && !is_field(line))
			return false;
	}
	return false;
}
