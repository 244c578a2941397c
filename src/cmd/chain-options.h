/*
 * chain-options.h - -g of report: how call chains are shown.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/sites.h"
#include "base/opt.h"
#include "view/callgraph.h"

struct chain_options {
	bool set, off;
	bool order_set, outermost_first;
	enum sites_links links;
	bool branches; /* branch stacks are part of them */
	enum callgraph_style style;
	enum callgraph_value value;
	double min_percent;
	uint64_t most;
};

/* What holds where nothing is said. */
struct chain_options chain_options_default(void);

/* "graph,0.5,10,caller,function,percent" in any order, words as short as perf takes them; @field is
 * a struct chain_options. */
opt_call chain_options_take;

/*
 * The settings call-graph.print-type, .order, .sort-key, .threshold and .print-limit: each one word
 * of the above. They do not ask for call chains.
 */
opt_call chain_options_type, chain_options_order, chain_options_key, chain_options_threshold,
	chain_options_limit;

/* Rows of a table whose config has a struct chain_options at @at_. */
#define CHAIN_SETTINGS(type, at_)                                                                  \
	{ OPT_CALL,                                                                                \
	  .arg = "STYLE",                                                                          \
	  .at = offsetof(type, at_),                                                               \
	  .help = "How call chains are shown: graph, fractal, flat or folded",                     \
	  .call = chain_options_type,                                                              \
	  .key = "call-graph.print-type" },                                                        \
		{ OPT_CALL,                                                                        \
		  .arg = "ORDER",                                                                  \
		  .at = offsetof(type, at_),                                                       \
		  .help = "Where they begin: caller or callee",                                    \
		  .call = chain_options_order,                                                     \
		  .key = "call-graph.order" },                                                     \
		{ OPT_CALL,                                                                        \
		  .arg = "KEY",                                                                    \
		  .at = offsetof(type, at_),                                                       \
		  .help = "What tells their frames apart: function, address or srcline",           \
		  .call = chain_options_key,                                                       \
		  .key = "call-graph.sort-key" },                                                  \
		{ OPT_CALL,                                                                        \
		  .arg = "PERCENT",                                                                \
		  .at = offsetof(type, at_),                                                       \
		  .help = "Chains below PERCENT are left out",                                     \
		  .call = chain_options_threshold,                                                 \
		  .key = "call-graph.threshold" },                                                 \
	{                                                                                          \
		OPT_CALL, .arg = "COUNT", .at = offsetof(type, at_),                               \
			  .help = "Most lines of chains below a row; 0: all",                      \
			  .call = chain_options_limit, .key = "call-graph.print-limit"             \
	}
