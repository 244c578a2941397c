/* glob.c - see glob.h. */
#include "base/glob.h"

#include <stddef.h>
#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/*
 * Behind the ']' of the set that begins at @set; NULL if it is none. A ']' that comes first is one
 * of the set.
 */
static const char *set_end(const char *set)
{
	const char *c = set + 1;

	if (*c == '!' || *c == '^')
		c++;
	if (*c == ']')
		c++;
	while (*c && *c != ']')
		c++;
	return *c ? c + 1 : NULL;
}

static bool is_negated(const char *set)
{
	return set[1] == '!' || set[1] == '^';
}

/* Whether @c is listed, be it to have it or to have it not. */
static bool is_listed(const char *set, const char *end, char c)
{
	const char *s = set + 1 + is_negated(set);

	end--; /* the ']' */
	while (s < end) {
		char low = *s, high = low;

		if (s + 2 < end && s[1] == '-') {
			high = s[2];
			s += 2;
		}
		s++;
		if (c >= low && c <= high)
			return true;
	}
	return false;
}

static bool in_set(const char *set, const char *end, char c, bool fold)
{
	bool found = is_listed(set, end, c) ||
		     (fold && (is_listed(set, end, lower(c)) || is_listed(set, end, upper(c))));

	return found != is_negated(set);
}

/* Whether the pattern's next item, which is no '*', is @c; *ret_next is behind it then. */
static bool match_one(const char *pattern, char c, bool fold, const char **ret_next)
{
	const char *end = *pattern == '[' ? set_end(pattern) : NULL;

	*ret_next = end ? end : pattern + 1;
	if (end)
		return in_set(pattern, end, c, fold);
	if (*pattern == '?')
		return true;
	if (*pattern == '\\' && pattern[1]) {
		pattern++;
		*ret_next = pattern + 1;
	}
	return *pattern == c || (fold && lower(*pattern) == lower(c));
}

/* When it goes wrong behind a '*', that takes one character more; an earlier '*' never has to. */
static bool match(const char *pattern, const char *text, bool fold)
{
	const char *star = NULL, *star_text = NULL, *next;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			star_text = text;
			continue;
		}
		if (*pattern && match_one(pattern, *text, fold, &next)) {
			pattern = next;
			text++;
			continue;
		}
		if (!star)
			return false;
		pattern = star;
		text = ++star_text;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool glob_match(const char *pattern, const char *text)
{
	return match(pattern, text, false);
}

bool glob_match_case(const char *pattern, const char *text)
{
	return match(pattern, text, true);
}

bool glob_is_pattern(const char *pattern)
{
	return pattern[strcspn(pattern, "*?[\\")] != '\0';
}
