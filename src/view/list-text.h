/*
 * list-text.h - events and metrics, listed in perf's manner.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct event_rows;

struct list_text_options {
	bool details; /* what a name stands for, and formulas */
	bool no_text; /* names alone */
	bool groups;  /* of metrics, the groups with what is in them */
};

/* Under a heading for each kind. What cannot be opened says so behind its name. */
void list_text_print(const struct event_rows *rows, const struct list_text_options *options,
		     FILE *out);
/* The names on one line, for programs that complete them; only those that can be opened. */
void list_text_dump(const struct event_rows *rows, FILE *out);
/* Names of the groups of metrics, one a line; on one line. */
void list_text_groups(const struct event_rows *rows, FILE *out);
void list_text_dump_groups(const struct event_rows *rows, FILE *out);
