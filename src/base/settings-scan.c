/* settings-scan.c - see settings-scan.h. */
#include "base/settings-scan.h"

enum { ENDED = -1 };

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A dot is what perf writes for "[a.b] c = 1" when it writes the file anew: "[a] b.c = 1". */
static bool is_key_char(int c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

bool settings_scan_is_key(const char *text)
{
	if (!is_letter((unsigned char)*text))
		return false;
	while (is_key_char((unsigned char)*text))
		text++;
	return *text == '\0';
}

struct settings_scan settings_scan_begin(const char *text, size_t size)
{
	struct settings_scan scan = { .text = text, .size = size, .at_line = 1 };

	/* What some editors put before UTF-8. */
	if (size >= 3 && text[0] == '\xef' && text[1] == '\xbb' && text[2] == '\xbf')
		scan.at = 3;
	return scan;
}

void settings_scan_done(struct settings_scan *scan)
{
	str_done(&scan->section);
	str_done(&scan->key);
	str_done(&scan->value);
}

static int peek(const struct settings_scan *scan)
{
	return scan->at < scan->size ? (unsigned char)scan->text[scan->at] : ENDED;
}

static int advance(struct settings_scan *scan)
{
	int c = peek(scan);

	if (c == ENDED)
		return c;
	scan->at++;
	scan->at_line += c == '\n';
	return c;
}

static void skip_blanks(struct settings_scan *scan)
{
	while (is_blank(peek(scan)))
		scan->at++;
}

static void skip_line(struct settings_scan *scan)
{
	while (peek(scan) != '\n' && peek(scan) != ENDED)
		scan->at++;
}

static void skip_bad(struct settings_scan *scan, unsigned line)
{
	if (scan->bad_count++ == 0)
		scan->bad_line = line;
	skip_line(scan);
}

/* Behind a backslash. False: what stands there means nothing. */
static bool scan_escape(struct settings_scan *scan, struct str *ret_text)
{
	int c = peek(scan);

	switch (c) {
	case 't':
		c = '\t';
		break;
	case 'b':
		c = '\b';
		break;
	case 'n':
		c = '\n';
		break;
	case '\\':
	case '"':
		break;
	default:
		return false;
	}
	str_add_char(ret_text, (char)c);
	scan->at++;
	return true;
}

/* "part"] of a section's header. */
static bool scan_part(struct settings_scan *scan)
{
	int c;

	scan->at++;
	str_add_char(&scan->section, '.');
	while ((c = peek(scan)) != '"') {
		if (c == ENDED || c == '\n' || c == '\0')
			return false;
		scan->at++;
		if (c != '\\')
			str_add_char(&scan->section, (char)c);
		else if (!scan_escape(scan, &scan->section))
			return false;
	}
	scan->at++;
	return true;
}

static bool scan_section(struct settings_scan *scan)
{
	str_clear(&scan->section);
	scan->at++;
	for (int c = peek(scan); is_key_char(c); c = peek(scan)) {
		str_add_char(&scan->section, (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c));
		scan->at++;
	}
	if (scan->section.size == 0)
		return false;
	if (is_blank(peek(scan))) {
		skip_blanks(scan);
		if (peek(scan) != '"' || !scan_part(scan))
			return false;
	}
	if (peek(scan) != ']')
		return false;
	scan->at++;
	return true;
}

static bool scan_key(struct settings_scan *scan)
{
	str_clear(&scan->key);
	if (!is_letter(peek(scan)))
		return false;
	scan->line = scan->at_line;
	scan->begin = scan->at;
	while (is_key_char(peek(scan)))
		str_add_char(&scan->key, (char)advance(scan));
	skip_blanks(scan);
	if (peek(scan) != '=')
		return false;
	scan->at++;
	return true;
}

/* A backslash at the end of a line: the value goes on in the next. */
static bool skip_continuation(struct settings_scan *scan)
{
	size_t at = scan->at;

	if (at < scan->size && scan->text[at] == '\r')
		at++;
	if (at >= scan->size || scan->text[at] != '\n')
		return false;
	scan->at = at + 1;
	scan->at_line++;
	return true;
}

static bool scan_value(struct settings_scan *scan)
{
	bool quoted = false, blank = false;

	str_clear(&scan->value);
	skip_blanks(scan);
	scan->end = scan->at;
	for (int c = peek(scan); c != ENDED && c != '\n'; c = peek(scan)) {
		if (!quoted && is_blank(c)) {
			blank = true;
			scan->at++;
			continue;
		}
		if (!quoted && (c == '#' || c == ';'))
			break;
		if (c == '\0')
			return false;
		if (blank && scan->value.size > 0)
			str_add_char(&scan->value, ' ');
		blank = false;
		scan->at++;
		if (c == '"')
			quoted = !quoted;
		else if (c != '\\')
			str_add_char(&scan->value, (char)c);
		else if (!skip_continuation(scan) && !scan_escape(scan, &scan->value))
			return false;
		scan->end = scan->at;
	}
	skip_line(scan);
	return !quoted;
}

bool settings_scan_next(struct settings_scan *scan)
{
	for (int c = peek(scan); c != ENDED; c = peek(scan)) {
		unsigned line = scan->at_line;

		if (is_blank(c) || c == '\n') {
			(void)advance(scan);
		} else if (c == '#' || c == ';') {
			skip_line(scan);
		} else if (c == '[') {
			scan->has_section = scan_section(scan);
			if (!scan->has_section)
				skip_bad(scan, line);
		} else {
			bool is_whole = scan_key(scan) && scan_value(scan);

			if (is_whole && scan->has_section)
				return true;
			/* Behind a bad header it is the header that is bad. */
			if (!is_whole || scan->bad_count == 0)
				skip_bad(scan, line);
		}
	}
	return false;
}
