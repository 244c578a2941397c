/* cgroup-match.c - see cgroup-match.h. */
#include "kernel/cgroup-match.h"

#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/cgroup.h"

struct match {
	struct arena *arena;
	const char **names;
	size_t count, capacity;
	size_t known;   /* before the word */
	size_t matched; /* by the pattern, also those named before */
	const regex_t *pattern;
};

static void add(struct match *match, const char *name)
{
	if (match->count == match->capacity)
		match->names = xgrow(match->names, &match->capacity, sizeof(*match->names));
	match->names[match->count++] = name;
}

/* "/a" and "a" are the same group. */
static const char *bare(const char *name)
{
	return name + strspn(name, "/");
}

static bool is_named_before(const struct match *match, const char *name)
{
	for (size_t i = 0; i < match->known; i++)
		if (strcmp(bare(match->names[i]), bare(name)) == 0)
			return true;
	return false;
}

static void visit(void *context, uint64_t id, const char *path)
{
	struct match *match = context;
	const char *name = *bare(path) ? bare(path) : "/";

	if (regexec(match->pattern, path, 0, NULL, 0) != 0 &&
	    regexec(match->pattern, bare(path), 0, NULL, 0) != 0)
		return;
	match->matched++;
	if (!is_named_before(match, name))
		add(match, arena_strdup(match->arena, name));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int add_pattern(struct match *match, const char *root, const char *text,
		       struct strobe_err *err)
{
	regex_t pattern;
	char why[128];
	int r = regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB);

	if (r != 0) {
		(void)regerror(r, &pattern, why, sizeof(why));
		return err_set(err, -EINVAL, "'%s' is no pattern of cgroups: %s", text, why);
	}
	match->matched = 0;
	match->pattern = &pattern;
	r = cgroup_walk(root, visit, match);
	regfree(&pattern);
	if (r < 0) {
		err_set(err, r, "cgroups '%s': no cgroup hierarchy is mounted here", text);
		return err_hint(err, r, "as root: mount -t cgroup2 none /sys/fs/cgroup");
	}
	if (match->matched == 0)
		return err_set(err, -ENOENT, "no cgroup matches '%s'", text);
	if (match->count > match->known)
		qsort(match->names + match->known, match->count - match->known,
		      sizeof(*match->names), by_name);
	return 0;
}

static int add_word(struct match *match, const char *root, const char *word, struct strobe_err *err)
{
	match->known = match->count;
	if (word[strcspn(word, "*?[]^$|(){}+")])
		return add_pattern(match, root, word, err);
	if (!is_named_before(match, word))
		add(match, word);
	return 0;
}

int cgroup_match(const char *root, const char *words, struct arena *arena, const char ***ret_names,
		 struct strobe_err *err)
{
	struct match match = { .arena = arena };
	struct str_part part;
	int r = 0;

	while (r == 0 && str_split(&words, ',', &part))
		r = add_word(&match, root, arena_strndup(arena, part.text, part.size), err);
	*ret_names = arena_alloc(arena, (match.count + 1) * sizeof(**ret_names));
	if (match.count > 0)
		memcpy(*ret_names, match.names, match.count * sizeof(**ret_names));
	(*ret_names)[match.count] = NULL;
	free(match.names);
	return r;
}
