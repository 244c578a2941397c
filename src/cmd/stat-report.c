/* stat-report.c - see stat-report.h. */
#include "cmd/stat-report.h"

#include <errno.h>
#include <inttypes.h>

#include "analyze/stat-file.h"
#include "analyze/stat.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/reading.h"
#include "cmd/remark.h"
#include "cmd/stat-options.h"
#include "cmd/stat-output.h"
#include "data/countset.h"
#include "data/datafile.h"

struct session {
	struct stat_file file;
	struct stat_output output;
	struct stat *stat;
	struct countset before, delta;
	uint64_t before_ns;
	bool is_by_interval;
};

static void show_interval(struct session *s, const struct countset *counts, uint64_t time_ns)
{
	uint64_t took_ns = time_ns > s->before_ns ? time_ns - s->before_ns : 0;

	countset_copy(&s->delta, counts);
	countset_subtract(&s->delta, &s->before, NULL);
	countset_copy(&s->before, counts);
	stat_clear(s->stat);
	stat_add(s->stat, &s->delta, took_ns);
	s->before_ns = time_ns;
	stat_output_interval(&s->output, s->stat, time_ns);
}

static int visit(void *context, const struct countset *counts, uint64_t time_ns, bool is_final)
{
	struct session *s = context;

	if (s->is_by_interval) {
		show_interval(s, counts, time_ns);
	} else if (is_final) {
		stat_clear(s->stat);
		stat_add(s->stat, counts, time_ns);
		stat_output_all(&s->output, s->stat, false);
	}
	return 0;
}

static void describe(struct session *s, const struct stat_config *c)
{
	const struct stat_file *file = &s->file;
	const char **argv = xcalloc(file->command.count + 2, sizeof(*argv));

	argv[0] = c->input;
	for (size_t i = 0; i < file->command.count; i++)
		argv[i] = file->command.items[i];
	stat_output_describe(&s->output, argv);
	free(argv);
}

static int show(struct session *s, struct stat_config *c, struct strobe_err *err)
{
	struct stat_setup *setup = &s->file.setup;
	int r;

	if (c->has_by)
		setup->by = c->by;
	if (setup->by == STAT_BY_CACHE && !c->has_by)
		c->cache_level = (int)s->file.settings.cache_level;
	c->by = setup->by;
	s->is_by_interval = s->file.settings.interval_ms != 0;
	s->stat = stat_new(setup);
	countset_init(&s->before, setup->event_count, setup->cpu_count, setup->thread_count);
	countset_init(&s->delta, setup->event_count, setup->cpu_count, setup->thread_count);
	describe(s, c);
	stat_output_begin(&s->output);
	r = stat_file_walk(&s->file, visit, s);
	if (!stat_output_is_shared(&s->output) && stat_shared_count(stat_rows(s->stat)) > 0) {
		remark("counts with a percentage are scaled up: there were more events than "
		       "counters");
		remark_hint("groups (-e '{cycles,instructions}') are counted at the same times");
	}
	if (s->file.skipped_count)
		remark("%" PRIu64 " records were left out: they are damaged, or belong to no event",
		       s->file.skipped_count);
	countset_done(&s->before);
	countset_done(&s->delta);
	stat_free(s->stat);
	return r;
}

int stat_report_run(struct stat_config *c, int argc, const char **argv, struct strobe_err *err)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct session s = { 0 };
	int r = opt_parse(stat_options_report, argc, argv, c, err), closed;

	if (r < 0)
		return r;
	if (r < argc)
		return cmd_usage(err_set(err, -EINVAL, "report has no operand '%s'", argv[r]));
	r = reading_open_file(&c->input, &file, err);
	if (r == -ENOENT)
		return err_hint(err, r, "make one with: strobe stat record COMMAND");
	if (r == 0)
		r = stat_file_init(&s.file, file, c->cache_level, err);
	if (r < 0)
		return r;
	r = stat_output_open(&s.output, c, err);
	if (r == 0)
		r = show(&s, c, err);
	closed = stat_output_close(&s.output, r < 0 ? NULL : err);
	stat_file_done(&s.file);
	return r < 0 ? r : closed;
}
