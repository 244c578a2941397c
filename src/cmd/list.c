/* list.c - "strobe list": the events and metrics that -e and stat's -M take. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/glob.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strings.h"
#include "cmd/cmd.h"
#include "cmd/output-format.h"
#include "cmd/remark.h"
#include "data/attr.h"
#include "event/catalog.h"
#include "event/vendor.h"
#include "kernel/host.h"
#include "kernel/perfevent.h"
#include "kernel/tracefs.h"
#include "symbol/buildid-cache.h"
#include "symbol/sdt-probes.h"
#include "view/list-json.h"
#include "view/list-text.h"

struct config {
	const char *unit, *output;
	bool raw_dump, json, details, desc, long_desc;
	enum output_format format;
};

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_FLAG, 'd', "desc", NULL, FIELD(desc), "Say what each event is (the default)" },
	{ OPT_FLAG, 'v', "long-desc", NULL, FIELD(long_desc),
	  "List each of several PMUs that are alike, and what cannot be had here" },
	{ OPT_FLAG, '\0', "details", NULL, FIELD(details),
	  "Show what names stand for, and the formulas of metrics" },
	{ OPT_STR, '\0', "unit", "PMU", FIELD(unit), "Only events of this PMU" },
	{ OPT_FLAG, '\0', "raw-dump", NULL, FIELD(raw_dump),
	  "Print names alone, on one line, for programs" },
	{ OPT_FLAG, 'j', "json", NULL, FIELD(json), "Same as --format json" },
	OUTPUT_FORMAT_OPTION(FIELD(format)),
	{ OPT_STR, 'o', "output", "FILE", FIELD(output), "Write to FILE, not to standard output" },
	{ OPT_ABSENT, .name = "debug", .instead = "--details shows what names stand for" },
	{ OPT_ABSENT, .name = "deprecated", .instead = "the tables have no events that are" },
	{ OPT_ABSENT, .name = "cputype", .instead = "--unit cpu_core, --unit cpu_atom" },
	{ .kind = OPT_END },
};

#define KIND(name) (1U << EVENT_ROW_##name)

/* What an operand may be beside the name of an event. */
static const struct choice {
	const char *names; /* with commas */
	unsigned kinds;
	bool metrics, groups;
} choices[] = {
	{ "hw,hardware", KIND(HARDWARE), false, false },
	{ "sw,software", KIND(SOFTWARE) | KIND(TOOL), false, false },
	{ "cache,hwcache", KIND(CACHE), false, false },
	{ "tool", KIND(TOOL), false, false },
	{ "tracepoint", KIND(TRACEPOINT), false, false },
	{ "pmu", KIND(PMU) | KIND(VENDOR) | KIND(RAW), false, false },
	{ "sdt", KIND(SDT), false, false },
	{ "metric,metrics", 0, true, false },
	{ "metricgroup,metricgroups", 0, true, true },
};

enum { KIND_ALL = (KIND(SDT) << 1) - 1 };

static const struct choice *find_choice(const char *word)
{
	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		const char *rest = choices[i].names;
		struct str_part part;

		while (str_split(&rest, ',', &part))
			if (str_part_is(part, word))
				return &choices[i];
	}
	return NULL;
}

/* As far as a user may: the kernel's part is not for everyone. */
static int try_open(const struct attr *attr, const char *cpus)
{
	struct attr copy = *attr;
	int r;

	copy.size = attr_smallest_size(&copy);
	r = perfevent_try(&copy, cpus);
	if (r != -EACCES && r != -EPERM)
		return r;
	copy.exclude_kernel = 1;
	copy.exclude_hv = 1;
	return perfevent_try(&copy, cpus);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct event_row *)a)->name, ((const struct event_row *)b)->name);
}

/* The markers that perf's cache knows come behind what the machine has. */
static void add_sdt(struct event_rows *rows, struct strings *names)
{
	_cleanup_(str_done) struct str folder = { 0 };
	size_t first = rows->count;

	buildid_cache_folder(&folder);
	sdt_probes_list(str_text(&folder), names);
	for (uint32_t i = 0; i < names->count; i++) {
		if (rows->count == rows->capacity)
			rows->items = xgrow(rows->items, &rows->capacity, sizeof(*rows->items));
		rows->items[rows->count++] =
			(struct event_row){ .kind = EVENT_ROW_SDT, .name = strings_text(names, i) };
	}
	if (rows->count > first)
		qsort(rows->items + first, rows->count - first, sizeof(*rows->items), by_name);
}

/* What has no pattern's letters in it may stand anywhere in a name. */
static bool matches(const char *name, const char *word)
{
	_cleanup_(str_done) struct str pattern = { 0 };

	if (!name)
		return false;
	str_addf(&pattern, glob_is_pattern(word) ? "%s" : "*%s*", word);
	return glob_match_case(str_text(&pattern), name);
}

static bool is_asked(const struct config *c, const struct event_row *row, const char *word)
{
	const struct choice *choice = word ? find_choice(word) : NULL;

	if (c->unit && (!row->pmu || strcmp(row->pmu, c->unit) != 0))
		return false;
	/* Of all, what cannot be had would hide the rest. */
	if (!word)
		return c->long_desc || row->state != EVENT_ROW_MISSING;
	if (choice)
		return choice->kinds & 1U << row->kind;
	return matches(row->name, word) || matches(row->alias, word);
}

static bool is_metric_asked(const struct config *c, const struct metric_row *row, const char *word)
{
	const struct choice *choice = word ? find_choice(word) : NULL;

	if (c->unit && strcmp(row->pmu, c->unit) != 0)
		return false;
	if (!word || choice)
		return !choice || choice->metrics;
	return matches(row->name, word) || event_rows_in_group(row->groups, word);
}

/* Only rows that one of @words asks for stay; no words ask for all. */
static void choose(const struct config *c, struct event_rows *rows, int count, const char **words)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		bool asked = count == 0 && is_asked(c, &rows->items[i], NULL);

		for (int k = 0; k < count && !asked; k++)
			asked = is_asked(c, &rows->items[i], words[k]);
		if (asked)
			rows->items[kept++] = rows->items[i];
	}
	rows->count = kept;
	kept = 0;
	for (size_t i = 0; i < rows->metric_count; i++) {
		bool asked = count == 0 && is_metric_asked(c, &rows->metrics[i], NULL);

		for (int k = 0; k < count && !asked; k++)
			asked = is_metric_asked(c, &rows->metrics[i], words[k]);
		if (asked)
			rows->metrics[kept++] = rows->metrics[i];
	}
	rows->metric_count = kept;
}

/* What has to be looked for: not what no word can mean. */
static void plan(int count, const char **words, struct catalog_options *what)
{
	for (int i = 0; i < count; i++) {
		const struct choice *choice = find_choice(words[i]);

		what->kinds |= choice ? choice->kinds : (unsigned)KIND_ALL;
		what->metrics |= !choice || choice->metrics;
	}
	if (count == 0) {
		what->kinds = KIND_ALL;
		what->metrics = true;
	}
}

/* @metrics: and only of those that ask for metrics or their groups. */
static bool kinds_only(int count, const char **words, bool metrics)
{
	for (int i = 0; i < count; i++) {
		const struct choice *choice = find_choice(words[i]);

		if (!choice || (metrics && !choice->metrics))
			return false;
	}
	return count > 0;
}

static bool groups_only(int count, const char **words)
{
	for (int i = 0; i < count; i++) {
		const struct choice *choice = find_choice(words[i]);

		if (!choice || !choice->groups)
			return false;
	}
	return count > 0;
}

static void print(const struct config *c, const struct event_rows *rows, int count,
		  const char **words, FILE *out)
{
	const struct list_text_options text = {
		.details = c->details,
		.no_text = !c->desc,
		.groups = count == 0,
	};

	if (c->format == OUTPUT_FORMAT_JSON)
		list_json_print(rows, out);
	else if (c->raw_dump && groups_only(count, words))
		list_text_dump_groups(rows, out);
	else if (c->raw_dump)
		list_text_dump(rows, out);
	else if (groups_only(count, words))
		list_text_groups(rows, out);
	else
		list_text_print(rows, &text, out);
}

/* Why there are no tracepoints, where somebody looked for some. */
static bool explain_tracepoints(const struct catalog_options *what, const struct event_rows *rows)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	struct strobe_err why = { 0 };

	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].kind == EVENT_ROW_TRACEPOINT)
			return false;
	if (!(what->kinds & KIND(TRACEPOINT)) || tracefs_open(NULL, &tracefs, &why) == 0)
		return false;
	remark("%s", why.text);
	remark_hint("%s", why.hint);
	return true;
}

/* Metrics are formulas of events: a table has them, and a PMU counts them. */
static void explain_no_metrics(void)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	const char *id;

	id = host_cpu_id(NULL, &arena);
	if (id && vendor_of_cpu(id, "cpu")) {
		remark("no metrics: this machine has no PMU that counts what they need");
		return;
	}
	if (id)
		remark("no metrics are known of this CPU, '%s'", id);
	else
		remark("no metrics are known of this CPU, and the kernel does not say which it is");
	remark_hint("docs/adding-events.md says how a CPU gets some");
}

static void explain_empty(const struct config *c, int count, const char **words)
{
	if (!c->unit && kinds_only(count, words, true)) {
		explain_no_metrics();
		return;
	}
	if (kinds_only(count, words, false))
		remark("there is nothing of this kind here");
	else
		remark(count ? "nothing here is called so" : "there are no events here");
	remark_hint("'strobe list' shows all that there is, 'strobe test' what works and why not");
}

static int write_list(const struct config *c, const struct event_rows *rows, int count,
		      const char **words, struct strobe_err *err)
{
	FILE *out = c->output ? fopen(c->output, "we") : stdout;
	int r = 0;

	if (!out)
		return err_errno(err, "cannot write '%s'", c->output);
	print(c, rows, count, words, out);
	if (out != stdout && fclose(out) != 0)
		r = err_errno(err, "cannot write '%s'", c->output);
	return r;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { .desc = true };
	struct catalog catalog = { 0 };
	struct strings sdt = { 0 };
	struct catalog_options what = { .try_open = try_open };
	int r = opt_parse_mixed(options, argc, argv, &c, err);
	bool is_explained, is_empty;

	if (r < 0)
		return r;
	argv += r;
	argc -= r;
	if (c.json)
		c.format = OUTPUT_FORMAT_JSON;
	what.all_instances = c.long_desc;
	plan(argc, argv, &what);
	catalog_load(&catalog, &what);
	if (what.kinds & KIND(SDT))
		add_sdt(&catalog.rows, &sdt);
	is_explained = !c.raw_dump && explain_tracepoints(&what, &catalog.rows);
	choose(&c, &catalog.rows, argc, argv);
	is_empty = !catalog.rows.count && !catalog.rows.metric_count;
	r = write_list(&c, &catalog.rows, argc, argv, err);
	if (r == 0 && is_empty && c.format == OUTPUT_FORMAT_TEXT && !c.raw_dump && !is_explained)
		explain_empty(&c, argc, argv);
	/* A kind may have nothing; a name that nothing has is a mistake. */
	if (r == 0 && is_empty && argc && !kinds_only(argc, argv, false))
		r = CMD_FAILED;
	catalog_done(&catalog);
	strings_done(&sdt);
	return r;
}

const struct cmd cmd_list = {
	.name = "list",
	.summary = "List the events and metrics that there are",
	.usage = "[KIND|GLOB...]",
	.operands = "hw sw cache tool tracepoint pmu sdt metric metricgroup",
	.options = options,
	.run = run,
};
