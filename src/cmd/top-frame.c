/* top-frame.c - see top-frame.h. */
#include "cmd/top-frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/terminal.h"
#include "view/report-text.h"
#include "view/top-json.h"
#include "view/top-text.h"

void top_frame_begin(struct top_frame *frame, uint64_t now_ns)
{
	frame->last_ns = now_ns;
	cputime_read(NULL, &frame->cpus);
}

/* What happened since the last frame; its list of CPUs is the caller's to free(). */
static struct top_text take_head(struct top_frame *frame, uint64_t now_ns, uint64_t lost_count,
				 uint64_t throttle_count)
{
	struct cputime now = { 0 };
	struct top_text head = {
		.seconds = (double)(now_ns - frame->last_ns) / 1e9,
		.sample_count = frame->sample_count,
		.kernel_count = frame->kernel_count,
		.lost_count = lost_count - frame->lost_count,
		.throttle_count = throttle_count - frame->throttle_count,
		.what = frame->what,
		.target = frame->target,
	};

	cputime_read(NULL, &now);
	head.busy = xcalloc(now.count + 1, sizeof(*head.busy));
	for (size_t i = 0; i < now.count; i++) {
		int percent = cputime_percent(&frame->cpus, &now, now.items[i].cpu);

		if (percent >= 0)
			head.busy[head.busy_count++] =
				(struct top_text_cpu){ now.items[i].cpu, percent };
	}
	cputime_done(&frame->cpus);
	frame->cpus = now;
	frame->last_ns = now_ns;
	frame->sample_count = frame->kernel_count = 0;
	frame->lost_count = lost_count;
	frame->throttle_count = throttle_count;
	frame->count++;
	return head;
}

static char *table_of(const struct report *report, const struct report_text *text)
{
	char *table = NULL;
	size_t size;
	FILE *out = open_memstream(&table, &size);

	if (!out)
		abort();
	report_text_print(report, text, out);
	(void)fclose(out);
	return table;
}

/* Lines end where their text does; on a terminal, where it ends. */
static void print_lines(const char *text, size_t most_lines, size_t most_columns)
{
	struct str_part line;

	for (size_t i = 0; i < most_lines && str_split(&text, '\n', &line); i++) {
		while (line.size > 0 && line.text[line.size - 1] == ' ')
			line.size--;
		if (line.size > most_columns)
			line.size = most_columns;
		(void)fwrite(line.text, 1, line.size, stdout);
		(void)fputc('\n', stdout);
	}
}

static void print_text(const struct top_frame *frame, const struct top_text *head,
		       const struct report *report, const struct report_text *text)
{
	_cleanup_(str_done) struct str out = { 0 };
	_cleanup_(freep) char *table = table_of(report, text);
	size_t lines = SIZE_MAX, columns = SIZE_MAX;

	top_text_add(head, &out);
	str_add(&out, table);
	if (frame->terminal && terminal_size(&lines, &columns)) {
		terminal_clear();
		lines--; /* where the cursor stands */
	}
	print_lines(str_text(&out), lines, columns);
}

bool top_frame_print(struct top_frame *frame, const struct report *report,
		     const struct report_text *text, const struct events *events, uint64_t now_ns,
		     uint64_t lost_count, uint64_t throttle_count)
{
	struct top_text head = take_head(frame, now_ns, lost_count, throttle_count);

	if (frame->json)
		top_json_print(&head, frame->count, report, text, events, stdout);
	else
		print_text(frame, &head, report, text);
	free(head.busy);
	return fflush(stdout) == 0 && !ferror(stdout);
}

void top_frame_done(struct top_frame *frame)
{
	cputime_done(&frame->cpus);
}
