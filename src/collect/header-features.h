/*
 * header-features.h - what a recording's header says of the machine, the command and the events.
 *
 * Everything that this machine tells is gathered here and handed to the writer; what only the
 * recording knows comes from the caller. What the kernel does not tell is left out: readers list
 * it as missing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_programs;
struct buildids_entry;
struct eventdesc_group;
struct eventlist;
struct strobe_err;
struct writer;
struct writer_event;

struct header_features_options {
	const char *root;    /* a folder with proc/ and sys/ in it; NULL: the machine */
	const char *version; /* of the recorder */
	/* The command line without the program: "record", "-g", ...; NULL-terminated. */
	const char *const *argv;
	bool is_stat; /* of counts: argv is the command that was counted, as readers show it */
	bool pipe; /* the writer's output is one: what perf sends as records of its own is left out
		    */

	const struct writer_event *events;
	size_t event_count;
	const struct eventdesc_group *groups; /* those with more than one member */
	size_t group_count;

	const struct buildids_entry *build_ids;
	size_t build_id_count;
	const struct bpf_programs *bpf; /* NULL: not looked for */

	uint64_t first_ns, last_ns; /* of samples; 0 where none has a time */
	bool use_clockid;           /* events were given this clock: */
	int32_t clockid;
	bool branch_stack; /* samples have them */
};

/* Groups of more than one; @groups has room for as many as there are events. How many there are. */
size_t header_features_groups(const struct eventlist *list, struct eventdesc_group *groups);

/* What is known before the first record; what is not: programs and what was recorded; both. */
int header_features_begin(const struct header_features_options *options, struct writer *writer,
			  struct strobe_err *err);
int header_features_end(const struct header_features_options *options, struct writer *writer,
			struct strobe_err *err);
int header_features_write(const struct header_features_options *options, struct writer *writer,
			  struct strobe_err *err);
