/* settings-edit.c - see settings-edit.h. */
#include "base/settings-edit.h"

#include <string.h>

#include "base/mem.h"
#include "base/settings-scan.h"
#include "base/settings.h"
#include "base/str.h"

/* What settings_scan would not read as it is. */
static bool needs_quotes(const char *value)
{
	size_t size = strlen(value);

	return strpbrk(value, "#;\"\\\t\n\b\r\f\v") || strstr(value, "  ") || value[0] == ' ' ||
	       (size > 0 && value[size - 1] == ' ');
}

static void add_value(struct str *text, const char *value)
{
	if (!needs_quotes(value)) {
		str_add(text, value);
		return;
	}
	str_add_char(text, '"');
	for (; *value; value++) {
		switch (*value) {
		case '\t':
			str_add(text, "\\t");
			break;
		case '\b':
			str_add(text, "\\b");
			break;
		case '\n':
			str_add(text, "\\n");
			break;
		case '\\':
		case '"':
			str_add_char(text, '\\');
			str_add_char(text, *value);
			break;
		default:
			str_add_char(text, *value);
			break;
		}
	}
	str_add_char(text, '"');
}

/* Where in the text the change goes. */
struct edit {
	bool has_name, has_section;
	bool is_open;      /* the last value goes on to the end of the text, whatever is added */
	size_t begin, end; /* of the setting; or both: behind the last one of its section */
};

static struct edit find_place(const char *text, size_t size, const char *name)
{
	_cleanup_(settings_scan_done) struct settings_scan scan = settings_scan_begin(text, size);
	_cleanup_(str_done) struct str found = { 0 };
	size_t section_size = strcspn(name, ".");
	struct edit edit = { .begin = size, .end = size };
	bool is_open = false;

	while (settings_scan_next(&scan)) {
		is_open = scan.at == size;
		str_clear(&found);
		str_addf(&found, "%s.%s", str_text(&scan.section), str_text(&scan.key));
		if (settings_is_name(found.text, name)) {
			edit = (struct edit){ .has_name = true,
					      .begin = scan.begin,
					      .end = scan.end };
		} else if (!edit.has_name && scan.section.size == section_size &&
			   strncasecmp(scan.section.text, name, section_size) == 0) {
			/* The scan stands at the end of the line. */
			edit = (struct edit){ .has_section = true,
					      .begin = scan.at,
					      .end = scan.at };
		}
	}
	edit.is_open = is_open;
	return edit;
}

/*
 * The text in front of what is added. A backslash that ends it would go on in the next line, which
 * is then an empty one.
 */
static void add_front(struct str *text, const char *front, size_t size)
{
	str_add_bytes(text, front, size);
	if (size > 0 && front[size - 1] == '\\')
		str_add_char(text, '\n');
}

void settings_edit(const char *text, size_t size, const char *name, const char *value,
		   struct str *ret_text)
{
	struct edit edit = find_place(text, size, name);
	const char *dot = strchrnul(name, '.');

	add_front(ret_text, text, edit.begin);
	if (edit.has_section) {
		str_add(ret_text, "\n\t");
	} else if (!edit.has_name) {
		if (size > 0 && (text[size - 1] != '\n' || edit.is_open))
			str_add_char(ret_text, '\n');
		str_addf(ret_text, "[%.*s]\n\t", (int)(dot - name), name);
	}
	str_addf(ret_text, "%s = ", *dot ? dot + 1 : "");
	add_value(ret_text, value);
	if (!edit.has_name && !edit.has_section)
		str_add_char(ret_text, '\n');
	str_add_bytes(ret_text, text + edit.end, size - edit.end);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* From @begin to @end, and the whole line if there are only blanks besides. */
static void widen(const char *text, size_t size, size_t *begin, size_t *end)
{
	size_t first = *begin, last = *end;

	while (first > 0 && is_blank(text[first - 1]))
		first--;
	while (last < size && is_blank(text[last]))
		last++;
	if ((first > 0 && text[first - 1] != '\n') || (last < size && text[last] != '\n'))
		return;
	*begin = first;
	*end = last < size ? last + 1 : last;
}

void settings_edit_unset(const char *text, size_t size, const char *name, struct str *ret_text)
{
	_cleanup_(settings_scan_done) struct settings_scan scan = settings_scan_begin(text, size);
	_cleanup_(str_done) struct str found = { 0 };
	size_t copied = 0;

	while (settings_scan_next(&scan)) {
		size_t begin = scan.begin, end = scan.end;

		str_clear(&found);
		str_addf(&found, "%s.%s", str_text(&scan.section), str_text(&scan.key));
		if (!settings_is_name(found.text, name))
			continue;
		widen(text, size, &begin, &end);
		str_add_bytes(ret_text, text + copied, begin - copied);
		copied = end;
	}
	str_add_bytes(ret_text, text + copied, size - copied);
}
