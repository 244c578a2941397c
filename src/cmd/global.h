/* global.h - the options between "strobe" and the command. */
#pragma once

#include "base/opt.h"

struct global {
	unsigned version;
	bool dump_docs, no_pager, list_cmds, list_opts;
	const char *buildid_dir;
};

/* Fills a struct global. */
extern const struct opt global_options[];
