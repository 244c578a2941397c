/* evlist.c - "strobe evlist": the events of a recording. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/output-format.h"
#include "cmd/reading.h"
#include "cmd/tracepoint-id.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "format/attr-text.h"
#include "format/event-name.h"
#include "format/tracepoint.h"
#include "view/events-json.h"

struct config {
	const char *input;
	bool freq, group, force, trace_fields;
	unsigned verbose;
	enum output_format format;
};

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_STR, 'i', "input", "FILE", FIELD(input), "The recording (default: perf.data)" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Show all that the events were set to" },
	{ OPT_FLAG, 'F', "freq", NULL, FIELD(freq), "Show the sampling frequency or period" },
	{ OPT_FLAG, 'g', "group", NULL, FIELD(group), "Show events that form a group as one" },
	OUTPUT_FORMAT_OPTION(FIELD(format)),
	{ OPT_FLAG, '\0', "trace-fields", NULL, FIELD(trace_fields),
	  "Show the fields of tracepoints" },
	{ OPT_FLAG, 'f', "force", NULL, FIELD(force),
	  "Read the file even if it is not yours (always done)" },
	{ .kind = OPT_END },
};

/* What the commands's lines are made from. */
struct evlist {
	const struct config *config;
	const struct events *events;
	struct tracepoint_set *tracepoints; /* NULL: the file has no formats */
	bool pipe;
};

/*
 * In a pipe names come behind the attrs; perf stops before them and shows names made of the attrs.
 * Only a tracepoint's cannot be made so.
 */
static void add_name(const struct evlist *evlist, struct str *line, const struct event_desc *event)
{
	if (evlist->pipe && event->attr.type != PERF_TYPE_TRACEPOINT)
		event_name_add(line, &event->attr);
	else
		event_name_add_desc(line, event);
}

static void add_group(const struct evlist *evlist, struct str *line,
		      const struct event_desc *leader)
{
	if (leader->group_name)
		str_add(line, leader->group_name);
	for (size_t i = 0; i < leader->group_count; i++) {
		str_add_char(line, i ? ',' : '{');
		add_name(evlist, line, events_at(evlist->events, leader->index + i));
	}
	str_add_char(line, '}');
}

static void add_trace_fields(const struct evlist *evlist, struct str *line,
			     const struct event_desc *event)
{
	const struct tracepoint *tracepoint = NULL;
	const struct tracepoint_field *field;

	if (event->attr.type != PERF_TYPE_TRACEPOINT) {
		str_add(line, ": (not a tracepoint)");
		return;
	}
	if (evlist->tracepoints)
		tracepoint = tracepoint_set_find(evlist->tracepoints, event->attr.config);
	if (!tracepoint) {
		str_add(line, ": (no trace field)");
		return;
	}
	str_add(line, ": trace_fields: ");
	for (size_t i = 0; (field = tracepoint_field_at(tracepoint, i)); i++)
		str_addf(line, "%s%s", i ? "," : "", tracepoint_field_name(field));
}

static void print_event(const struct evlist *evlist, const struct event_desc *event)
{
	_cleanup_(str_done) struct str line = { 0 };
	const struct config *c = evlist->config;

	if (c->group && event->leader != event->index)
		return;
	if (c->group && event->group_count > 1) {
		add_group(evlist, &line, event);
		printf("%s\n", str_text(&line));
		return;
	}
	add_name(evlist, &line, event);
	if (c->verbose) {
		str_add(&line, ": ");
		attr_text_add(&line, &event->attr, ": ",
			      tracepoint_id_name(&event->attr, event->name));
	} else if (c->freq) {
		str_addf(&line, ": %s=%" PRIu64, event->attr.freq ? "sample_freq" : "sample_period",
			 event->attr.sample_freq);
	}
	if (c->trace_fields)
		add_trace_fields(evlist, &line, event);
	printf("%s\n", str_text(&line));
}

/* Who calls it perf, through a link, gets perf's text. */
static const char *own_name(void)
{
	return strcmp(program_invocation_short_name, "perf") == 0 ? "perf" : "strobe";
}

static void print_tips(const struct evlist *evlist)
{
	bool has_tracepoint = false, has_group = false;

	for (size_t i = 0; i < events_count(evlist->events); i++) {
		const struct event_desc *event = events_at(evlist->events, i);

		has_tracepoint |= event->attr.type == PERF_TYPE_TRACEPOINT;
		has_group |= event->leader != event->index;
	}
	if (has_tracepoint && !evlist->config->trace_fields)
		(void)printf("# Tip: use '%s evlist --trace-fields' to show fields for tracepoint "
			     "events\n",
			     own_name());
	if (has_group && !evlist->config->group)
		(void)printf("# Tip: use '%s evlist -g' to show group information\n", own_name());
}

static int load_tracepoints(const struct datafile *file, struct tracepoint_set **ret_tracepoints,
			    struct strobe_err *err)
{
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_TRACING_DATA, &size);

	return bytes ? tracepoint_set_new(bytes, size, ret_tracepoints, err) : 0;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { 0 };
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *tracepoints = NULL;
	struct evlist evlist = { .config = &c };
	int r = opt_parse_mixed(options, argc, argv, &c, err);

	if (r < 0)
		return r;
	if (r < argc)
		return cmd_usage(err_set(err, -EINVAL, "evlist takes no '%s'", argv[r]));
	if (c.group && (c.verbose || c.freq || c.trace_fields))
		return cmd_usage(err_set(err, -EINVAL, "--group goes with no other option"));
	r = reading_open_file(&c.input, &file, err);
	if (r < 0)
		return r;
	if (c.trace_fields)
		r = load_tracepoints(file, &tracepoints, err);
	else if (c.format == OUTPUT_FORMAT_JSON)
		tracepoints = reading_tracepoints(file);
	if (r < 0)
		return r;
	evlist.events = datafile_events(file);
	evlist.tracepoints = tracepoints;
	evlist.pipe = datafile_header(file)->pipe;
	if (c.format == OUTPUT_FORMAT_JSON) {
		events_json_print(evlist.events, tracepoints, stdout);
		return 0;
	}
	for (size_t i = 0; i < events_count(evlist.events); i++)
		print_event(&evlist, events_at(evlist.events, i));
	print_tips(&evlist);
	return 0;
}

const struct cmd cmd_evlist = {
	.name = "evlist",
	.summary = "List the events of a recording",
	.usage = "",
	.options = options,
	.run = run,
};
