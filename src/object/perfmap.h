/* perfmap.h - perf maps: what JIT compilers write to /tmp/perf-PID.map.
 *
 * Lines of text, `START SIZE NAME`: hexadecimal with or without 0x, the name up to the end of the
 * line, with its spaces. Addresses are the process's own. The file only grows: code that was freed
 * stays listed, and a later line for the same addresses is what is true now. So where lines
 * overlap the later one wins, and what is left of the earlier one stays.
 */
#pragma once

#include <stddef.h>

struct strobe_err;
struct symtab;

struct perfmap_counts {
	size_t lines;   /* that named something */
	size_t skipped; /* damaged ones; empty lines count as nothing */
};

/* Never fails; ret_counts may be NULL. Names' bytes are kept as they are, but for a carriage return
 * at the end. Lines without a size, or of more than 64 KiB, are damaged.
 */
struct symtab *perfmap_parse(const char *text, size_t size, struct perfmap_counts *ret_counts);

/* Reads a regular file of at most 1 GiB from a descriptor, which stays the caller's: who opened it
 * has looked whose it is, since anyone can write to /tmp. name is for messages.
 */
int perfmap_load(int fd, const char *name, struct symtab **ret_table,
		 struct perfmap_counts *ret_counts, struct strobe_err *err);
