/*
 * sysfile.h - small text files below /proc and /sys, and folders of numbered things.
 *
 * @root is "" or NULL for the machine, or a folder that has proc/ and sys/ in it. Paths are given
 * as printf does, without the root: "/sys/devices/system/cpu/cpu%d/online".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct arena;
struct cpus;

/* The text without white space at its end, in @arena; NULL if it cannot be read. */
char *sysfile_text(const char *root, struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As sysfile_text(), the first 4 KiB only: of what says the same again and again, CPU by CPU. */
char *sysfile_head(const char *root, struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A number that stands there alone, of base 10 or 16; @missing if there is none. */
int64_t sysfile_number(const char *root, int base, int64_t missing, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The N of all entries "prefixN" of a folder, ascending; none if there is no folder. */
void sysfile_numbered(struct cpus *numbers, const char *root, const char *folder,
		      const char *prefix);

/* Names of the entries of a folder, sorted, hidden ones left out; NULL-terminated, in @arena. */
const char **sysfile_names(const char *root, const char *folder, struct arena *arena);
