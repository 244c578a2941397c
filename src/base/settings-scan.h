/*
 * settings-scan.h - the syntax of a file of settings, perf's:
 *
 *	# a comment, as after ;
 *	[report]
 *		sort_order = dso,sym   # runs of blanks in a value are one blank
 *	[section "part"] name = " a # in quotes \" \\ \t \n" \
 *		goes on here
 *
 * The bytes may be anything. What is no setting is passed over to the end of its line, and counted.
 *
 *	struct settings_scan scan = settings_scan_begin(text, size);
 *	while (settings_scan_next(&scan))
 *		... scan.section, scan.key, scan.value ...
 *	settings_scan_done(&scan);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct settings_scan {
	/* The setting that was found. A section's name is lower case: "report", "section.part". */
	struct str section, key, value;
	unsigned line;     /* of the key, from 1 */
	size_t begin, end; /* the bytes from the key to the end of the value */

	unsigned bad_count, bad_line; /* lines that make no sense: how many, and the first */

	const char *text; /* from here on its own */
	size_t size, at;
	unsigned at_line;
	bool has_section;
};

struct settings_scan settings_scan_begin(const char *text, size_t size);
bool settings_scan_next(struct settings_scan *scan);
void settings_scan_done(struct settings_scan *scan);

/* What can stand before the '='. */
bool settings_scan_is_key(const char *text);
