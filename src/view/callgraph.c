/*
 * callgraph.c - see callgraph.h.
 *
 * A graph is drawn in columns of 11: a bar where a node at that depth still has siblings to come.
 *
 *	            |--60.00%--sort          depth 1, and more of depth 1 follows
 *	            |          compare       the same node's next frame
 *	            |          |
 *	            |           --20.00%--strcmp    depth 2, the last
 */
#include "view/callgraph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/branch-counts.h"
#include "analyze/hist.h"
#include "analyze/sources.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/dso.h"
#include "model/timeline.h"

enum { MARGIN = 12, COLUMN = 10, FLAT_VALUE = 11 };

#define FLAT_FRAME "\n                "

struct drawing {
	const struct callgraph *graph;
	struct str *out;
	size_t margin;
	struct {
		bool *items; /* a bar at depth i + 1 */
		size_t count, capacity;
	} bars;
};

/* Which part of a function it is, where that tells frames apart. */
static void add_line(const struct callgraph *graph, uint32_t site, struct str *out)
{
	const struct place *place = sites_place(graph->sites, site);
	const struct source *source = sites_source(graph->sites, site);

	if (source)
		str_addf(out, " %s", source->line);
	else if (graph->sites->links == SITES_BY_ADDR)
		str_addf(out, " +%" PRIu64, place->object_addr - place->function->start);
}

/* "(COND_FWD predicted:50.0%)" of where branches went, "(cycles:3)" of where they came from. */
static void add_branches(const struct branch_counts *counts, struct str *out)
{
	const char *before = " (";
	size_t begin = out->size;
	const char *kind;

	if (counts->to == 0 && counts->from == 0) {
		if (counts->calls == 0)
			str_add(out, " (calltrace)");
		return;
	}
	for (unsigned i = 0; (kind = branch_counts_kind(i)) != NULL; i++) {
		if (counts->kinds >> i & 1) {
			str_addf(out, "%s%s", before, kind);
			before = " ";
		}
	}
	before = out->size > begin ? " " : " (";
	if (counts->predicted < counts->to) {
		str_addf(out, "%spredicted:%.1f%%", before,
			 branch_counts_predicted_percent(counts));
		before = " ";
	}
	if (counts->aborts > 0) {
		str_addf(out, "%sabort:%.1f%%", before, branch_counts_abort_percent(counts));
		before = " ";
	}
	if (branch_counts_cycles(counts) > 0) {
		str_addf(out, "%scycles:%" PRIu64, before, branch_counts_cycles(counts));
		before = " ";
	}
	if (counts->loops > 0)
		str_addf(out, "%siter:%" PRIu64 " avg_cycles:%" PRIu64, before,
			 branch_counts_repeats(counts), branch_counts_repeat_cycles(counts));
	if (out->size > begin)
		str_add_char(out, ')');
}

/* As in perf, chains one by one are frames and nothing else. */
static bool shows_branches(const struct callgraph *graph)
{
	return graph->show_branches &&
	       (graph->style == CALLGRAPH_GRAPH || graph->style == CALLGRAPH_FRACTAL);
}

/* The @i-th of a node. */
static void add_frame(const struct callgraph *graph, const struct calltree_node *node, uint32_t i,
		      struct str *out)
{
	uint32_t site = calltree_site(node, i);
	const struct place *place = sites_place(graph->sites, site);
	const struct dso *dso = place->map ? place->map->dso : NULL;
	size_t begin = out->size;

	if (place->function)
		str_add(out, place->function->name);
	if (place->function)
		add_line(graph, site, out);
	if (place->function && place->function->inlined)
		str_add(out, " (inlined)");
	if (!place->function)
		str_addf(out, "%#" PRIx64, place->addr);
	if (graph->show_dso)
		str_addf(out, " %s%s", dso ? dso->short_name : "[unknown]",
			 dso ? map_suffix(place->map) : "");
	str_one_line(out, begin);
	if (shows_branches(graph) && node->branches)
		add_branches(&node->branches[i], out);
}

/* From these on, as in perf. */
static const double red_percent = 5.0, green_percent = 0.5;

const char *callgraph_color(double percent)
{
	if (percent >= red_percent)
		return "\033[31m";
	return percent > green_percent ? "\033[32m" : "";
}

const char *callgraph_color_end(double percent)
{
	return percent > green_percent ? "\033[m" : "";
}

static void add_percent(const struct callgraph *graph, double value, struct str *out)
{
	if (graph->color)
		str_add(out, callgraph_color(value));
	str_add_hundredths(out, value, 0);
	str_add_char(out, '%');
	if (graph->color)
		str_add(out, callgraph_color_end(value));
}

static void add_value(const struct callgraph *graph, uint64_t period, uint64_t count,
		      uint64_t total, struct str *out)
{
	switch (graph->value) {
	case CALLGRAPH_SAMPLES:
		str_addf(out, "%" PRIu64, count);
		break;
	case CALLGRAPH_PERIOD:
		str_addf(out, "%" PRIu64, period);
		break;
	default:
		add_percent(graph, hist_percent(period, total), out);
		break;
	}
}

static void set_bar(struct drawing *drawing, size_t depth, bool bar)
{
	while (drawing->bars.count < depth) {
		grow(&drawing->bars);
		drawing->bars.items[drawing->bars.count++] = true;
	}
	drawing->bars.items[depth - 1] = bar;
}

/* A line of bars, down to @depth. */
static void draw_bars(struct drawing *drawing, size_t depth)
{
	str_add_repeat(drawing->out, ' ', drawing->margin);
	for (size_t i = 0; i < depth; i++) {
		str_add_char(drawing->out, drawing->bars.items[i] ? '|' : ' ');
		str_add_repeat(drawing->out, ' ', COLUMN);
	}
	str_add_char(drawing->out, '\n');
}

/* What is left of a frame; the first frame of a node has its weight in the last column. */
static void draw_left(struct drawing *drawing, size_t depth, const struct calltree_node *node,
		      uint64_t total)
{
	str_add_repeat(drawing->out, ' ', drawing->margin);
	for (size_t i = 0; i < depth; i++) {
		str_add_char(drawing->out, drawing->bars.items[i] ? '|' : ' ');
		if (!node || i + 1 < depth) {
			str_add_repeat(drawing->out, ' ', COLUMN);
			continue;
		}
		str_add(drawing->out, "--");
		add_value(drawing->graph, calltree_total(node), calltree_total_count(node), total,
			  drawing->out);
		str_add(drawing->out, "--");
	}
}

/* What the nodes shown leave over of @total: drawn as a node of its own. */
static void draw_rest(struct drawing *drawing, size_t depth, const struct calltree_node *rest,
		      uint64_t total)
{
	if (rest->hit == 0 || rest->hit == total)
		return;
	if (drawing->graph->value == CALLGRAPH_SAMPLES && rest->hit_count == 0)
		return;
	set_bar(drawing, depth, false);
	draw_left(drawing, depth, rest, total);
	str_add(drawing->out, "[...]\n");
}

static void draw_frames(struct drawing *drawing, const struct calltree_node *node, size_t depth,
			uint64_t total)
{
	for (uint32_t i = 0; i < node->count; i++) {
		draw_left(drawing, depth, i == 0 ? node : NULL, total);
		add_frame(drawing->graph, node, i, drawing->out);
		str_add_char(drawing->out, '\n');
	}
}

/* As deep as the nodes are nested: a record of 64 KiB holds no more than 8191 frames. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void draw_children(struct drawing *drawing, const struct calltree_node *node, size_t depth,
			  uint64_t total)
{
	bool fractal = drawing->graph->style == CALLGRAPH_FRACTAL;
	struct calltree_node rest = { .hit = total, .hit_count = node->below_count };

	for (size_t i = 0; i < node->child_count; i++) {
		const struct calltree_node *child = node->children[i];
		bool is_last = i + 1 == node->child_count;

		rest.hit -= calltree_total(child);
		rest.hit_count -= calltree_total_count(child);
		set_bar(drawing, depth, true);
		draw_bars(drawing, depth);
		set_bar(drawing, depth, !(is_last && (!fractal || rest.hit == 0)));
		draw_frames(drawing, child, depth, total);
		draw_children(drawing, child, depth + 1, fractal ? child->below : total);
		if (i + 1 == drawing->graph->most)
			break;
	}
	if (fractal && node->child_count > 0)
		draw_rest(drawing, depth, &rest, total);
}

/* Where all chains begin alike, the common beginning stands without a number. */
static const struct calltree_node *draw_trunk(struct drawing *drawing,
					      const struct calltree_node *root, uint64_t period)
{
	const struct calltree_node *trunk = root->child_count ? root->children[0] : NULL;
	size_t printed = 0;

	if (!trunk || root->child_count > 1 || calltree_total(trunk) != period)
		return root;
	for (uint32_t i = drawing->graph->first_is_known; i < trunk->count; i++) {
		if (printed == 0) {
			str_add_repeat(drawing->out, ' ', drawing->margin);
			str_add(drawing->out, "|\n");
		}
		str_add_repeat(drawing->out, ' ', drawing->margin);
		if (printed == 0) {
			str_add(drawing->out, "---");
			drawing->margin += 3;
		}
		add_frame(drawing->graph, trunk, i, drawing->out);
		str_add_char(drawing->out, '\n');
		if (++printed == drawing->graph->most)
			break;
	}
	return trunk;
}

static void print_graph(const struct callgraph *graph, const struct calltree_node *root,
			uint64_t period, struct str *out)
{
	struct drawing drawing = { .graph = graph, .out = out, .margin = MARGIN };
	uint64_t total = graph->style == CALLGRAPH_FRACTAL ? period : graph->total;
	size_t begin = out->size;
	const struct calltree_node *top = draw_trunk(&drawing, root, period);

	draw_children(&drawing, top, 1, total);
	if (out->size > begin)
		str_add_char(out, '\n');
	free(drawing.bars.items);
}

/* In the name of a frame, what separates frames would begin another: there it is "\\x3b". */
static void hide_separator(struct str *out, size_t begin, const char *separator)
{
	_cleanup_(str_done) struct str name = { 0 };

	if (!separator[0] || separator[1] ||
	    !memchr(out->text + begin, separator[0], out->size - begin))
		return;
	str_add_bytes(&name, out->text + begin, out->size - begin);
	str_cut(out, begin);
	for (size_t i = 0; i < name.size; i++) {
		if (name.text[i] == separator[0])
			str_addf(out, "\\x%02x", (unsigned char)name.text[i]);
		else
			str_add_char(out, name.text[i]);
	}
}

/* All frames from the root of the tree down to @node. */
static void print_chain(const struct callgraph *graph, const struct calltree_node *node,
			const char *before, const char *between, struct str *out)
{
	size_t count;
	_cleanup_(freep) const struct calltree_node **path = calltree_path(node, &count);
	bool first = true;

	for (size_t k = 0; k < count; k++) {
		for (uint32_t i = 0; i < path[k]->count; i++) {
			size_t begin;

			str_add(out, first ? before : between);
			begin = out->size;
			add_frame(graph, path[k], i, out);
			hide_separator(out, begin, between);
			first = false;
		}
	}
}

static void print_flat(const struct callgraph *graph, struct calltree_node *root, struct str *out)
{
	uint64_t least = (uint64_t)((double)graph->total * graph->min_percent / 100.0);
	const char *separator = graph->separator ? graph->separator : ";";
	size_t count;
	_cleanup_(freep) struct calltree_node **nodes = calltree_flatten(root, least, &count);

	for (size_t i = 0; i < count; i++) {
		const struct calltree_node *node = nodes[i];

		/* perf: FLAT's numbers include what went on from there, FOLDED's do not. */
		if (graph->style == CALLGRAPH_FLAT) {
			str_add_repeat(out, ' ', FLAT_VALUE);
			add_value(graph, calltree_total(node), calltree_total_count(node),
				  graph->total, out);
			print_chain(graph, node, FLAT_FRAME, FLAT_FRAME, out);
			str_add(out, "\n\n");
		} else {
			add_value(graph, node->hit, node->hit_count, graph->total, out);
			print_chain(graph, node, " ", separator, out);
			str_add_char(out, '\n');
		}
		if (i + 1 == graph->most)
			break;
	}
}

void callgraph_print(const struct callgraph *graph, struct hist_entry *entry, uint64_t period,
		     struct str *out)
{
	switch (graph->style) {
	case CALLGRAPH_GRAPH:
	case CALLGRAPH_FRACTAL:
		print_graph(graph, entry->tree, period, out);
		break;
	case CALLGRAPH_FLAT:
	case CALLGRAPH_FOLDED:
		print_flat(graph, entry->tree, out);
		break;
	case CALLGRAPH_NONE:
		break;
	}
}
