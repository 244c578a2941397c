/* demangle-java.c - see demangle-java.h. */
#include "object/demangle-java.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

enum { DIMENSIONS_MAX = 255 };

static const char *primitive(char letter)
{
	switch (letter) {
	case 'B':
		return "byte";
	case 'C':
		return "char";
	case 'D':
		return "double";
	case 'F':
		return "float";
	case 'I':
		return "int";
	case 'J':
		return "long";
	case 'S':
		return "short";
	case 'Z':
		return "boolean";
	default:
		return NULL;
	}
}

/* "Ljava/lang/String;": what is behind it, or NULL. */
static const char *add_class(const char *at, struct str *text)
{
	const char *end = *at == 'L' ? at + strcspn(at, ";()[") : at;

	if (*end != ';' || end == at + 1)
		return NULL;
	for (at++; at < end; at++)
		str_add_char(text, *at == '/' ? '.' : *at);
	return end + 1;
}

/* A type of values: what is behind it, or NULL. */
static const char *add_type(const char *at, struct str *text)
{
	size_t dimensions = strspn(at, "[");
	const char *name = primitive(at[dimensions]);

	if (dimensions > DIMENSIONS_MAX)
		return NULL;
	at += dimensions;
	if (name) {
		str_add(text, name);
		at++;
	} else {
		at = add_class(at, text);
	}
	while (at && dimensions-- > 0)
		str_add(text, "[]");
	return at;
}

/* Up to the ')': what is behind it, or NULL. */
static const char *add_parameters(const char *at, struct str *text)
{
	for (bool is_first = true; at && *at != ')'; is_first = false) {
		if (!is_first)
			str_add(text, ", ");
		at = add_type(at, text);
	}
	return at ? at + 1 : NULL;
}

static bool is_result(const char *at)
{
	_cleanup_(str_done) struct str ignored = { 0 };

	if (*at == 'V')
		return at[1] == '\0';
	at = add_type(at, &ignored);
	return at && *at == '\0';
}

char *demangle_java(const char *name)
{
	_cleanup_(str_done) struct str text = { 0 };
	const char *method = add_class(name, &text), *at;
	size_t size = method ? strcspn(method, "(;[/.") : 0;

	if (size == 0 || method[size] != '(')
		return NULL;
	str_add_char(&text, '.');
	str_add_bytes(&text, method, size);
	str_add_char(&text, '(');
	at = add_parameters(method + size + 1, &text);
	if (!at || !is_result(at))
		return NULL;
	str_add_char(&text, ')');
	return str_take(&text);
}
