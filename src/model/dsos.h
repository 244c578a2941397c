/*
 * dsos.h - the table of dsos: what a mapping's file name means, and one struct dso for each
 * (name, file, build-id).
 *
 * The rules by which names are read and shortened are perf's, seen in what it prints.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/strings.h"
#include "model/dso.h"

/* Starts as { 0 }. */
struct dsos {
	struct strings names;
	struct hash by_identity, by_name;
	struct dsos_entry **items; /* by id - 1; NULL: it was forgotten */
	size_t count, capacity;
	uint32_t *free_ids; /* of forgotten ones */
	size_t free_count, free_capacity;
	struct dsos_build_id *build_ids; /* told by the file for a name */
	size_t build_id_count, build_id_capacity;
};

/* What a mapping says of its file. */
struct dsos_file {
	const char *name;
	uint32_t pid;
	bool executable;
	uint64_t pgoff;
	uint64_t ino; /* 0 if unknown */
	uint32_t maj, min;
	const uint8_t *build_id;
	size_t build_id_size; /* 0 if unknown; more than 20 bytes are cut */
};

/* The dso of a mapping in a process; of code that its JIT dump tells of; of a mapping in the
 * kernel's space; of a KSYMBOL. Never NULL. */
const struct dso *dsos_add_user(struct dsos *dsos, const struct dsos_file *file);
const struct dso *dsos_add_code(struct dsos *dsos, uint32_t pid, const struct dso *dump);
const struct dso *dsos_add_kernel(struct dsos *dsos, const struct dsos_file *file, bool guest);
const struct dso *dsos_add_ksymbol(struct dsos *dsos, const char *name, bool bpf);

/*
 * The build-id of a name that the file keeps. It is given, in dsos_settle(), to dsos whose own
 * mapping told none; where several files had the name, to the last that was mapped: recorders
 * read build-ids at the end.
 */
void dsos_set_build_id(struct dsos *dsos, const char *name, bool kernel, const uint8_t *build_id,
		       size_t size);
void dsos_settle(struct dsos *dsos);

/* All but those whose ids are in @kept go; their ids are given to others. */
void dsos_forget(struct dsos *dsos, const struct hash *kept);

/* NULL if there is none: 1 <= id <= count. */
const struct dso *dsos_at(const struct dsos *dsos, uint32_t id);
/* That of the machine, not of a guest; or NULL. */
const struct dso *dsos_kernel(const struct dsos *dsos);
void dsos_done(struct dsos *dsos);
