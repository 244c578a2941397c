/*
 * kernel-names.h - the names of the kernel and its modules.
 *
 * Looked at, the first that fits:
 *
 *   options->kallsyms, then options->vmlinux    the user's word is taken for them
 *   the running kernel's kallsyms               if the recording comes from the running kernel
 *   DIR/.build-id/xx/yyyy/kallsyms, .../elf     the build-id cache, see buildid-cache.h
 *   /usr/lib/debug/.build-id/xx/yyyy.debug
 *
 * A recording comes from the running kernel if their build-ids are equal; where it tells none, if
 * its header does not say otherwise (options->foreign) and a symbol of the kernel's is where it was
 * then: with KASLR that holds for the same boot only.
 */
#pragma once

#include <stdbool.h>

#include "object/symtab.h"
#include "symbol/reason.h"

struct dso;
struct names;
struct kallsyms;
struct resolver_options;

/* What was found for the kernel; starts as { 0 }. Modules and the vdso need it too. */
struct kernel_names {
	struct kallsyms *kallsyms;
	struct symtab *vmlinux; /* where there is no kallsyms */
	uint64_t moved_by;      /* run-time addresses less those of the symbols */
	bool same_kernel;
	enum reason reason; /* why there is neither */
};

/* @kernel is the kernel's dso, NULL if no mapping told it. */
void kernel_names_find(const struct resolver_options *options, const char *folder,
		       const struct dso *kernel, struct kernel_names *ret_found);
void kernel_names_done(struct kernel_names *found);

/* Of the kernel's dso, or of a module's; the tables stay with @found. */
void kernel_names_load(const struct kernel_names *found, struct names *ret_names);
void kernel_names_load_module(const struct resolver_options *options,
			      const struct kernel_names *found, const struct dso *module,
			      struct names *ret_names);
