#include "../test.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/opt-doc.h"
#include "base/opt.h"
#include "base/str.h"

struct config {
	bool all, inherit_off, inline_;
	unsigned freq, verbose, level;
	uint64_t period;
	const char *output, *graph, *json, *log;
	struct str calls;
};

static int note(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct str *calls = field;

	str_addf(calls, "[%s%s]", negated ? "no " : "", arg ? arg : "-");
	if (arg && strcmp(arg, "wrong") == 0)
		return err_set(err, -EINVAL, "'%s' will not do", arg);
	if (arg && strcmp(arg, "gone") == 0)
		return err_set(err, -ENOENT, "no file '%s'", arg);
	return 0;
}

#define FIELD(name) offsetof(struct config, name)

static const struct opt table[] = {
	{ OPT_GROUP, .help = "What to do" },
	{ OPT_FLAG, 'a', "all-cpus", NULL, FIELD(all), "Everything" },
	{ OPT_FLAG, 'i', "no-inherit", NULL, FIELD(inherit_off), "No children" },
	{ OPT_FLAG, '\0', "inline", NULL, FIELD(inline_), "Inlined functions" },
	{ OPT_UINT, 'F', "freq", "HZ", FIELD(freq), "Rate", .alias = "frequency", .min = 1 },
	{ OPT_UINT, 'z', "level", "[N]", FIELD(level), "Compress", .implied = "1", .max = 22 },
	{ OPT_U64, 'c', "count", "N", FIELD(period), "Period", .flags = OPT_NEGATE },
	{ OPT_GROUP, .help = "Where to" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(output), "To this file" },
	{ OPT_STR, 'j', "json", "[FILE]", FIELD(json), "As JSON" },
	{ OPT_STR, 'g', "graph", "[MODE]", FIELD(graph), "Call graphs", .flags = OPT_NEXT_WORD },
	{ OPT_CALL, 'e', "event", "EVENT", FIELD(calls), "Add an event_with_*stars*", note },
	{ OPT_CALL, 'G', NULL, "[GROUP]", FIELD(calls), "Add a group", note },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Say more", .flags = OPT_NO_NEGATE },
	{ OPT_ABSENT, 'Z', "inside", .instead = "look outside" },
	{ OPT_ABSENT, .name = "verbosely", .help = "nobody says it so" },
	{ OPT_STR, '\0', "log", "FILE", FIELD(log), "secret", .flags = OPT_HIDDEN | OPT_NEGATE },
	{ .kind = OPT_END },
};

static struct config c;
static struct strobe_err err;

/* The words of @line, parsed into c and err. */
#define PARSE(...) parse(opt_parse, (const char *[]){ "cmd", __VA_ARGS__, NULL })
#define PARSE_MIXED(...) parse(opt_parse_mixed, (const char *[]){ "cmd", __VA_ARGS__, NULL })

static int parse(int (*how)(const struct opt *, int, const char **, void *, struct strobe_err *),
		 const char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	str_done(&c.calls);
	c = (struct config){ .log = "x" };
	err = (struct strobe_err){ 0 };
	return how(table, argc, argv, &c, &err);
}

static int forget(void **state)
{
	str_done(&c.calls);
	return 0;
}

static void values_may_stick_to_letters_and_letters_to_each_other(void **state)
{
	assert_int_equal(PARSE("-F99"), 2);
	assert_int_equal(c.freq, 99);
	assert_int_equal(PARSE("-F", "0x10"), 3);
	assert_int_equal(c.freq, 16);
	assert_int_equal(PARSE("-avvF99", "-o", "-"), 4);
	assert_true(c.all && c.verbose == 2 && c.freq == 99);
	assert_string_equal(c.output, "-");
}

static void long_names_take_values_either_way_and_have_aliases(void **state)
{
	assert_int_equal(PARSE("--freq=99", "--output", "--", "--count=18446744073709551615"), 5);
	assert_int_equal(c.freq, 99);
	assert_string_equal(c.output, "--");
	assert_true(c.period == UINT64_MAX);
	assert_int_equal(PARSE("--frequency", "7"), 3);
	assert_int_equal(c.freq, 7);
	assert_int_equal(PARSE("--output="), 2);
	assert_string_equal(c.output, "");
}

static void parsing_ends_at_the_first_operand_or_dashes(void **state)
{
	assert_int_equal(PARSE("-a", "ls", "-v"), 2);
	assert_int_equal(PARSE("-a", "--", "-v"), 3);
	assert_int_equal(PARSE("-", "-v"), 1);
	assert_int_equal(c.verbose, 0);
}

static void mixed_operands_are_gathered_at_the_end(void **state)
{
	const char *argv[] = { "cmd", "x", "-F", "5", "y", "-a", "--", "-v", "z", NULL };

	assert_int_equal(parse(opt_parse_mixed, argv), 5);
	assert_int_equal(c.freq, 5);
	assert_true(c.all && c.verbose == 0);
	assert_string_equal(argv[5], "x");
	assert_string_equal(argv[6], "y");
	assert_string_equal(argv[7], "-v");
	assert_string_equal(argv[8], "z");
	assert_int_equal(PARSE_MIXED("-a"), 2);
	assert_int_equal(PARSE_MIXED("-a", "--"), 3);
	assert_int_equal(PARSE_MIXED("x", "--nonsense"), OPT_USAGE);
}

static void a_unique_beginning_is_enough(void **state)
{
	assert_int_equal(PARSE("--verb", "--inl", "--f", "3"), 5);
	assert_true(c.verbose == 1 && c.inline_ && c.freq == 3);
	assert_int_equal(PARSE("--in"), OPT_USAGE);
	assert_string_equal(err.text, "'--in' could be --inherit, --inline");
	assert_int_equal(PARSE("--no-in"), OPT_USAGE);
	assert_string_equal(err.text, "'--no-in' could be --no-inherit, --no-inline");
	assert_int_equal(PARSE("--no"), OPT_USAGE);
	assert_non_null(strstr(err.text, "'--no' could be --no-all-cpus, --no-inherit, "));
	assert_int_equal(PARSE("--n"), 2);
	assert_true(c.inherit_off);
}

static void what_only_perf_has_is_refused_where_typed_in_full(void **state)
{
	assert_int_equal(PARSE("--inside=3"), OPT_USAGE);
	assert_string_equal(err.text, "perf has '--inside', strobe has not yet");
	assert_string_equal(err.hint, "look outside");
	assert_int_equal(PARSE("-aZ"), OPT_USAGE);
	assert_string_equal(err.hint, "look outside");
	assert_int_equal(PARSE("--verbosely"), OPT_USAGE);
	assert_string_equal(err.text, "nobody says it so");
	assert_string_equal(err.hint, "");
	assert_int_equal(PARSE("--no-inside", "-a"), 3);
	assert_true(c.all);
	assert_int_equal(PARSE("--insid"), OPT_USAGE);
	assert_string_equal(err.text, "unknown option '--insid'");
	assert_string_equal(err.hint, "");
}

static void flags_are_negated_by_no(void **state)
{
	assert_int_equal(PARSE("--all-cpus", "--no-all"), 3);
	assert_false(c.all);
	assert_int_equal(PARSE("-i"), 2);
	assert_true(c.inherit_off);
	assert_int_equal(PARSE("--no-inherit", "--inherit"), 3);
	assert_false(c.inherit_off);
	assert_int_equal(PARSE("--no-verbose"), OPT_USAGE);
	assert_int_equal(PARSE("--no-output"), OPT_USAGE);
	assert_int_equal(PARSE("-c9", "--no-count", "--no-log"), 4);
	assert_true(c.period == 0 && !c.log);
	assert_int_equal(PARSE("--no-count=3"), OPT_USAGE);
	assert_string_equal(err.text, "'--no-count' takes no value, not '3'");
}

static void optional_arguments_are_only_what_sticks(void **state)
{
	assert_int_equal(PARSE("-j", "x"), 2);
	assert_string_equal(c.json, "");
	assert_int_equal(PARSE("-jx", "--level"), 3);
	assert_string_equal(c.json, "x");
	assert_int_equal(c.level, 1);
	assert_int_equal(PARSE("--json=y", "-z22"), 3);
	assert_string_equal(c.json, "y");
	assert_int_equal(c.level, 22);
}

static void some_optional_arguments_may_be_the_next_word(void **state)
{
	assert_int_equal(PARSE("-g", "caller"), 3);
	assert_string_equal(c.graph, "caller");
	assert_int_equal(PARSE("-g", "-v"), 3);
	assert_string_equal(c.graph, "");
	assert_int_equal(c.verbose, 1);
	assert_int_equal(PARSE("-gcaller", "-g"), 3);
	assert_string_equal(c.graph, "");
	assert_int_equal(PARSE("--graph", "callee", "--graph=x"), 4);
	assert_string_equal(c.graph, "x");
}

static void callbacks_run_in_the_order_typed(void **state)
{
	assert_int_equal(PARSE("-e", "a", "-Gb", "--event=c", "-G", "--no-event"), 7);
	assert_string_equal(c.calls.text, "[a][b][c][-][no -]");
}

static void callbacks_tell_wrong_words_from_failures(void **state)
{
	assert_int_equal(PARSE("-e", "wrong"), OPT_USAGE);
	assert_string_equal(err.text, "'wrong' will not do");
	assert_int_equal(err.code, -EINVAL);
	assert_int_equal(PARSE("-e", "gone"), -ENOENT);
}

static void numbers_are_checked(void **state)
{
	assert_int_equal(PARSE("-F", "fast"), OPT_USAGE);
	assert_string_equal(err.text, "--freq wants a number, not 'fast'");
	assert_int_equal(PARSE("-F", "4294967296"), OPT_USAGE);
	assert_string_equal(err.text, "--freq is from 1 to 4294967295, not '4294967296'");
	assert_int_equal(PARSE("--freq=0"), OPT_USAGE);
	assert_int_equal(PARSE("-z23"), OPT_USAGE);
	assert_int_equal(PARSE("-F", "-1"), OPT_USAGE);
	assert_int_equal(PARSE("--freq="), OPT_USAGE);
}

static void missing_and_needless_values_are_named(void **state)
{
	assert_int_equal(PARSE("-a", "-F"), OPT_USAGE);
	assert_string_equal(err.text, "--freq wants a value");
	assert_int_equal(PARSE("--output"), OPT_USAGE);
	assert_string_equal(err.text, "--output wants a value");
	assert_int_equal(PARSE("--all-cpus=yes"), OPT_USAGE);
	assert_string_equal(err.text, "'--all-cpus' takes no value, not 'yes'");
}

static void a_mistyped_option_gets_the_nearest_as_hint(void **state)
{
	assert_int_equal(PARSE("--frq"), OPT_USAGE);
	assert_string_equal(err.text, "unknown option '--frq'");
	assert_string_equal(err.hint, "did you mean '--freq'?");
	assert_int_equal(PARSE("--no-inlin=x"), OPT_USAGE);
	assert_int_equal(PARSE("--no-inlnie"), OPT_USAGE);
	assert_string_equal(err.hint, "did you mean '--no-inline'?");
	assert_int_equal(PARSE("--lgo"), OPT_USAGE);
	assert_string_equal(err.hint, "");
	assert_int_equal(PARSE("-x"), OPT_USAGE);
	assert_string_equal(err.text, "unknown option '-x'");
	assert_string_equal(err.hint, "");
	assert_int_equal(PARSE("-level=3"), OPT_USAGE);
	assert_string_equal(err.text, "unknown option '-l'");
	assert_string_equal(err.hint, "did you mean '--level'?");
}

static void help_is_in_every_table(void **state)
{
	static const struct opt none[] = { { .kind = OPT_END } };
	const char *argv[] = { "cmd", "--help" };

	assert_int_equal(PARSE("-a", "-h", "--nonsense"), OPT_HELP);
	assert_int_equal(PARSE("--help"), OPT_HELP);
	assert_int_equal(PARSE("--no-help"), OPT_USAGE);
	assert_int_equal(opt_parse(none, 2, argv, NULL, NULL), OPT_HELP);
	argv[1] = "-x";
	assert_int_equal(opt_parse(none, 2, argv, NULL, NULL), OPT_USAGE);
	assert_int_equal(opt_parse(none, 1, argv, NULL, NULL), 1);
	assert_int_equal(opt_parse(none, 0, argv, NULL, NULL), 1);
}

static char *written(void (*doc)(const struct opt *, FILE *))
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	doc(table, out);
	(void)fclose(out);
	return text;
}

static void help_shows_what_is_not_hidden(void **state)
{
	char *text = written(opt_doc_help);

	assert_non_null(strstr(text, "\nWhat to do:\n  -a, --all-cpus            Everything\n"));
	assert_non_null(strstr(text, "\n      --inline              Inlined functions\n"));
	assert_non_null(
		strstr(text, "\n  -F, --freq, --frequency HZ\n                            Rate\n"));
	assert_non_null(strstr(text, "\n  -j, --json[=FILE]         As JSON\n"));
	assert_non_null(strstr(text, "\n  -g, --graph [MODE]        Call graphs\n"));
	assert_non_null(strstr(text, "\n  -G[GROUP]                 Add a group\n"));
	assert_non_null(strstr(text, "\n  -h, --help"));
	assert_null(strstr(text, "log"));
	free(text);
}

static void scdoc_text_has_its_markup_escaped(void **state)
{
	char *text = written(opt_doc_scdoc);

	assert_non_null(strstr(text, "## What to do\n\n*-a*, *--all-cpus*\n\tEverything\n\n"));
	assert_non_null(
		strstr(text, "*-e*, *--event* _EVENT_\n\tAdd an event\\_with\\_\\*stars\\*\n"));
	assert_non_null(strstr(text, "*-j*, *--json*[=_FILE_]\n"));
	assert_null(strstr(text, "log"));
	free(text);
}

static void completion_knows_which_options_want_what(void **state)
{
	char *text = written(opt_doc_bash);

	assert_non_null(strstr(text, "options='-a --all-cpus -i --no-inherit --inline -F --freq"));
	assert_non_null(strstr(text, "files='-o --output'\n"));
	assert_non_null(strstr(text, "values='-F --freq --frequency -c --count -e --event'\n"));
	free(text);
}

static const char *shape(size_t i)
{
	static const char *const shapes[] = { "round", "square", NULL };

	return shapes[i];
}

static void completion_knows_the_words_of_an_option(void **state)
{
	static const struct opt rows[] = {
		{ OPT_STR, 's', "shape", "SHAPE", 0, "One", .words = shape },
		{ OPT_STR, '\0', "shapes", "SHAPE,...", 0, "Some", .words = shape,
		  .alias = "forms" },
		{ .kind = OPT_END },
	};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	opt_doc_bash(rows, out);
	(void)fclose(out);
	assert_non_null(strstr(text, "\t-s|--shape) is_list=0 words='round square' ;;\n"));
	assert_non_null(strstr(text, "\t--shapes|--forms) is_list=1 words='round square' ;;\n"));
	free(text);
}

static const struct opt *row_of(const struct opt *rows, const char *key)
{
	for (; rows->kind != OPT_END; rows++)
		if (rows->key && strcmp(rows->key, key) == 0)
			return rows;
	return NULL;
}

static const struct opt preset_table[] = {
	{ OPT_FLAG, 'a', "all-cpus", NULL, FIELD(all), "Everything", .key = "x.all" },
	{ OPT_FLAG, 'i', "no-inherit", NULL, FIELD(inherit_off), "No children",
	  .key = "x.inherit" },
	{ OPT_UINT, 'F', "freq", "HZ", FIELD(freq), "Rate", .key = "x.freq" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(output), "To this file", .key = "x.output" },
	{ OPT_CALL, .arg = "HOW", .at = FIELD(calls), .help = "How to_call", .call = note,
	  .key = "x.how" },
	{ OPT_CALL, .at = FIELD(calls), .help = "Whether", .call = note, .key = "x.whether" },
	{ .kind = OPT_END },
};

static int set(const char *key, const char *value)
{
	err = (struct strobe_err){ 0 };
	return opt_set(row_of(preset_table, key), value, &c, &err);
}

static void a_setting_fills_in_what_its_option_does(void **state)
{
	assert_int_equal(set("x.all", "yes"), 0);
	assert_true(c.all);
	assert_int_equal(set("x.all", "Off"), 0);
	assert_false(c.all);
	assert_int_equal(set("x.inherit", "false"), 0);
	assert_true(c.inherit_off);
	assert_int_equal(set("x.freq", "99"), 0);
	assert_int_equal(c.freq, 99);
	assert_int_equal(set("x.output", "-"), 0);
	assert_string_equal(c.output, "-");
	assert_int_equal(set("x.how", "so"), 0);
	assert_int_equal(set("x.whether", "0"), 0);
	assert_int_equal(set("x.whether", "1"), 0);
	assert_string_equal(str_text(&c.calls), "[so][no -][-]");
}

static void a_setting_without_sense_is_refused(void **state)
{
	c.freq = 7;
	assert_true(set("x.freq", "often") < 0);
	assert_string_equal(err.text, "--freq wants a number, not 'often'");
	assert_int_equal(c.freq, 7);
	assert_true(set("x.all", "maybe") < 0);
	assert_string_equal(err.text, "it is true or false, not 'maybe'");
	assert_true(set("x.how", "wrong") < 0);
	assert_string_equal(err.text, "'wrong' will not do");
}

static void a_setting_alone_cannot_be_typed(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	const char *argv[] = { "cmd", "--how", NULL };

	assert_int_equal(opt_parse(preset_table, 2, argv, &c, &err), OPT_USAGE);
	opt_doc_help(preset_table, out);
	opt_doc_scdoc(preset_table, out);
	opt_doc_bash(preset_table, out);
	assert_int_equal(fclose(out), 0);
	assert_null(strstr(text, "to_call"));
	assert_null(strstr(text, "HOW"));
	free(text);
}

static void settings_are_listed_with_their_options(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	opt_doc_settings(preset_table, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "*x.all*\n\t*true* or *false*, as *--all-cpus*\n\n"
				  "*x.inherit*\n\t*true* or *false*, as *--inherit*\n\n"
				  "*x.freq*\n\tAs *--freq*\n\n"
				  "*x.output*\n\tAs *--output*\n\n"
				  "*x.how*\n\tHow to\\_call\n\n"
				  "*x.whether*\n\tWhether\n\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_may_stick_to_letters_and_letters_to_each_other),
		cmocka_unit_test(long_names_take_values_either_way_and_have_aliases),
		cmocka_unit_test(parsing_ends_at_the_first_operand_or_dashes),
		cmocka_unit_test(mixed_operands_are_gathered_at_the_end),
		cmocka_unit_test(a_unique_beginning_is_enough),
		cmocka_unit_test(what_only_perf_has_is_refused_where_typed_in_full),
		cmocka_unit_test(flags_are_negated_by_no),
		cmocka_unit_test(optional_arguments_are_only_what_sticks),
		cmocka_unit_test(some_optional_arguments_may_be_the_next_word),
		cmocka_unit_test(callbacks_run_in_the_order_typed),
		cmocka_unit_test(callbacks_tell_wrong_words_from_failures),
		cmocka_unit_test(numbers_are_checked),
		cmocka_unit_test(missing_and_needless_values_are_named),
		cmocka_unit_test(a_mistyped_option_gets_the_nearest_as_hint),
		cmocka_unit_test(help_is_in_every_table),
		cmocka_unit_test(help_shows_what_is_not_hidden),
		cmocka_unit_test(scdoc_text_has_its_markup_escaped),
		cmocka_unit_test(completion_knows_which_options_want_what),
		cmocka_unit_test(completion_knows_the_words_of_an_option),
		cmocka_unit_test(a_setting_fills_in_what_its_option_does),
		cmocka_unit_test(a_setting_without_sense_is_refused),
		cmocka_unit_test(a_setting_alone_cannot_be_typed),
		cmocka_unit_test(settings_are_listed_with_their_options),
	};

	return cmocka_run_group_tests_name("opt", tests, NULL, forget);
}
