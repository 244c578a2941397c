/*
 * filter-options.h - the options that choose samples, for every command that takes them.
 *
 * FILTER_OPTIONS stands in a table whose config has a struct filter at @at. --time is not
 * among them: it needs the recording's own times.
 */
#pragma once

#include "analyze/filter.h"
#include "base/opt.h"

struct events;

/*
 * Whether the recording can tell what is asked. -ENODATA: CPUs are, and some event's samples do not
 * name theirs. Ask when all events are known: after the first pass.
 */
int filter_options_check(const struct filter *filter, const struct events *events,
			 struct strobe_err *err);

opt_call filter_options_names;                                          /* a struct strings */
opt_call filter_options_symbols;                                        /* the struct filter */
opt_call filter_options_pids, filter_options_tids, filter_options_cpus; /* a struct filter_ids */

#define FILTER_OPTIONS(type, at_)                                                                  \
	{ OPT_CALL,                                                                                \
	  'c',                                                                                     \
	  "comms",                                                                                 \
	  "COMM,...",                                                                              \
	  offsetof(type, at_.comms),                                                               \
	  "Only samples of threads with these names",                                              \
	  filter_options_names,                                                                    \
	  OPT_NO_NEGATE,                                                                           \
	  .alias = "comm" },                                                                       \
		{ OPT_CALL,                                                                        \
		  '\0',                                                                            \
		  "dsos",                                                                          \
		  "DSO,...",                                                                       \
		  offsetof(type, at_.dsos),                                                        \
		  "Only samples in these objects",                                                 \
		  filter_options_names,                                                            \
		  OPT_NO_NEGATE,                                                                   \
		  .alias = "dso" },                                                                \
		{ OPT_CALL,                                                                        \
		  'S',                                                                             \
		  "symbols",                                                                       \
		  "SYMBOL,...",                                                                    \
		  offsetof(type, at_),                                                             \
		  "Only samples in these functions; 0xADDRESS is one that begins there, or the "   \
		  "address",                                                                       \
		  filter_options_symbols,                                                          \
		  OPT_NO_NEGATE },                                                                 \
		{ OPT_CALL,                                                                        \
		  '\0',                                                                            \
		  "pid",                                                                           \
		  "PID,...",                                                                       \
		  offsetof(type, at_.pids),                                                        \
		  "Only samples of these processes",                                               \
		  filter_options_pids,                                                             \
		  OPT_NO_NEGATE },                                                                 \
		{ OPT_CALL,                                                                        \
		  '\0',                                                                            \
		  "tid",                                                                           \
		  "TID,...",                                                                       \
		  offsetof(type, at_.tids),                                                        \
		  "Only samples of these threads",                                                 \
		  filter_options_tids,                                                             \
		  OPT_NO_NEGATE },                                                                 \
	{                                                                                          \
		OPT_CALL, 'C', "cpu", "CPU,...", offsetof(type, at_.cpus),                         \
			"Only samples of these CPUs (0,2-4)", filter_options_cpus, OPT_NO_NEGATE   \
	}
