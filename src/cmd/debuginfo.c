/* debuginfo.c - "strobe debuginfo": what there is to read of objects, where it was found, and where
 * it was looked for. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/hits.h"
#include "analyze/profile.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/advice.h"
#include "cmd/cmd.h"
#include "cmd/debuginfo-advice.h"
#include "cmd/output-format.h"
#include "cmd/preset.h"
#include "cmd/reading.h"
#include "model/dso.h"
#include "model/timeline.h"
#include "symbol/buildid-cache.h"
#include "symbol/findings.h"
#include "symbol/resolve.h"
#include "view/debuginfo-json.h"
#include "view/debuginfo-row.h"
#include "view/debuginfo-text.h"

struct config {
	struct reading reading;
};

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_STR, 'i', "input", "FILE", FIELD(reading.input),
	  "A recording: show what its samples hit (default, without files: perf.data)" },
	{ OPT_CALL, '\0', "symfs", "DIR[,flat]", FIELD(reading),
	  "Look for objects below DIR instead of below /, with flat by the last part of their "
	  "paths",
	  .call = reading_take_symfs, .flags = OPT_NO_NEGATE },
	READING_DEBUGINFOD_OPTION(FIELD(reading)),
	OUTPUT_FORMAT_OPTION(FIELD(reading.format)),
	{ .kind = OPT_END },
};

/* What is printed, and whether something was missing. */
struct printer {
	bool is_json, of_recording;
	struct debuginfo_json json;
	size_t count, missing_count;
};

static void print(struct printer *printer, struct debuginfo_row row)
{
	const struct findings *findings = row.findings;
	_cleanup_(advice_done) struct advice advice = { 0 };

	/* A file that was mistyped needs no advice. */
	if (findings && (findings->path || printer->of_recording))
		debuginfo_advice_add(&advice, findings);
	row.advice = advice.items;
	row.advice_count = advice.count;
	if (printer->is_json) {
		debuginfo_json_add(&printer->json, &row);
	} else {
		if (printer->count > 0)
			(void)putchar('\n');
		debuginfo_text_print(&row, stdout);
	}
	printer->count++;
	printer->missing_count += findings && !findings->path;
}

/* As the kernel would tell it of a mapping. */
static char *mapped_name(const struct resolver_options *names, const char *path)
{
	char *real = names->symfs ? NULL : realpath(path, NULL);
	_cleanup_(freep) char *here = NULL;
	char *whole = NULL;

	if (real || path[0] == '/')
		return real ? real : xstrdup(path);
	here = getcwd(NULL, 0);
	if (!here || asprintf(&whole, "%s/%s", here, path) < 0)
		return xstrdup(path);
	return whole;
}

static int show_files(struct config *c, int count, const char **paths, struct printer *printer,
		      struct strobe_err *err)
{
	_cleanup_(str_done) struct str cache = { 0 };

	reading_prepare_names(&c->reading);
	buildid_cache_folder(&cache);
	for (int i = 0; i < count; i++) {
		_cleanup_(findings_done) struct findings findings = { 0 };
		_cleanup_(freep) char *name = mapped_name(&c->reading.names, paths[i]);
		const struct dso dso = { .kind = DSO_USER, .name = name };
		const struct binary_source source = { .options = &c->reading.names,
						      .cache = str_text(&cache),
						      .dso = &dso };

		findings_find(&findings, &source);
		print(printer, (struct debuginfo_row){ .name = paths[i], .findings = &findings });
	}
	if (printer->missing_count > 0)
		return err_set(err, -ENOENT, "%zu of %d files cannot be read as an object",
			       printer->missing_count, count);
	return 0;
}

static void show_dso(struct resolver *resolver, const struct dso *dso, struct printer *printer)
{
	_cleanup_(findings_done) struct findings findings = { 0 };
	struct debuginfo_row row = { .name = dso->name,
				     .kept_count = resolver_kept_count(resolver, dso) };

	if (resolver_findings(resolver, dso, &findings))
		row.findings = &findings;
	else
		row.reason = reason_text(resolver_reason(resolver, dso));
	print(printer, row);
}

static int by_name(const void *a, const void *b)
{
	const struct dso *const *left = a, *const *right = b;
	int by = strcmp((*left)->name, (*right)->name);

	return by ? by : ((*left)->id > (*right)->id) - ((*left)->id < (*right)->id);
}

static int show_recording(struct config *c, struct printer *printer, struct strobe_err *err)
{
	struct resolver *resolver;
	const struct timeline *timeline;
	_cleanup_(freep) bool *marks = NULL;
	_cleanup_(freep) const struct dso **dsos = NULL;
	size_t count = 0;
	int r = reading_open(&c->reading, err);

	if (r == 0)
		r = reading_profile(&c->reading, err);
	if (r < 0)
		return r;
	if (hits_find(c->reading.profile, &marks) < 0)
		return err_set(err, -EIO, "cannot read the samples");
	resolver = profile_resolver(c->reading.profile);
	timeline = profile_timeline(c->reading.profile);
	dsos = xcalloc(timeline_dso_count(timeline) + 1, sizeof(*dsos));
	for (uint32_t id = 1; id <= timeline_dso_count(timeline); id++) {
		if (marks[id])
			dsos[count++] = timeline_dso(timeline, id);
	}
	qsort(dsos, count, sizeof(*dsos), by_name);
	for (size_t i = 0; i < count; i++)
		show_dso(resolver, dsos[i], printer);
	return 0;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { 0 };
	struct printer printer = { 0 };
	int r;

	preset_apply(options, &c);
	r = opt_parse_mixed(options, argc, argv, &c, err);
	if (r < 0)
		return r;
	if (r < argc && c.reading.input)
		return cmd_usage(err_set(err, -EINVAL,
					 "debuginfo takes files or a recording (-i), not both"));
	printer.is_json = c.reading.format == OUTPUT_FORMAT_JSON;
	if (printer.is_json)
		debuginfo_json_begin(&printer.json);
	printer.of_recording = r == argc;
	if (!printer.of_recording)
		r = show_files(&c, argc - r, argv + r, &printer, err);
	else
		r = show_recording(&c, &printer, err);
	if (printer.is_json)
		debuginfo_json_end(&printer.json, stdout);
	reading_done(&c.reading);
	return r;
}

const struct cmd cmd_debuginfo = {
	.name = "debuginfo",
	.summary = "Show what is known of objects, and where it was looked for",
	.usage = "[FILE...]",
	.options = options,
	.config_size = sizeof(struct config),
	.run = run,
};
