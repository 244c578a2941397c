/* feature-recording.c - see feature-recording.h. */
#include "view/feature-recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <time.h>

#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/bpfinfo.h"
#include "data/datafile.h"
#include "data/eventdesc.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/keptnames.h"
#include "format/attr-text.h"
#include "format/event-name.h"
#include "view/feature-text.h"
#include "view/header-text.h"

#define NS_PER_SEC 1000000000ULL

/* Single quotes get a backslash before them; there is no other quoting. */
static int print_cmdline(const struct feature_text_section *section)
{
	_cleanup_(str_done) struct str line = { 0 };
	struct machine_list words;
	int r = feature_cmdline_decode(section->bytes, section->size, section->foreign,
				       section->arena, &words);

	if (r < 0)
		return r;
	for (size_t i = 0; i < words.count; i++) {
		for (const char *c = words.items[i]; *c; c++) {
			if (*c == '\'')
				str_add_char(&line, '\\');
			str_add_char(&line, *c);
		}
		str_add_char(&line, ' ');
	}
	str_one_line(&line, 0);
	(void)fprintf(section->out, "# cmdline : %s\n", str_text(&line));
	return 0;
}

static const char *tracepoint_of(const struct feature_text_section *section,
				 const struct eventdesc *event)
{
	const struct header_text_options *options = section->options;

	if (event->attr.type != PERF_TYPE_TRACEPOINT || !options->tracepoint)
		return NULL;
	return options->tracepoint(options->context, event->attr.config, event->name);
}

static void print_event(const struct feature_text_section *section, const struct eventdesc *event)
{
	_cleanup_(str_done) struct str line = { 0 };

	str_addf(&line, "# event : name = %s, ", event->name);
	for (size_t i = 0; i < event->id_count; i++)
		str_addf(&line, "%s%" PRIu64, i ? ", " : ", id = { ", event->ids[i]);
	str_add(&line, event->id_count ? " }, " : ", ");
	attr_text_add(&line, &event->attr, " = ", tracepoint_of(section, event));
	str_one_line(&line, 0);
	(void)fprintf(section->out, "%s\n", str_text(&line));
}

static int print_event_desc(const struct feature_text_section *section)
{
	struct eventdesc_list list;
	int r = eventdesc_decode(section->bytes, section->size, section->foreign, section->arena,
				 &list);

	if (r < 0)
		return r;
	for (size_t i = 0; i < list.count; i++)
		print_event(section, &list.items[i]);
	return 0;
}

static void print_group(const struct events *events, const struct eventdesc_group *group, FILE *out)
{
	_cleanup_(str_done) struct str line = { 0 };

	if (group->name)
		str_add(&line, group->name);
	for (uint32_t i = 0; i < group->member_count; i++) {
		str_add_char(&line, i ? ',' : '{');
		event_name_add_desc(&line, events_at(events, group->leader + i));
	}
	str_one_line(&line, 0);
	(void)fprintf(out, "# group: %s}\n", str_text(&line));
}

static int print_group_desc(const struct feature_text_section *section)
{
	const struct events *events = datafile_events(section->file);
	size_t event_count = events_count(events);
	struct eventdesc_groups groups;
	int r = eventdesc_groups_decode(section->bytes, section->size, section->foreign,
					section->arena, &groups);

	if (r < 0)
		return r;
	for (size_t i = 0; i < groups.count; i++) {
		const struct eventdesc_group *group = &groups.items[i];

		if (group->leader >= event_count ||
		    group->member_count > event_count - group->leader)
			return -EBADMSG;
		print_group(events, group, section->out);
	}
	return 0;
}

static int print_branch_stack(const struct feature_text_section *section)
{
	(void)fputs("# contains samples with branch stack\n", section->out);
	return 0;
}

static int print_auxtrace(const struct feature_text_section *section)
{
	(void)fputs("# contains AUX area data (e.g. instruction trace)\n", section->out);
	return 0;
}

static int print_stat(const struct feature_text_section *section)
{
	(void)fputs("# contains stat data\n", section->out);
	return 0;
}

static void print_moment(const struct feature_text_section *section, const char *title,
			 uint64_t time_ns)
{
	(void)fprintf(section->out, "# time of %s sample : %" PRIu64 ".%06" PRIu64 "\n", title,
		      (uint64_t)(time_ns / NS_PER_SEC), (uint64_t)(time_ns % NS_PER_SEC / 1000));
}

static int print_sample_time(const struct feature_text_section *section)
{
	struct feature_sample_time time;
	int r = feature_sample_time_decode(section->bytes, section->size, section->foreign, &time);

	if (r < 0)
		return r;
	print_moment(section, "first", time.first_ns);
	print_moment(section, "last", time.last_ns);
	(void)fprintf(section->out, "# sample duration : %10.3f ms\n",
		      (double)(time.last_ns - time.first_ns) / 1e6);
	return 0;
}

/* perf takes the resolution in ns for a frequency in GHz, which it is for 1 alone. */
static int print_clockid(const struct feature_text_section *section)
{
	uint64_t resolution_ns;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &resolution_ns);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# clockid frequency: %" PRIu64 " MHz\n", resolution_ns * 1000);
	return 0;
}

static const char *clock_name(uint32_t clockid)
{
	switch (clockid) {
	case CLOCK_REALTIME:
		return "realtime";
	case CLOCK_MONOTONIC:
		return "monotonic";
	case CLOCK_MONOTONIC_RAW:
		return "monotonic_raw";
	case CLOCK_BOOTTIME:
		return "boottime";
	case CLOCK_TAI:
		return "tai";
	default:
		return "(not found)";
	}
}

static int print_clock_data(const struct feature_text_section *section)
{
	struct feature_clock_data clock;
	char day[32];
	struct tm local;
	time_t seconds;
	int r = feature_clock_data_decode(section->bytes, section->size, section->foreign, &clock);

	if (r < 0)
		return r;
	seconds = (time_t)(clock.tod_ns / NS_PER_SEC);
	if (!localtime_r(&seconds, &local) || strftime(day, sizeof(day), "%F %T", &local) == 0)
		return -EBADMSG;
	(void)fprintf(section->out, "# clockid: %s (%" PRIu32 ")\n", clock_name(clock.clockid),
		      clock.clockid);
	(void)fprintf(section->out,
		      "# reference time: %s.%06" PRIu64 " = %" PRIu64 ".%06" PRIu64
		      " (TOD) = %" PRIu64 ".%09" PRIu64 " (%s)\n",
		      day, (uint64_t)(clock.tod_ns % NS_PER_SEC / 1000),
		      (uint64_t)(clock.tod_ns / NS_PER_SEC),
		      (uint64_t)(clock.tod_ns % NS_PER_SEC / 1000),
		      (uint64_t)(clock.clock_ns / NS_PER_SEC),
		      (uint64_t)(clock.clock_ns % NS_PER_SEC), clock_name(clock.clockid));
	return 0;
}

static int print_dir_format(const struct feature_text_section *section)
{
	uint64_t version;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &version);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# directory data version : %" PRIu64 "\n", version);
	return 0;
}

/* The types that programs name; none where there are none, or they are damaged. */
static struct bpfinfo_btfs load_btfs(const struct feature_text_section *section)
{
	struct bpfinfo_btfs btfs = { 0 };
	size_t size;
	const void *bytes = datafile_feature(section->file, FEATURE_BPF_BTF, &size);

	if (bytes)
		(void)bpfinfo_btfs_decode(bytes, size, section->foreign, section->arena, &btfs);
	return btfs;
}

static void print_program(const struct feature_text_section *section,
			  const struct bpfinfo_program *program)
{
	bool many = program->count > 1;

	if (many)
		(void)fprintf(section->out, "# bpf_prog_info %" PRIu32 ":\n", program->id);
	for (size_t i = 0; i < program->count; i++) {
		const struct bpfinfo_function *function = &program->functions[i];

		if (many)
			(void)fprintf(section->out, "# \tsub_prog %zu: ", i);
		else
			(void)fprintf(section->out, "# bpf_prog_info %" PRIu32 ": ", program->id);
		(void)fprintf(section->out, "%s addr %#" PRIx64 " size %" PRIu32 "\n",
			      function->name, function->addr, function->size);
	}
}

static int print_bpf_prog_info(const struct feature_text_section *section)
{
	struct bpfinfo_btfs btfs = load_btfs(section);
	struct bpfinfo_programs programs;
	int r = bpfinfo_programs_decode(section->bytes, section->size, section->foreign, &btfs,
					section->arena, &programs);

	if (r < 0)
		return r;
	if (programs.count == 0)
		(void)fputs("# bpf_prog_info empty\n", section->out);
	for (size_t i = 0; i < programs.count; i++)
		print_program(section, &programs.items[i]);
	return 0;
}

static int print_bpf_btf(const struct feature_text_section *section)
{
	struct bpfinfo_btfs btfs;
	int r = bpfinfo_btfs_decode(section->bytes, section->size, section->foreign, section->arena,
				    &btfs);

	if (r < 0)
		return r;
	if (btfs.count == 0)
		(void)fputs("# btf info empty\n", section->out);
	for (size_t i = 0; i < btfs.count; i++)
		(void)fprintf(section->out, "# btf info of id %" PRIu32 "\n", btfs.items[i].id);
	return 0;
}

static int print_compressed(const struct feature_text_section *section)
{
	struct feature_compressed compressed;
	int r = feature_compressed_decode(section->bytes, section->size, section->foreign,
					  &compressed);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# compressed : %s, level = %" PRIu32 ", ratio = %" PRIu32 "\n",
		      compressed.type == FEATURE_COMPRESSED_ZSTD ? "Zstd" : "Unknown",
		      compressed.level, compressed.ratio);
	return 0;
}

static int print_names(const struct feature_text_section *section)
{
	size_t objects, symbols;

	int r = keptnames_count(section->bytes, section->size, section->foreign, &objects,
				&symbols);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# kept names : %zu object%s, %zu symbol%s\n", objects,
		      objects == 1 ? "" : "s", symbols, symbols == 1 ? "" : "s");
	return 0;
}

feature_text_printer *feature_recording_printer(unsigned feature)
{
	static feature_text_printer *const PRINTERS[FEATURE_PERF_END] = {
		[FEATURE_CMDLINE] = print_cmdline,
		[FEATURE_EVENT_DESC] = print_event_desc,
		[FEATURE_BRANCH_STACK] = print_branch_stack,
		[FEATURE_GROUP_DESC] = print_group_desc,
		[FEATURE_AUXTRACE] = print_auxtrace,
		[FEATURE_STAT] = print_stat,
		[FEATURE_SAMPLE_TIME] = print_sample_time,
		[FEATURE_CLOCKID] = print_clockid,
		[FEATURE_DIR_FORMAT] = print_dir_format,
		[FEATURE_BPF_PROG_INFO] = print_bpf_prog_info,
		[FEATURE_BPF_BTF] = print_bpf_btf,
		[FEATURE_COMPRESSED] = print_compressed,
		[FEATURE_CLOCK_DATA] = print_clock_data,
	};

	if (feature == FEATURE_STROBE_NAMES)
		return print_names;
	return feature < FEATURE_PERF_END ? PRINTERS[feature] : NULL;
}
