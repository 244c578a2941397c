/*
 * record.c - "strobe record": run a command, or watch what runs, and write its profile.
 *
 * Options (record-options.h) say what is watched (collect/target.h), which events
 * (event/eventlist.h), what their samples hold (event/attr-build.h) and where it all goes
 * (collect/recording.h). What the header says besides is record-header.h's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/stack-sum.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/ending.h"
#include "cmd/preset.h"
#include "cmd/record-header.h"
#include "cmd/record-options.h"
#include "cmd/record-prepare.h"
#include "cmd/record-stages.h"
#include "cmd/remark.h"
#include "collect/notes.h"
#include "collect/recording.h"
#include "data/writer.h"
#include "event/eventlist.h"
#include "event/regs.h"
#include "event/softevent.h"
#include "event/stackmode.h"
#include "stage/live-unwind.h"
#include "unwind/stack-shares.h"
#include "view/loss-text.h"
#include "view/stacks-text.h"

static int list_registers(void)
{
	_cleanup_(str_done) struct str names = { 0 };

	regs_list(REGS_HERE, &names);
	printf("available registers: %s\n", str_text(&names));
	return 0;
}

/* Not of a dummy, of what the user was told that it never fires, and before -D has begun. */
static bool wants_samples(const struct record_config *c)
{
	if (c->attrs.no_samples || schedule_is_delayed(&c->recording.schedule))
		return false;
	for (size_t i = 0; i < c->events.count; i++) {
		const struct attr *attr = &c->events.items[i].attr;

		if (!softevent_is_dummy(attr) &&
		    !(attr->exclude_kernel && softevent_is_kernels(attr)))
			return true;
	}
	return false;
}

/* As perf: "record make | report" needs no -o. */
static const char *default_output(void)
{
	struct stat st;

	return fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

/* What goes to standard output goes there as a pipe: the command's own output makes room. */
static int check_output(struct recording_options *rec, struct strobe_err *err)
{
	static const char *const names[] = { "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" };

	if (!rec->output)
		rec->output = default_output();

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(rec->output, names[i]) == 0)
			rec->output = "-";
	if (strcmp(rec->output, "-") != 0 || !isatty(STDOUT_FILENO))
		return 0;
	err_set(err, -EINVAL, "a recording is no text for a terminal");
	return err_hint(err, -EINVAL,
			"-o FILE, or a reader: strobe record -o - ... | strobe script");
}

static void print_notes(const struct record_config *c, const struct notes *notes)
{
	for (size_t i = 0; !c->quiet && i < notes->count; i++)
		remark("%s", notes->items[i]);
}

/* Which events, as they were opened, on how many pairs of CPU and thread. */
static void print_opened(const struct record_config *c, const struct recording *rec)
{
	size_t count;
	const struct writer_event *events = recording_events(rec, &count);

	for (size_t i = 0; c->verbose && i < count; i++)
		remark("opened '%s' %zu times: type %" PRIu32 ", config %#" PRIx64
		       ", sample_type %#" PRIx64,
		       events[i].name, events[i].id_count, events[i].attr.type,
		       events[i].attr.config, events[i].attr.sample_type);
}

static void print_loss(const struct record_config *c, const struct recording_result *result)
{
	_cleanup_(str_done) struct str text = { 0 };
	struct loss_text loss = {
		.sample_count = result->sample_count,
		.lost_count = result->lost_count,
		.throttle_count = result->throttle_count,
		.ring_size = result->ring_size,
		.slowest_ns = result->slowest_ns,
		.written_ns = result->slowest_written_ns,
		.by_rate = record_prepare_has_rate(c),
		.has_stack_copies = stackmode_copies(&c->attrs.stackmode),
		.stack_size = c->attrs.stackmode.stack_size,
		.is_system_wide = c->attrs.is_system_wide,
	};

	loss_text(&loss, &text);
	remark_lines(str_text(&text));
}

/* Of the stacks that were unwound, how many are not complete. */
static void print_stacks(const struct record_config *c)
{
	_cleanup_(str_done) struct str text = { 0 };

	if (c->quiet || !c->header.stacks)
		return;
	stacks_text(c->header.stacks, &text);
	remark_lines(str_text(&text));
}

/* As perf has it: FILE.YYYYMMDDhhmmss and hundredths. */
static int rename_by_time(struct record_config *c, struct strobe_err *err)
{
	struct timespec now;
	struct tm local;
	char text[32];

	if (strcmp(c->recording.output, "-") == 0)
		return 0;
	(void)clock_gettime(CLOCK_REALTIME, &now);
	if (!localtime_r(&now.tv_sec, &local))
		return err_errno(err, "cannot tell the time");
	(void)strftime(text, sizeof(text), "%Y%m%d%H%M%S", &local);
	str_addf(&c->new_name, "%s.%s%02ld", c->recording.output, text, now.tv_nsec / 10000000);
	if (rename(c->recording.output, str_text(&c->new_name)) < 0)
		return err_errno(err, "cannot rename '%s' to '%s'", c->recording.output,
				 str_text(&c->new_name));
	c->recording.output = str_text(&c->new_name);
	return 0;
}

static void print_result(const struct record_config *c, const struct recording_result *result)
{
	if (c->quiet)
		return;
	print_loss(c, result);
	if (result->is_full)
		remark("ended, since the file has the size of --max-size");
	if (result->sample_count == 0 && result->lost_count == 0 && wants_samples(c))
		remark("no samples: the target did not run, or too little for an event to happen "
		       "often enough");
	(void)fprintf(stderr, "[ strobe record: Woken up %" PRIu64 " times to write data ]\n",
		      result->wake_count);
	(void)fprintf(
		stderr, "[ strobe record: Captured and wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
		(double)result->written_size / 1024 / 1024,
		strcmp(c->recording.output, "-") == 0 ? "to standard output" : c->recording.output,
		result->sample_count);
}

/* "-g fp" is no option and its value: "fp" is the command then. */
static int hint_at_call_graph(const struct record_config *c, int code, struct strobe_err *err)
{
	const char *const *argv = c->recording.argv;
	struct stackmode ignored;

	/* Before the command there is at least the name of ours. */
	if (code != -ENOENT || !argv || strcmp(argv[-1], "-g") != 0 ||
	    stackmode_parse(argv[0], &ignored, NULL) < 0)
		return code;
	return err_hint(err, code, "did you mean --call-graph %s?", argv[0]);
}

/* Who named no target may not know that all that runs was meant. */
static int hint_at_targets(const struct record_config *c, int code, struct strobe_err *err)
{
	const struct strobe_err why = *err;

	if (!c->is_untargeted || (code != -EACCES && code != -EPERM))
		return code;
	return err_hint(err, code, "name a command, or a process with -p; for all that runs, %s",
			why.hint);
}

static int record(struct record_config *c, const char **argv, struct notes *notes,
		  struct strobe_err *err)
{
	_cleanup_(record_stages_done) struct record_stages stages = { 0 };
	_cleanup_(recording_freep) struct recording *rec = NULL;
	struct recording_result result = { 0 };
	struct stack_sum stacks;
	int r = record_prepare(c, notes, err), finished;

	if (r == 0)
		r = cmd_usage(check_output(&c->recording, err));
	if (r < 0 || c->dry_run)
		return r;
	record_prepare_header(c, argv);
	c->recording.stage = record_stages_begin(&stages, c);
	r = recording_open(&c->recording, &c->events, notes, &rec, err);
	if (r == 0)
		r = record_header_begin(&c->header, rec, err);
	if (r < 0)
		return hint_at_targets(c, r, err);
	/* Now that it begins: before a failure remarks would only hide what went wrong. */
	print_notes(c, notes);
	print_opened(c, rec);
	record_stages_ready(&stages);
	r = recording_run(rec, err);
	if (r < 0)
		return hint_at_call_graph(c, r, err);
	/* What was recorded is kept, whatever its header lacks. */
	if (stages.live) {
		live_unwind_sum(stages.live, &stacks);
		c->header.stacks = &stacks;
	}
	c->header.kept = stages.kept;
	r = record_header_end(&c->header, rec, err);
	finished = recording_finish(rec, &result, r < 0 ? NULL : err);
	if (finished < 0)
		return r < 0 ? r : finished;
	if (r == 0 && c->timestamp_filename)
		r = rename_by_time(c, err);
	print_result(c, &result);
	print_stacks(c);
	c->ended_by = result.signal;
	return r < 0 ? r : result.exit_code;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct record_config c = { .recording.synthesize.what = SYNTHESIZE_ALL };
	struct notes notes = { 0 };
	int r;

	preset_apply(record_options, &c);
	r = opt_parse(record_options, argc, argv, &c, err);
	if (r >= 0 &&
	    (c.attrs.user_regs == LIST_REGISTERS || c.attrs.intr_regs == LIST_REGISTERS)) {
		r = list_registers();
	} else if (r >= 0) {
		c.recording.argv = r < argc ? argv + r : NULL;
		r = record(&c, argv, &notes, err);
	}
	notes_done(&notes);
	str_done(&c.new_name);
	record_header_done(&c.header);
	schedule_done(&c.recording.schedule);
	eventlist_done(&c.events);
	return r >= 0 && c.ended_by ? ending_by(c.ended_by) : r;
}

const struct cmd cmd_record = {
	.name = "record",
	.summary = "Run a command, or watch what runs, and write its profile",
	.usage = "[--] [COMMAND [ARGS...]]",
	.options = record_options,
	.config_size = sizeof(struct record_config),
	.run = run,
};
