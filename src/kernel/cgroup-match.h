/*
 * cgroup-match.h - control groups by patterns.
 *
 * A pattern is a word with one of * ? [ ] ^ $ | ( ) { } + in it: an extended regular expression
 * that is looked for in the paths of all groups, with and without the slash that they begin with.
 * Dots and backslashes make no pattern: systemd's names have them.
 */
#pragma once

#include <stddef.h>

struct arena;
struct strobe_err;

/*
 * The groups that @words ("NAME,PATTERN,...") mean, each once: names as they are, there or not; the
 * groups of a pattern sorted by path, without the slash at its begin but for the topmost ("/").
 * NULL-terminated, in @arena. -EINVAL for a pattern that is none, -ENOENT for one that no group
 * has.
 */
int cgroup_match(const char *root, const char *words, struct arena *arena, const char ***ret_names,
		 struct strobe_err *err);
