/*
 * fields.h - the columns of a report, and what its rows are ordered by: -s, -F and the options that
 * add columns.
 *
 * A field is a sort key (it tells entries apart) or a measure (a number of an entry).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/measure.h"
#include "analyze/trace-keys.h"

struct sortkey;
struct strobe_err;

struct field {
	enum measure measure;
	const struct sortkey *key; /* NULL for a measure */
	bool joined;               /* "{a,b}": of one level of a hierarchy with the key before it */
};

struct field_list {
	struct field *items;
	size_t count, capacity;
};

/* A key that has the same value in all rows, so that its column is left out. */
struct field_elided {
	const char *name, *value;
};

struct fields {
	struct field_list columns;     /* from left to right */
	struct field_list all_columns; /* those that are elided, too */
	struct field_elided elided[3];
	size_t elided_count;
	struct field_list order;  /* the first counts most */
	struct trace_keys traced; /* those of the keys that are fields of tracepoints */
	char *sort_text;          /* what rows are told apart by, in words; NULL with -F alone */
	bool latency_is_asked; /* by --latency, -s or -F; else it is shown if it says something */
	bool self_is_named;    /* overhead is called "Self", since children stand beside it */
};

struct fields_options {
	const char *sort;         /* -s KEYS ("+KEYS" adds to the default), or NULL */
	const char *default_sort; /* what stands for comm,dso,symbol; or NULL */
	const char *fields;       /* -F FIELDS ("+FIELDS" adds), or NULL */
	const char *parent;       /* -p REGEX was given: a key more; or NULL */
	bool children;            /* entries count what they called */
	bool branches;            /* the report is about branches */
	bool branch_history;      /* --branch-history: call chains have branches */
	bool memory;              /* --mem-mode: about accesses to memory */
	bool stream;              /* samples are seen once, as they come */
	bool latency;             /* the recording tells how many threads ran at a time */
	bool latency_first;       /* --latency */
	bool traces;              /* all events are tracepoints: rows are their texts by default */
	bool show_samples, show_period, show_cpu;
	struct trace_source source; /* of keys that are fields of tracepoints */
};

/* -EINVAL: a field that does not exist; err names it, the hint the nearest ones. */
int fields_parse(const struct fields_options *options, struct fields *ret_fields,
		 struct strobe_err *err);
void fields_done(struct fields *fields);

/*
 * A hierarchy has a level for each key among the columns, but for those that are joined to the one
 * before them. Measures between keys belong to the level before them, those in front to all.
 */
size_t fields_level_count(const struct fields *fields);
size_t fields_level(const struct fields *fields, const struct sortkey *key);

/*
 * The fields of a table of @count events from the @first on: without keys that look at others.
 * *ret_some borrows all but its lists, which fields_done_some() frees.
 */
void fields_of_events(const struct fields *fields, size_t first, size_t count,
		      struct fields *ret_some);
void fields_done_some(struct fields *some);

/* Takes latency out again. */
void fields_drop_latency(struct fields *fields);

/* Leaves out the column of a key, if there is one. @value is borrowed. */
void fields_elide(struct fields *fields, const char *name, const char *value);
/* Shows the columns that were left out after all, though their values are known. */
void fields_restore(struct fields *fields);
/* To be called at the end: where no key is left, fields_restore(). */
void fields_unelide_all(struct fields *fields);

/* True if a key says what branches in call chains did. */
bool fields_want_history(const struct field_list *list);
/* True if a column shows shares of user, kernel or guests. */
bool fields_want_modes(const struct field_list *list);
/* True if a key looks at what data an instruction is about. */
bool fields_want_data(const struct field_list *list);
/* True if a key looks at source lines. */
bool fields_want_source(const struct field_list *list);
bool fields_have_key(const struct field_list *list, const char *name);

/* The @i-th name of those that -s and -F know: keys and their aliases, measures; NULL past the end.
 */
const char *fields_name(size_t i);
