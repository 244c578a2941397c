/*
 * file-names.h - the names of code that has a file, or had: executables, libraries, the vdso, and
 * the files that JIT compilers write.
 *
 * A file is used only if it is the one that was mapped. Its build-id tells; where the recording
 * has none for it, its name has to do, unless it was deleted or replaced meanwhile. Looked at:
 *
 *   SYMFS/path or path
 *   DIR/.build-id/xx/yyyy/elf    the build-id cache, see buildid-cache.h
 *
 * and for a stripped file what debugfile.h finds, and the cache's "debug" and "elf". The vdso has
 * no file: its image is the cache's "vdso", or the running kernel's own.
 */
#pragma once

#include <stdbool.h>

struct cfi;
struct debuginfo;
struct dso;
struct elf_file;
struct names;
struct resolver_options;

/* @folder is the build-id cache's, may be NULL. Never fails: ret_names->reason tells. */
void file_names_load(const struct resolver_options *options, const char *folder,
		     const struct dso *dso, struct names *ret_names);
/* The debug information of the file that file_names_load() would use, or of its debug file; NULL if
 * there is none. */
struct debuginfo *file_names_load_debuginfo(const struct resolver_options *options,
					    const char *folder, const struct dso *dso);
/* The call frame information of the file and of its debug file; NULL if there is no file. */
struct cfi *file_names_load_cfi(const struct resolver_options *options, const char *folder,
				const struct dso *dso);
/* The file itself, for its code; NULL if there is none that is the right one. */
struct elf_file *file_names_open(const struct resolver_options *options, const char *folder,
				 const struct dso *dso);
struct elf_file *file_names_open_vdso(const struct resolver_options *options, const char *folder,
				      const struct dso *dso, bool same_kernel);
/* @same_kernel: the recording is known to come from the running kernel. */
void file_names_load_vdso(const struct resolver_options *options, const char *folder,
			  const struct dso *dso, bool same_kernel, struct names *ret_names);
/* "/tmp/perf-PID.map", of the process itself while it lives. It must be ours or root's unless
 * options->force: anyone writes to /tmp. */
void file_names_load_jit(const struct resolver_options *options, const struct dso *dso,
			 struct names *ret_names);
