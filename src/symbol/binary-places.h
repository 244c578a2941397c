/*
 * binary-places.h - the places where a file of an object may be: each is looked at, what lies there
 * is compared with what is wanted, and who wants to know is told what came of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/debugfile.h"
#include "symbol/reason.h"

struct dso;
struct elf_file;
struct resolver_options;

enum binary_role {
	BINARY_FILE,
	BINARY_DEBUG,
	BINARY_ALT, /* what debug files have in common, see debuginfo_alt() */
};

/* Of what, and where to look. Borrowed. */
struct binary_source {
	const struct resolver_options *options;
	const char *cache; /* the folder of the build-id cache, or NULL */
	const struct dso *dso;
	bool same_kernel; /* of the vdso: the recording is known to come from the running kernel */
	/* Is told of each place that was looked at; or NULL. */
	void (*tried)(void *context, enum binary_role role, const char *place,
		      enum debugfile_verdict verdict);
	void *context;
};

/* What a file is to be: the one that was mapped, a debug file of @of, or what has that build-id. */
struct binary_wanted {
	enum binary_role role;
	const struct elf_file *of;
	const uint8_t *id;
	size_t id_size;
};

/* Each of these is NULL if nothing is there or what is there is not it. */

/*
 * The file that was mapped, by its name, as it lies at @path; *ret_reason: why not. @as_mapped:
 * with DSO_DELETED, if the dso is deleted.
 */
struct elf_file *binary_places_named(const struct binary_source *source, const char *path,
				     bool as_mapped, enum reason *ret_reason);
/* The same, that somebody holds open. */
struct elf_file *binary_places_held(const struct binary_source *source);
/* At that place. */
struct elf_file *binary_places_at(const struct binary_source *source,
				  const struct binary_wanted *wanted, const char *path);
/* From the build-id cache, by its name there. */
struct elf_file *binary_places_cached(const struct binary_source *source,
				      const struct binary_wanted *wanted, const char *name);
/* From servers. */
struct elf_file *binary_places_fetch(const struct binary_source *source,
				     const struct binary_wanted *wanted);

/* Whether it has the build-id that a dso has. */
bool binary_places_same_id(const struct dso *dso, const struct elf_file *file);
