/* stat-output.c - see stat-output.h. */
#include "cmd/stat-output.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyze/stat.h"
#include "base/err.h"
#include "cmd/stat-options.h"
#include "cmd/terminal.h"
#include "view/stat-csv.h"
#include "view/stat-json.h"
#include "view/stat-text.h"

enum { TITLE_EVERY = 25 }; /* intervals */

/* Only this of the locale: all else that is printed is the same everywhere. */
static void find_thousands(struct stat_output *output)
{
	locale_t locale = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);

	if (!locale)
		return;
	(void)snprintf(output->thousands, sizeof(output->thousands), "%s",
		       nl_langinfo_l(THOUSEP, locale));
	freelocale(locale);
}

int stat_output_open(struct stat_output *output, const struct stat_config *config,
		     struct strobe_err *err)
{
	*output = (struct stat_output){ .config = config, .file = stderr, .run_count = 1 };
	if (!config->no_big_num && config->format == STAT_FORMAT_TEXT)
		find_thousands(output);
	if (config->log_fd) {
		output->file = fdopen(dup((int)config->log_fd), "a");
		if (!output->file)
			return err_errno(err, "--log-fd %u", config->log_fd);
		output->owns_file = true;
	} else if (config->output) {
		output->file = fopen(config->output, config->append ? "ae" : "we");
		if (!output->file)
			return err_errno(err, "cannot write '%s'", config->output);
		output->owns_file = true;
	}
	return 0;
}

/* The first error is the one that says why: what fails after it may say something else. */
static void note_failure(struct stat_output *output, bool failed)
{
	if (failed && !output->failure)
		output->failure = errno ? errno : EIO;
}

int stat_output_close(struct stat_output *output, struct strobe_err *err)
{
	str_done(&output->what);
	if (!output->file)
		return 0;
	errno = 0;
	note_failure(output, fflush(output->file) != 0);
	note_failure(output, output->owns_file && fclose(output->file) != 0);
	output->file = NULL;
	if (!output->failure)
		return 0;
	return err_set(err, -output->failure, "cannot write all results: %s",
		       strerror(output->failure));
}

bool stat_output_is_shared(const struct stat_output *output)
{
	return output->config->format != STAT_FORMAT_TEXT && !output->owns_file;
}

void stat_output_describe(struct stat_output *output, const char *const *argv)
{
	const struct target_request *target = &output->config->target;
	struct str *out = &output->what;

	if (target->pids) {
		str_addf(out, "process id '%s'", target->pids);
	} else if (target->tids) {
		str_addf(out, "thread id '%s'", target->tids);
	} else if (target->all_cpus || target->all_threads) {
		str_add(out, "'system wide'");
	} else if (target->cpus) {
		str_addf(out, "'CPU(s) %s'", target->cpus);
	} else {
		str_add_char(out, '\'');
		for (size_t i = 0; argv && argv[i]; i++)
			str_addf(out, "%s%s", i ? " " : "", argv[i]);
		str_add_char(out, '\'');
	}
}

static void put(struct stat_output *output, struct str *text)
{
	errno = 0;
	if (!output->config->quiet)
		note_failure(output, !terminal_write(output->file, text));
	note_failure(output, fflush(output->file) != 0);
	str_done(text);
}

void stat_output_text(struct stat_output *output, struct str *text)
{
	put(output, text);
}

void stat_output_begin(struct stat_output *output)
{
	time_t now = time(NULL);
	struct str text = { 0 };
	struct tm local;
	char date[64];

	if (!output->owns_file || !localtime_r(&now, &local) ||
	    output->config->format == STAT_FORMAT_JSON)
		return;
	(void)strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &local);
	str_addf(&text, "# started on %s\n\n", date);
	put(output, &text);
}

static struct stat_text text_of(const struct stat_output *output)
{
	return (struct stat_text){
		.what = str_text(&output->what),
		.run_count = output->run_count,
		.thousands = output->thousands,
		.metric_only = output->config->metric_only,
		.has_usage = output->has_usage,
		.user_ns = output->user_ns,
		.system_ns = output->system_ns,
		.runs_s = output->config->table ? output->runs_s : NULL,
	};
}

static struct stat_lines lines_of(const struct stat_output *output)
{
	return (struct stat_lines){
		.separator = output->config->separator ? output->config->separator : ",",
		.run_count = output->config->has_repeat ? output->run_count : 1,
		.metric_only = output->config->metric_only,
	};
}

static void add_lines(struct stat_output *output, struct str *text, struct stat_lines *lines,
		      const struct stat_table *table, bool is_first)
{
	if (output->config->format == STAT_FORMAT_LINES) {
		stat_lines_json(text, lines, table);
		return;
	}
	if (is_first)
		stat_csv_begin(text, lines, table);
	stat_csv_rows(text, lines, table);
}

static struct stat_json json_of(const struct stat_output *output)
{
	return (struct stat_json){ .what = str_text(&output->what),
				   .has_usage = output->has_usage,
				   .user_ns = output->user_ns,
				   .system_ns = output->system_ns };
}

void stat_output_interval(struct stat_output *output, struct stat *stat, uint64_t time_ns)
{
	const struct stat_table *table = stat_rows(stat);
	struct str out = { 0 };
	bool is_first = output->interval_count++ % TITLE_EVERY == 0;

	if (output->config->interval_clear && isatty(fileno(output->file))) {
		(void)fputs("\033[H\033[2J", output->file);
		is_first = true;
	}
	if (output->config->format == STAT_FORMAT_TEXT) {
		struct stat_text text = text_of(output);

		text.is_interval = true;
		text.time_ns = time_ns;
		if (is_first)
			stat_text_begin(&out, &text, table);
		stat_text_rows(&out, &text, table);
	} else if (output->config->format == STAT_FORMAT_JSON) {
		struct stat_json json = json_of(output);

		json.is_interval = true;
		json.time_ns = time_ns;
		stat_json_add(&out, &json, table, stat_wall(stat));
	} else {
		struct stat_lines lines = lines_of(output);

		lines.is_interval = true;
		lines.time_ns = time_ns;
		add_lines(output, &out, &lines, table, output->interval_count == 1);
	}
	put(output, &out);
}

void stat_output_all(struct stat_output *output, struct stat *stat, bool is_summary)
{
	const struct stat_table *table = stat_rows(stat);
	struct str out = { 0 };

	if (output->config->format == STAT_FORMAT_TEXT) {
		struct stat_text text = text_of(output);

		stat_text_begin(&out, &text, table);
		stat_text_rows(&out, &text, table);
		stat_text_end(&out, &text, table, stat_wall(stat));
	} else if (output->config->format == STAT_FORMAT_JSON) {
		struct stat_json json = json_of(output);

		stat_json_add(&out, &json, table, stat_wall(stat));
	} else {
		struct stat_lines lines = lines_of(output);

		lines.is_summary = is_summary && !output->config->no_csv_summary;
		add_lines(output, &out, &lines, table, true);
	}
	put(output, &out);
}
