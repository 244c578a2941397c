/*
 * verdicts.h - whether a pattern matches the function of a site, which is asked for each link of
 * each call chain, and found out once.
 */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct function;

/* Starts as { 0 }. */
struct verdicts {
	char *items; /* by site: 'y', 'n', or 0: nobody asked */
	size_t count, capacity;
};

/* @function is the site's, or NULL: that never matches. */
bool verdicts_match(struct verdicts *verdicts, const regex_t *regex, uint32_t site,
		    const struct function *function);
void verdicts_done(struct verdicts *verdicts);
