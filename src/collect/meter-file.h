/*
 * meter-file.h - writes what a meter counts to a file: "stat record".
 */
#pragma once

#include "base/mem.h"
#include "data/stat-record.h"

struct countset;
struct meter;
struct meter_file;
struct strobe_err;

struct meter_file_options {
	const char *path;        /* or "-" */
	const char *version;     /* of the recorder */
	const char *const *argv; /* the command, ending in NULL; NULL: none */
	struct stat_record_settings settings;
};

/* The events of @meter as they were opened; borrowed, as the options, until meter_file_close(). */
int meter_file_open(const struct meter_file_options *options, const struct meter *meter,
		    struct meter_file **ret_file, struct strobe_err *err);
/* What has been counted so far. */
int meter_file_round(struct meter_file *file, const struct countset *counts,
		     enum stat_record_round_type type, uint64_t time_ns, struct strobe_err *err);
/* The file is whole. @file is gone after it, whatever comes back. */
int meter_file_close(struct meter_file *file, struct strobe_err *err);
/* Gives up: nothing is left behind. */
void meter_file_free(struct meter_file *file);
CLEANUP(meter_file_free, struct meter_file)
