/*
 * suggest.h - "did you mean": the name in a list that is nearest to what was typed.
 *
 * Nearness counts letters inserted, left out, changed and swapped with their neighbour; case is
 * nearly free. A name qualifies if at most a third of it (and always one letter) would change.
 *
 *	struct suggest suggest = { .typed = "recrod" };
 *	for (...)
 *		suggest_try(&suggest, name);
 *	if (suggest.name)
 *		err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
 */
#pragma once

#include <stddef.h>

struct suggest {
	const char *typed;
	const char *name; /* the best so far, NULL if none is near; the caller's own pointer */
	unsigned cost;    /* of that name */
};

/* Of equally near names the first tried stays. */
void suggest_try(struct suggest *suggest, const char *name);
