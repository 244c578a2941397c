/*
 * inject-ids.h - the build-ids that "inject" puts into a recording: those that it has, those of
 * files that its samples hit, or of all that it maps, and those of images of code that was made at
 * run time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/file-ids.h"
#include "data/body.h"
#include "data/buildids.h"

struct datafile;
struct strobe_err;

/* Starts as { 0 }. */
struct inject_ids {
	struct body_out body; /* FEATURE_BUILD_ID */
	struct strings names; /* that it has */
	struct file_ids files;
};

/* What the recording has. */
void inject_ids_keep(struct inject_ids *ids, const struct datafile *file);
void inject_ids_add(struct inject_ids *ids, const char *name, const uint8_t *id, size_t size);
/* Of what samples hit, or, with @all, of whatever was mapped as code: what mappings tell, or the
 * files at their names. */
int inject_ids_look_up(struct inject_ids *ids, const struct datafile *file, bool all,
		       struct strobe_err *err);
void inject_ids_done(struct inject_ids *ids);
