/*
 * running.h - this machine as a place to look names up: its kernel's symbols, its vdso, and whether
 * a recording was made here.
 */
#pragma once

#include "kernel/kerneltext.h"

struct datafile;
struct resolver_options;

struct running {
	uint8_t build_id[KERNELTEXT_BUILD_ID];
};

/* Fills the running_* fields, vdso and foreign of @options. @running must outlive the resolver. */
void running_describe(struct running *running, const struct datafile *file,
		      struct resolver_options *options);
