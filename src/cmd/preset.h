/*
 * preset.h - what files of settings say, before the command line is read.
 *
 * /etc/perfconfig, then the user's ~/.perfconfig, then strobe's own file: a later one counts more.
 * Or the one that PERF_CONFIG names. Remarks on what is wrong in them go to stderr, once.
 */
#pragma once

#include <stdbool.h>

struct opt;
struct settings;
struct str;

enum preset_files {
	PRESET_ALL,    /* those that commands use */
	PRESET_SYSTEM, /* /etc/perfconfig alone */
	PRESET_USER,   /* the user's alone */
};

/* Fills in the fields of a command's config for which there are settings. */
void preset_apply(const struct opt *table, void *config);

/* All settings of these files; they stay as long as the program runs. */
const struct settings *preset_settings(enum preset_files files);

/* The file that a change is written to. False: there is none, since there is no HOME. */
bool preset_output(enum preset_files files, struct str *ret_path);
