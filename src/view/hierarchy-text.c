/*
 * hierarchy-text.c - see hierarchy-text.h.
 *
 *	#       Overhead  Command / Shared Object / Symbol
 *	# ..............  ................................
 *	#
 *	    60.00%        chrome
 *	       40.00%        libc.so.6
 *	          30.00%        [.] malloc
 *
 * Behind the measures that stand in front there is room for the indent of the innermost level.
 */
#include "view/hierarchy-text.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/hierarchy.h"
#include "analyze/hist.h"
#include "analyze/report.h"
#include "analyze/sortkey.h"
#include "base/mem.h"
#include "view/callgraph.h"
#include "view/report-table.h"
#include "view/report-text.h"

enum { INDENT = 3 };

struct tree {
	struct report_table *table;
	const struct callgraph *graph;
	size_t front; /* columns that stand in front of all levels */
	size_t level_count;
	FILE *out;
};

static bool is_aligned(const struct tree *tree)
{
	return !tree->table->text->separator;
}

/* Columns between two of the columns in front. */
static size_t gap(const struct tree *tree)
{
	return is_aligned(tree) ? 2 : strlen(tree->table->text->separator);
}

/* The room for indents that all rows have. */
static size_t room(const struct tree *tree)
{
	return is_aligned(tree) ? (tree->level_count - 1) * INDENT : 0;
}

/* The first column of a level; behind the last level, the number of columns. */
static size_t level_begin(const struct tree *tree, size_t level)
{
	size_t i = tree->front;

	while (i < report_table_column_count(tree->table)) {
		const struct field *field = report_table_column(tree->table, i);

		if (field->key && !field->joined && level-- == 0)
			break;
		i++;
	}
	return i;
}

static size_t count_front(const struct report_table *table)
{
	size_t i = 0;

	while (i < report_table_column_count(table) && !report_table_column(table, i)->key)
		i++;
	return i;
}

static void add_titles(struct tree *tree)
{
	struct report_table *table = tree->table;

	report_table_add_headings(table, 0, tree->front, room(tree));
	str_add(&table->line, "# ");
	str_add_repeat(&table->line, ' ', room(tree));
	for (size_t i = 0; i < report_table_column_count(table); i++) {
		const struct field *field = report_table_column(table, i);
		const char *title = report_table_title(table, field);

		if (i == tree->front && i > 0)
			report_table_add_separator(table, i);
		if (i < tree->front) {
			if (i > 0)
				report_table_add_separator(table, i);
			report_table_add_title(table, i, true);
			continue;
		}
		if (i > tree->front)
			str_add(&table->line, field->key && !field->joined ? " / " : "+");
		str_add(&table->line, title + strspn(title, " "));
	}
	str_add_char(&table->line, '\n');
}

/* As wide as the widest level with its indent, or as all titles together. */
static size_t keys_width(const struct tree *tree)
{
	const struct report_table *table = tree->table;
	size_t widest = 0, titles = 0;

	for (size_t level = 0; level < tree->level_count; level++) {
		size_t width = level * INDENT;
		size_t begin = level_begin(tree, level), end = level_begin(tree, level + 1);

		for (size_t i = begin; i < end; i++) {
			const char *title =
				report_table_title(table, report_table_column(table, i));

			width += table->widths[i] + (i > begin ? 1 : 0);
			titles += strlen(title + strspn(title, " ")) + (i > begin ? 1 : 3);
		}
		if (width > widest)
			widest = width;
	}
	titles -= 3; /* the first has nothing before it */
	return titles > widest ? titles : widest;
}

static void add_dots(struct tree *tree)
{
	struct report_table *table = tree->table;
	size_t front = room(tree);

	str_add(&table->line, "# ");
	for (size_t i = 0; i < tree->front; i++) {
		front += table->widths[i] + (i > 0 && is_aligned(tree) ? 2 : 0);
		if (is_aligned(tree))
			continue;
		str_add_repeat(&table->line, '.', table->widths[i]);
		str_add(&table->line, table->text->separator);
	}
	if (is_aligned(tree)) {
		str_add_repeat(&table->line, '.', front);
		str_add(&table->line, "  ");
	}
	str_add_repeat(&table->line, '.', keys_width(tree));
	str_add(&table->line, "\n#\n");
}

/* Takes the blanks away that a cell begins with. */
static void trim(struct str *line, size_t cell)
{
	size_t blanks = strspn(str_text(line) + cell, " ");

	memmove(line->text + cell, line->text + cell + blanks, line->size - cell - blanks);
	str_cut(line, line->size - blanks);
}

static void add_row(struct tree *tree, const struct hierarchy_node *node)
{
	struct item item = hist_item(node->hist, node->entry);
	struct report_table *table = tree->table;
	size_t begin = level_begin(tree, node->level), end = level_begin(tree, node->level + 1);

	str_add_repeat(&table->line, ' ', node->level * INDENT);
	for (size_t i = 0; i < tree->front; i++) {
		report_table_add_separator(table, i);
		report_table_add_measure(table, node->entry, report_table_column(table, i),
					 table->widths[i], false);
	}
	str_add_repeat(&table->line, ' ', room(tree));
	for (size_t i = begin; i < end; i++) {
		const struct field *field = report_table_column(table, i);
		size_t cell;

		report_table_add_separator(table, i);
		cell = table->line.size;
		if (field->key)
			report_table_add_key(table, &item, field->key, table->widths[i],
					     i + 1 == end);
		else
			report_table_add_measure(table, node->entry, field, table->widths[i],
						 i + 1 == end);
		trim(&table->line, cell);
	}
	str_add_char(&table->line, '\n');
}

/* Below a row whose rows are all too light. */
static void add_nothing(struct tree *tree, size_t level)
{
	struct report_table *table = tree->table;
	size_t indent = level * INDENT + room(tree) + 2;

	for (size_t i = 0; i < tree->front; i++)
		indent += table->widths[i] + (is_aligned(tree) || i > 0 ? gap(tree) : 0);
	str_add_repeat(&table->line, ' ', indent);
	str_addf(&table->line, "no entry >= %.2f%%\n", table->text->percent_limit);
}

/* The rows below one row, while they are printed. */
struct rows {
	const struct hierarchy_node *const *nodes;
	size_t count, next, shown;
};

static void print_node(struct tree *tree, const struct hierarchy_node *node)
{
	struct report_table *table = tree->table;

	add_row(tree, node);
	if (node->level + 1 == tree->level_count)
		callgraph_print(tree->graph, node->entry, report_table_weight(table, node->entry),
				&table->line);
	report_table_flush(table, tree->out);
}

/* Goes down the tree: there is a list of rows for each level. */
static void print_nodes(struct tree *tree, const struct hierarchy_node *const *roots, size_t count)
{
	struct rows *levels = xcalloc(tree->level_count + 1, sizeof(*levels));
	size_t depth = 0;

	levels[0] = (struct rows){ roots, count, 0, 0 };
	for (;;) {
		struct rows *rows = &levels[depth];
		const struct hierarchy_node *node;

		if (rows->next == rows->count) {
			if (depth == 0)
				break;
			if (rows->shown == 0)
				add_nothing(tree, depth);
			depth--;
			continue;
		}
		node = rows->nodes[rows->next++];
		if (report_table_is_light(tree->table, node->entry))
			continue;
		rows->shown++;
		print_node(tree, node);
		if (node->child_count > 0 && depth + 1 < tree->level_count)
			levels[++depth] = (struct rows){ node->children, node->child_count, 0, 0 };
	}
	free(levels);
}

void hierarchy_text_print(struct report_table *table, const struct callgraph *graph, FILE *out)
{
	struct tree tree = { table, graph, count_front(table),
			     hierarchy_level_count(table->event->hierarchy) + 1, out };
	const struct hierarchy_node *const *roots;
	size_t count;

	if (!table->text->quiet) {
		add_titles(&tree);
		add_dots(&tree);
	}
	roots = hierarchy_roots(table->event->hierarchy, &count);
	print_nodes(&tree, roots, count);
	report_table_flush(table, out);
}
