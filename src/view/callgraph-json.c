/* callgraph-json.c - see callgraph-json.h. */
#include "view/callgraph-json.h"

#include <stdbool.h>
#include <stddef.h>

#include "analyze/branch-counts.h"
#include "analyze/calltree.h"
#include "analyze/hist.h"
#include "analyze/sites.h"
#include "analyze/sources.h"
#include "base/json.h"
#include "base/mem.h"
#include "model/timeline.h"
#include "view/callgraph.h"
#include "view/place-json.h"

/* Kinds of branches as words. */
static void add_kinds(struct json *json, const struct branch_counts *counts)
{
	const char *kind;

	json_begin_list(json, "kinds");
	for (unsigned i = 0; (kind = branch_counts_kind(i)) != NULL; i++) {
		if (counts->kinds >> i & 1)
			json_text(json, NULL, kind);
	}
	json_end_list(json);
}

static void add_branches(struct json *json, const struct branch_counts *counts)
{
	if (counts->to > 0) {
		json_begin(json, "branches_to");
		json_u64(json, "count", counts->to);
		json_u64(json, "predicted", counts->predicted);
		json_u64(json, "aborts", counts->aborts);
		add_kinds(json, counts);
		json_end(json);
	}
	if (counts->from > 0) {
		json_begin(json, "branches_from");
		json_u64(json, "count", counts->from);
		json_u64(json, "cycles", counts->cycles);
		json_u64(json, "loops", counts->loops);
		json_u64(json, "repeats", counts->repeats);
		json_u64(json, "repeat_cycles", counts->repeat_cycles);
		json_end(json);
	}
}

/* The @i-th of a node. Links are functions; where there is none, and where it was asked for, they
 * are addresses or source lines. */
static void add_frame(struct json *json, const struct callgraph *graph,
		      const struct calltree_node *node, uint32_t i)
{
	uint32_t site = calltree_site(node, i);
	const struct place *place = sites_place(graph->sites, site);
	const struct function *function = place->function;
	const struct source *source = sites_source(graph->sites, site);
	const struct map *map = place->map;

	json_begin(json, NULL);
	if (!function || graph->sites->links == SITES_BY_ADDR)
		json_addr(json, "addr", place->addr);
	json_text(json, "symbol", function ? function->name : NULL);
	place_json_reason(json, "symbol_reason", place, graph->resolver);
	if (function && function->inlined)
		json_bool(json, "inlined", true);
	if (function && graph->sites->links == SITES_BY_ADDR)
		json_u64(json, "offset", place->object_addr - function->start);
	if (function && source)
		json_text(json, "srcline", source->line);
	place_json_dso(json, "dso", map, map ? map->dso->short_name : NULL);
	if (graph->show_branches && node->branches)
		add_branches(json, &node->branches[i]);
	json_end(json);
}

static void add_frames(struct json *json, const struct callgraph *graph,
		       const struct calltree_node *node)
{
	for (uint32_t i = 0; i < node->count; i++)
		add_frame(json, graph, node, i);
}

static void add_weight(struct json *json, uint64_t period, uint64_t count, uint64_t total)
{
	json_double(json, "percent", hist_percent(period, total));
	json_u64(json, "period", period);
	json_u64(json, "samples", count);
}

/* As deep as the nodes are nested: see callgraph.c. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_children(struct json *json, const struct callgraph *graph,
			 const struct calltree_node *node, uint64_t total)
{
	for (size_t i = 0; i < node->child_count; i++) {
		const struct calltree_node *child = node->children[i];

		json_begin(json, NULL);
		add_weight(json, calltree_total(child), calltree_total_count(child), total);
		json_u64(json, "self_period", child->hit);
		json_begin_list(json, "frames");
		add_frames(json, graph, child);
		json_end_list(json);
		json_begin_list(json, "children");
		add_children(json, graph, child,
			     graph->style == CALLGRAPH_FRACTAL ? child->below : total);
		json_end_list(json);
		json_end(json);
		if (i + 1 == graph->most)
			break;
	}
}

/* All frames from the root of the tree down to @node, with what ended there. */
static void add_chain(struct json *json, const struct callgraph *graph,
		      const struct calltree_node *node)
{
	size_t count;
	_cleanup_(freep) const struct calltree_node **path = calltree_path(node, &count);

	json_begin(json, NULL);
	/* As in the text: FLAT's numbers include what went on from there, FOLDED's do not. */
	if (graph->style == CALLGRAPH_FLAT)
		add_weight(json, calltree_total(node), calltree_total_count(node), graph->total);
	else
		add_weight(json, node->hit, node->hit_count, graph->total);
	json_u64(json, "self_period", node->hit);
	json_begin_list(json, "frames");
	for (size_t i = 0; i < count; i++)
		add_frames(json, graph, path[i]);
	json_end_list(json);
	json_end(json);
}

static void add_chains(struct json *json, const struct callgraph *graph, struct calltree_node *root)
{
	uint64_t least = (uint64_t)((double)graph->total * graph->min_percent / 100.0);
	size_t count;
	_cleanup_(freep) struct calltree_node **nodes = calltree_flatten(root, least, &count);

	for (size_t i = 0; i < count; i++) {
		add_chain(json, graph, nodes[i]);
		if (i + 1 == graph->most)
			break;
	}
}

void callgraph_json_add(struct json *json, const struct callgraph *graph, struct hist_entry *entry,
			uint64_t period)
{
	if (graph->style == CALLGRAPH_NONE)
		return;
	json_begin_list(json, "chains");
	if (graph->style == CALLGRAPH_FLAT || graph->style == CALLGRAPH_FOLDED)
		add_chains(json, graph, entry->tree);
	else
		add_children(json, graph, entry->tree,
			     graph->style == CALLGRAPH_FRACTAL ? period : graph->total);
	json_end_list(json);
}
