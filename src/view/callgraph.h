/*
 * callgraph.h - the call tree of an entry as text, below its row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/calltree.h"

struct hist_entry;
struct resolver;
struct str;

enum callgraph_style {
	CALLGRAPH_NONE,
	CALLGRAPH_GRAPH,   /* shares of all */
	CALLGRAPH_FRACTAL, /* shares of the caller */
	CALLGRAPH_FLAT,    /* chains one by one, a frame a line */
	CALLGRAPH_FOLDED,  /* chains one by one, a chain a line */
};

enum callgraph_value {
	CALLGRAPH_PERCENT,
	CALLGRAPH_PERIOD,
	CALLGRAPH_SAMPLES,
};

struct callgraph {
	const struct sites *sites;
	struct resolver *resolver; /* of JSON: tells why a frame has no name */
	enum callgraph_style style;
	enum callgraph_value value;
	const char *separator; /* -t: between the frames of a folded chain; NULL: ";" */
	size_t most;           /* children printed of each node, chains of FLAT; 0: all */
	bool first_is_known;   /* the row already names the first frame */
	bool show_branches;    /* what branches at each frame did; not of FLAT and FOLDED */
	bool show_dso;         /* -v */
	bool color;            /* of high percentages */
	uint64_t total;        /* 100 % */
	double min_percent;    /* FLAT and FOLDED: what is not worth a line */
};

/* Begins and ends the color of a percentage, which is red or green if it is high. */
const char *callgraph_color(double percent);
const char *callgraph_color_end(double percent);

/* @period is the entry's own (with children, if the report counts them). */
void callgraph_print(const struct callgraph *graph, struct hist_entry *entry, uint64_t period,
		     struct str *out);
