/*
 * file-names.h - the names of code that has a file, or had: executables, libraries, the vdso, and
 * the files that JIT compilers write.
 */
#pragma once

struct binary;
struct binary_source;
struct dso;
struct jit_file_stamp;
struct names;
struct resolver_options;

/* Never fails: ret_names->reason tells. */
void file_names_load(struct binary *binary, const struct binary_source *source,
		     struct names *ret_names);
/* "/tmp/perf-PID.map", see jit-file.h. The stamp tells whether it was written to since. */
void file_names_load_jit(const struct resolver_options *options, const struct dso *dso,
			 struct names *ret_names, struct jit_file_stamp *ret_stamp);
