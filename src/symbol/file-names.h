/*
 * file-names.h - the names of code that has a file, or had: executables, libraries, the vdso, and
 * the files that JIT compilers write.
 */
#pragma once

struct binary;
struct binary_source;
struct dso;
struct names;
struct resolver_options;

/* Never fails: ret_names->reason tells. */
void file_names_load(struct binary *binary, const struct binary_source *source,
		     struct names *ret_names);
/* "/tmp/perf-PID.map", of the process itself while it lives. It must be ours or root's unless
 * options->force: anyone writes to /tmp. */
void file_names_load_jit(const struct resolver_options *options, const struct dso *dso,
			 struct names *ret_names);
