/*
 * glob.h - shell patterns of names: '*' is any text, '?' any character, "[a-z]" and "[!a-z]" one of
 * a set; a '\\' before one of them takes its meaning away.
 *
 * In time that grows with the text times the pattern, whatever they are (fnmatch(3) has patterns
 * that take it for ever). Bytes count as characters.
 */
#pragma once

#include <stdbool.h>

bool glob_match(const char *pattern, const char *text);
/* The same where 'a' is 'A'. */
bool glob_match_case(const char *pattern, const char *text);
/* False if only the very text of @pattern matches it. */
bool glob_is_pattern(const char *pattern);
