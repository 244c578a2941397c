/* test.c - "strobe test": what works on this machine, and programs to try a profiler on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/test-recording.h"
#include "kernel/probe.h"
#include "workload/loads.h"

enum { NAME_WIDTH = 46 };

struct config {
	unsigned verbose, runs;
	const char *skip, *workload;
	bool list_workloads, sequential, dont_fork;
};

#define FIELD(name) offsetof(struct config, name)

/* For completion; NULL past the end. */
static const char *workload_name(size_t i)
{
	const struct load *load = loads_table;

	while (load->name && i > 0) {
		load++;
		i--;
	}
	return load->name;
}

static const struct opt options[] = {
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Say what was seen",
	  .flags = OPT_NO_NEGATE },
	{ OPT_STR, 's', "skip", "CHECK,...", FIELD(skip), "Not these: numbers, or parts of names" },
	{ OPT_UINT, 'r', "runs-per-test", "N", FIELD(runs), "Run each so often (default: 1)",
	  .min = 1, .max = 1000000 },
	{ OPT_FLAG, 'S', "sequential", NULL, FIELD(sequential), "One after the other (always so)" },
	{ OPT_FLAG, 'F', "dont-fork", NULL, FIELD(dont_fork), "In this process (always so)" },
	{ OPT_GROUP, .help = "Workloads" },
	{ OPT_STR, 'w', "workload", "NAME", FIELD(workload),
	  "Run this program, with the other words as its arguments", .flags = OPT_NO_NEGATE,
	  .words = workload_name },
	{ OPT_FLAG, '\0', "list-workloads", NULL, FIELD(list_workloads),
	  "List those that there are", .flags = OPT_NO_NEGATE },
	{ OPT_ABSENT, .name = "record-ctl" },
	{ OPT_ABSENT, 'j', "junit" },
	{ OPT_ABSENT, .name = "objdump" },
	{ OPT_ABSENT, .name = "dso" },
	{ OPT_ABSENT, .name = "failure-snippet-lines" },
	{ .kind = OPT_END },
};

struct check {
	const struct probe *probe;
	bool is_wanted, is_skipped;
};

struct checks {
	struct check *items;
	size_t count, capacity;
};

static void add_check(struct checks *checks, const struct probe *probe, bool is_wanted)
{
	grow(checks);
	checks->items[checks->count++] = (struct check){ .probe = probe, .is_wanted = is_wanted };
}

static void checks_done(struct checks *checks)
{
	free(checks->items);
}

/* A number, or a part of the name in any case. */
static bool is_meant(const char *word, size_t index, const struct check *check)
{
	uint64_t number;

	if (str_to_u64(word, &number))
		return number == index + 1;
	return strcasestr(check->probe->what, word) != NULL;
}

static int want(struct checks *checks, const char *word, struct strobe_err *err)
{
	bool found = false;

	for (size_t i = 0; i < checks->count; i++) {
		if (!is_meant(word, i, &checks->items[i]))
			continue;
		checks->items[i].is_wanted = true;
		found = true;
	}
	if (found)
		return 0;
	err_set(err, -EINVAL, "there is no check '%s'", word);
	return err_hint(err, -EINVAL, "'strobe test list' shows them");
}

static void skip(struct checks *checks, const char *list)
{
	struct str_part part;

	while (list && str_split(&list, ',', &part)) {
		_cleanup_(freep) char *word = xstrndup(part.text, part.size);

		for (size_t i = 0; i < checks->count && *word; i++)
			checks->items[i].is_skipped |= is_meant(word, i, &checks->items[i]);
	}
}

/* Without words all; "list" before them is not one. */
static int choose(struct checks *checks, int count, const char **words, struct strobe_err *err)
{
	int r = 0;

	for (const struct probe *probe = probe_table; probe->what; probe++)
		add_check(checks, probe, count == 0);
	add_check(checks, &test_recording_probe, count == 0);
	for (int i = 0; r == 0 && i < count; i++)
		r = want(checks, words[i], err);
	return cmd_usage(r);
}

static void list_checks(const struct checks *checks)
{
	for (size_t i = 0; i < checks->count; i++)
		if (checks->items[i].is_wanted)
			printf("%3zu: %s\n", i + 1, checks->items[i].probe->what);
}

static void print_details(const struct str *details)
{
	const char *rest = str_text(details);
	struct str_part line;

	while (str_split(&rest, '\n', &line))
		if (line.size > 0)
			printf("     %.*s\n", (int)line.size, line.text);
}

static const char *hint_before(const struct strobe_err *err)
{
	return err->hint[0] ? "; " : "";
}

static enum probe_result run_check(const struct probe *probe, bool verbose)
{
	_cleanup_(str_done) struct str details = { 0 };
	struct strobe_err err = { 0 };
	enum probe_result result;

	(void)fflush(stdout);
	result = probe->run(&details, &err);
	if (result == PROBE_OK)
		puts("Ok");
	else if (result == PROBE_SKIP)
		printf("Skip (%s%s%s)\n", err.text, hint_before(&err), err.hint);
	else
		puts("FAILED!");
	if (result == PROBE_FAILED)
		str_addf(&details, "%s%s%s\n", err.text, hint_before(&err), err.hint);
	/* Who sees a failure wants to know why. */
	if (verbose || result == PROBE_FAILED)
		print_details(&details);
	return result;
}

struct counts {
	unsigned passed, skipped, failed;
};

static void count_result(struct counts *counts, enum probe_result result)
{
	counts->passed += result == PROBE_OK;
	counts->skipped += result == PROBE_SKIP;
	counts->failed += result == PROBE_FAILED;
}

/* As perf's, so that what reads that reads this; no check has others below it. */
static void print_summary(const struct counts *counts)
{
	printf("\n=== Test Summary ===\n"
	       "Passed main tests : %u\n"
	       "Passed subtests   : 0\n"
	       "Skipped tests     : %u\n"
	       "Failed tests      : %u\n",
	       counts->passed, counts->skipped, counts->failed);
}

static int run_checks(const struct config *c, const struct checks *checks)
{
	struct counts counts = { 0 };

	for (size_t i = 0; i < checks->count; i++) {
		const struct check *check = &checks->items[i];
		bool runs = check->is_wanted && !check->is_skipped;

		if (check->is_wanted && check->is_skipped) {
			printf("%3zu: %-*s: Skip (user override)\n", i + 1, NAME_WIDTH,
			       check->probe->what);
			counts.skipped++;
		}
		for (unsigned run = 0; runs && run < (c->runs ? c->runs : 1); run++) {
			printf("%3zu: %-*s: ", i + 1, NAME_WIDTH, check->probe->what);
			count_result(&counts, run_check(check->probe, c->verbose > 0));
		}
	}
	print_summary(&counts);
	return counts.failed ? CMD_FAILED : 0;
}

static int run_workload(const char *name, const char **args, struct strobe_err *err)
{
	const struct load *load = loads_find(name, err);
	size_t count = 0;

	if (!load)
		return OPT_USAGE;
	for (const char *at = load->args; *at; at++)
		count += *at == '[';
	for (size_t i = 0; args[i]; i++)
		if (i >= count)
			return cmd_usage(err_set(err, -EINVAL, "%s takes no '%s'", name, args[i]));
	return cmd_usage(load->run(args, err));
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	_cleanup_(checks_done) struct checks checks = { 0 };
	struct config c = { 0 };
	int first = opt_parse_mixed(options, argc, argv, &c, err), r;
	bool lists;

	if (first < 0)
		return first;
	if (c.list_workloads) {
		for (const struct load *load = loads_table; load->name; load++)
			puts(load->name);
		return 0;
	}
	if (c.workload)
		return run_workload(c.workload, argv + first, err);
	lists = first < argc && strcmp(argv[first], "list") == 0;
	first += lists;
	r = choose(&checks, argc - first, argv + first, err);
	if (r < 0)
		return r;
	skip(&checks, c.skip);
	if (!lists)
		return run_checks(&c, &checks);
	list_checks(&checks);
	return 0;
}

const struct cmd cmd_test = {
	.name = "test",
	.summary = "Try what works on this machine, or run a program to try a profiler on",
	.usage = "[list] [CHECK...]",
	.options = options,
	.run = run,
};
