/*
 * chain-options.h - -g of report: how call chains are shown.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/opt.h"
#include "view/callgraph.h"

struct chain_options {
	bool set, off;
	bool order_set, outermost_first, by_addr;
	bool percent_set;
	enum callgraph_style style;
	enum callgraph_value value;
	double min_percent;
	uint64_t most;
};

/* What holds where nothing is said. */
struct chain_options chain_options_default(void);

/* "graph,0.5,10,caller,function,percent" in any order; @field is a struct chain_options. */
opt_call chain_options_take;
