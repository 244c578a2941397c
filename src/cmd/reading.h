/*
 * reading.h - opening a recording, for every command that reads one: its options, the file, the
 * profile.
 *
 * A command embeds a struct reading in its config and READING_OPTIONS in its table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/replay.h"
#include "base/opt.h"
#include "cmd/notices.h"
#include "cmd/output-format.h"
#include "cmd/running.h"
#include "symbol/resolve.h"

struct datafile;
struct debuginfod;
struct events;
struct hash;
struct live;
struct profile;
struct stream_input;
struct stack_sum;
struct tracepoint_set;

struct reading {
	const char *input; /* -i; NULL: standard input if it is a pipe, else perf.data */
	struct resolver_options names;
	char *symfs; /* names.symfs, where it is a part of what was typed; else NULL */
	bool no_demangle, no_inline;
	unsigned verbose;
	bool header, header_only, header_all;
	enum output_format format;
	/* Servers of debug information: those to ask, NULL: as the environment has them; whether it
	 * was said to ask them, or not to. */
	const char *debuginfod_urls;
	bool wants_debuginfod, no_debuginfod;

	struct running running;
	struct notices notices;        /* after reading_profile() */
	struct debuginfod *debuginfod; /* the same; NULL: nobody is asked */
	const struct datafile *file;   /* after reading_open() */
	struct profile *profile;       /* after reading_profile() */
	/* Where it is a stream that is read as it comes, else NULL: */
	struct stream_input *stream;
	struct live *live;
	struct datafile *own_file; /* else: what file points to */
};

/* DIR or DIR,LAYOUT; @field is a struct reading. */
int reading_take_symfs(void *field, const char *arg, bool negated, struct strobe_err *err);

/* URLS, NULL or "system": as the environment has them; "" or "no": none. @field is a struct
 * reading. */
int reading_take_debuginfod(void *field, const char *arg, bool negated, struct strobe_err *err);

#define READING_DEBUGINFOD_OPTION(at_)                                                             \
	{                                                                                          \
		OPT_CALL, '\0', "debuginfod", "[URLS]", at_,                                       \
			"Ask these servers for debug information that is not here, or none "       \
			"(default: those of DEBUGINFOD_URLS)",                                     \
			.call = reading_take_debuginfod, .key = "buildid-cache.debuginfod"         \
	}

#define READING_OPTIONS(type, at_)                                                                 \
	{ OPT_STR,                                                                                 \
	  'i',                                                                                     \
	  "input",                                                                                 \
	  "FILE",                                                                                  \
	  offsetof(type, at_.input),                                                               \
	  "Read FILE, '-' for standard input (default: perf.data)" },                              \
		{ OPT_FLAG,                                                                        \
		  'f',                                                                             \
		  "force",                                                                         \
		  NULL,                                                                            \
		  offsetof(type, at_.names.force),                                                 \
		  "Use perf maps and JIT dumps of other users, too" },                             \
		{ OPT_CALL,                                                                        \
		  '\0',                                                                            \
		  "symfs",                                                                         \
		  "DIR[,flat]",                                                                    \
		  offsetof(type, at_),                                                             \
		  "Look for objects below DIR instead of below /, with flat by the last part of "  \
		  "their paths",                                                                   \
		  .call = reading_take_symfs,                                                      \
		  .flags = OPT_NO_NEGATE },                                                        \
		READING_DEBUGINFOD_OPTION(offsetof(type, at_)),                                    \
		{ OPT_STR,                                                                         \
		  '\0',                                                                            \
		  "kallsyms",                                                                      \
		  "FILE",                                                                          \
		  offsetof(type, at_.names.kallsyms),                                              \
		  "Take the kernel's symbols from FILE" },                                         \
		{ OPT_STR,                                                                         \
		  'k',                                                                             \
		  "vmlinux",                                                                       \
		  "FILE",                                                                          \
		  offsetof(type, at_.names.vmlinux),                                               \
		  "Take the kernel's symbols from its image FILE" },                               \
		{ OPT_FLAG,                                                                        \
		  '\0',                                                                            \
		  "no-demangle",                                                                   \
		  NULL,                                                                            \
		  offsetof(type, at_.no_demangle),                                                 \
		  "Print C++ and Rust names as the object has them" },                             \
		{ OPT_FLAG,                                                                        \
		  '\0',                                                                            \
		  "no-inline",                                                                     \
		  NULL,                                                                            \
		  offsetof(type, at_.no_inline),                                                   \
		  "Do not show functions that compilers put into others in call chains" },         \
		{ OPT_FLAG,                                                                        \
		  '\0',                                                                            \
		  "header",                                                                        \
		  NULL,                                                                            \
		  offsetof(type, at_.header),                                                      \
		  "Print what is known of the recording first" },                                  \
		{ OPT_FLAG,                                                                        \
		  '\0',                                                                            \
		  "header-only",                                                                   \
		  NULL,                                                                            \
		  offsetof(type, at_.header_only),                                                 \
		  "Print what is known of the recording, and nothing else" },                      \
		{ OPT_FLAG,                                                                        \
		  'I',                                                                             \
		  "show-info",                                                                     \
		  NULL,                                                                            \
		  offsetof(type, at_.header_all),                                                  \
		  "With --header: also the topologies of CPU, memory and caches" },                \
	{                                                                                          \
		OPT_COUNT, 'v', "verbose", NULL, offsetof(type, at_.verbose), "Say more"           \
	}

/* Opens the file. Remarks on what is damaged in it go to stderr. */
int reading_open(struct reading *reading, struct strobe_err *err);
/* The same for a command that needs no names of code. *@input: as in struct reading, then what it
 * is. */
int reading_open_file(const char **input, struct datafile **ret_file, struct strobe_err *err);
/* As reading_open(); but what comes through a pipe is read as it comes, by reading_replay(), and
 * with @until_signal to no later than a signal that asks to end. */
int reading_open_stream(struct reading *reading, bool until_signal, struct strobe_err *err);
/*
 * How names are looked up: sets reading->names up, with servers to ask but of a stream, which would
 * have to wait for them, unless it was said. For reading_profile(), and who needs no profile.
 */
void reading_prepare_names(struct reading *reading);
/* Pass 1 over the opened file; of a stream, nothing yet. */
int reading_profile(struct reading *reading, struct strobe_err *err);

struct reading_handlers {
	replay_each *each;    /* see replay_all() */
	replay_other *others; /* or NULL */
	/* Of a stream: what was looked up is to be looked up again; see live.h. */
	void (*changed)(void *context);
	/* What was looked up goes; whose dsos are still in use is added to @dsos. */
	void (*forget)(void *context, struct hash *dsos);
	/* All that has come so far was handed out. Not 0: that is enough. */
	int (*settled)(void *context);
	void *context;
};

/* Pass 2 in order of time, to the end of the file or stream, or until a handler's result is not 0.
 */
int reading_replay(struct reading *reading, const struct reading_handlers *handlers,
		   struct strobe_err *err);

/* Without passes: all records in the order of the file or stream. */
int reading_records(struct reading *reading,
		    void (*each)(void *context, const struct record *record), void *context,
		    struct strobe_err *err);

/* The header, where it was asked for, and is no part of what follows. True if that was all. */
bool reading_header(const struct reading *reading);

/* What became of copied stacks, for when all have been read; names live as long as the reading. */
void reading_stacks(const struct reading *reading, struct stack_sum *ret_sum);
/* To stderr, where not all copied stacks could be unwound to their end: how many, and what helps.
 */
void reading_remark_stacks(const struct reading *reading);
/* To stderr, what is to be known of JIT dumps that names were taken from. */
void reading_remark_dumps(const struct reading *reading);
/* One line to stderr on what the samples' reader had to leave out; for when all have been read. */
void reading_remark_skipped(const struct reading *reading);

/*
 * The formats of the recording's tracepoints, to tracepoint_set_free(). NULL where it has none, or,
 * with a remark, where they cannot be read.
 */
struct tracepoint_set *reading_tracepoints(const struct datafile *file);

/* The architecture that the recording is of, as uname -m says it; "" if it does not tell. */
const char *reading_arch(const struct datafile *file);

void reading_done(struct reading *reading);

/* The name of each event as it is printed, by its index. */
struct reading_names {
	char **items;
	size_t count;
	int width; /* of the longest */
};
struct reading_names reading_names(const struct events *events);
void reading_names_done(struct reading_names *names);
