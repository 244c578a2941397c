/*
 * stage.h - what may stand between the rings and the file: records go in, records come out.
 *
 * The recorder empties its rings in rounds. All of a round is shown to the stage first, ring by
 * ring, and then handed over in the same order, so that a stage knows of what happened on one CPU
 * when it takes the records of another. A stage is bytes to bytes, and can be tested without a
 * kernel. stage/stages.h makes one of several.
 *
 * What a stage has no need of is NULL. It has pass or note, not both: without pass, records go out
 * where they lie, and nothing is copied.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct attr;
struct perf_event_header;
struct str;
struct stage;
struct writer_event;

struct stage {
	/* Wants to be shown what there is so soon after a round, whether or not that is much; the
	 * stage's to change. 0: it does not care. */
	uint64_t again_ns;
	/* The events, once, before all else. */
	void (*begin)(struct stage *stage, const struct writer_event *events, size_t count);
	/* What describes the samples that come out, in place of that of those which go in. */
	void (*change_attr)(struct stage *stage, struct attr *attr);
	/* A round begins: the fullest ring is so full. */
	void (*fill)(struct stage *stage, unsigned percent);
	/* Looks at a record that will come. */
	void (*look)(struct stage *stage, const struct perf_event_header *header);
	/* All of a round was looked at. */
	void (*settle)(struct stage *stage);
	/* Adds to @out what a record becomes: whole records. */
	void (*pass)(struct stage *stage, const struct perf_event_header *header, struct str *out);
	/* Notes a record that goes out. */
	void (*note)(struct stage *stage, const struct perf_event_header *header);
};
