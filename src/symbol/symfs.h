/*
 * symfs.h - where files of the recorded machine lie on this one (--symfs).
 */
#pragma once

struct resolver_options;
struct str;

/* Adds the path at which a file that was called @name there is to be looked for. */
void symfs_add_path(const struct resolver_options *options, const char *name, struct str *path);
