/* test-callspec.c - system calls by number and name, names of values, and what is to be copied. */
#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "format/callnames.h"
#include "format/callplan.h"
#include "format/callspec.h"
#include "format/calltables.h"

#ifdef __x86_64__
#define HERE CALLABI_X86_64
#else
#define HERE CALLABI_ARM64
#endif

static void numbers_are_those_of_the_headers(void **state)
{
	static const struct {
		const char *name;
		int number;
	} calls[] = {
		{ "read", SYS_read },     { "openat", SYS_openat },         { "mmap", SYS_mmap },
		{ "clone", SYS_clone },   { "exit_group", SYS_exit_group }, { "statx", SYS_statx },
		{ "clone3", SYS_clone3 }, { "prlimit64", SYS_prlimit64 },   { "futex", SYS_futex },
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		const struct callspec *spec = callspec_find(HERE, (uint64_t)calls[i].number);

		assert_int_equal(callspec_number(HERE, calls[i].name), calls[i].number);
		assert_non_null(spec);
		assert_string_equal(spec->name, calls[i].name);
		assert_true(spec->is_known);
	}
	assert_null(callspec_find(HERE, 100000));
	assert_null(callspec_find(HERE, UINT64_MAX));
	assert_int_equal(callspec_number(HERE, "nonsense"), -ENOENT);
}

static void what_is_younger_than_the_headers_has_a_name_too(void **state)
{
	assert_string_equal(callspec_find(HERE, 462)->name, "mseal");
	assert_string_equal(callspec_find(CALLABI_ARM64, 452)->name, "fchmodat2");
}

static void other_machines_have_numbers_of_their_own(void **state)
{
	assert_string_equal(callspec_find(CALLABI_ARM64, 56)->name, "openat");
	assert_string_equal(callspec_find(CALLABI_ARM64, 63)->name, "read");
	assert_string_equal(callspec_find(CALLABI_ARM64, 222)->name, "mmap");
	assert_string_equal(callspec_find(CALLABI_ARM64, 79)->name, "newfstatat");
#ifdef __x86_64__
	assert_string_equal(callspec_find(CALLABI_I386, 3)->name, "read");
	assert_string_equal(callspec_find(CALLABI_I386, 192)->name, "mmap2");
	/* x32 has the same calls, with a bit of its own. */
	assert_string_equal(callspec_find(CALLABI_X86_64, 0x40000000 + 1)->name, "write");
#endif
}

static void calls_of_32_bits_may_have_other_arguments(void **state)
{
#ifdef __x86_64__
	const struct callspec *narrow = callspec_find(CALLABI_I386, 180);
	const struct callspec *wide = callspec_find(CALLABI_X86_64, SYS_pread64);

	assert_string_equal(narrow->name, "pread64");
	assert_int_equal(narrow->arg_count, 5);
	assert_int_equal(narrow->args[3].type.kind, CALLTYPE_LOW);
	assert_int_equal(wide->arg_count, 4);
	assert_int_equal(callspec_word(CALLABI_I386), 4);
#endif
	assert_int_equal(callspec_word(HERE), 8);
}

static void groups_follow_from_arguments(void **state)
{
	assert_int_equal(callspec_find(HERE, SYS_openat)->groups, CALLSPEC_FILE | CALLSPEC_DESC);
	assert_int_equal(callspec_find(HERE, SYS_read)->groups, CALLSPEC_DESC);
	assert_int_equal(callspec_find(HERE, SYS_connect)->groups,
			 CALLSPEC_NETWORK | CALLSPEC_DESC);
	assert_int_equal(callspec_find(HERE, SYS_brk)->groups, CALLSPEC_MEMORY);
	assert_int_equal(callspec_group("network"), CALLSPEC_NETWORK);
	assert_int_equal(callspec_group("nonsense"), 0);
}

static void machines_tell_their_abi(void **state)
{
	enum callabi abi;

	assert_true(callspec_abi("x86_64", true, &abi));
	assert_int_equal(abi, CALLABI_I386);
	assert_true(callspec_abi("aarch64", false, &abi));
	assert_int_equal(abi, CALLABI_ARM64);
	assert_false(callspec_abi("s390x", false, &abi));
}

/* All names of a value, and what is left, as one text. */
static void assert_names(const struct callnames *names, uint64_t value, const char *expected,
			 uint64_t expected_rest)
{
	const struct callname *item;
	char text[256] = "";
	uint64_t rest = 0;
	size_t at = 0;

	while ((item = callnames_next(names, value, &rest, &at))) {
		strcat(text, *text ? "|" : "");
		strcat(text, item->name);
	}
	assert_string_equal(text, expected);
	assert_int_equal(rest, expected_rest);
}

extern const struct callnames calltables_mmap, calltables_mode, calltables_prot;

static void flags_have_names(void **state)
{
	const struct callnames *open = callnames_of(&calltables_open, HERE);

	assert_names(open, O_RDONLY, "O_RDONLY", 0);
	assert_names(open, O_WRONLY | O_CREAT | O_TRUNC, "O_WRONLY|O_CREAT|O_TRUNC", 0);
	assert_names(open, O_RDWR | O_TMPFILE, "O_RDWR|O_TMPFILE", 0);
	assert_names(open, O_RDWR | O_SYNC | 0x40000000, "O_RDWR|O_SYNC", 0x40000000);
	assert_names(&calltables_mmap, MAP_PRIVATE | MAP_ANONYMOUS, "MAP_PRIVATE|MAP_ANONYMOUS", 0);
	assert_names(&calltables_prot, 0, "PROT_NONE", 0);
	assert_names(&calltables_mode, S_IFDIR | S_ISVTX | 0755, "S_IFDIR|S_ISVTX", 0755);
}

static void flags_of_another_machine_are_that_ones(void **state)
{
	assert_names(callnames_of(&calltables_open, CALLABI_ARM64), 0x4000, "O_RDONLY|O_DIRECTORY",
		     0);
	assert_ptr_equal(callnames_of(&calltables_open, CALLABI_ARM),
			 callnames_of(&calltables_open, CALLABI_ARM64));
}

static void one_of_several_has_one_name(void **state)
{
	assert_string_equal(callnames_find(&calltables_errno, ENOENT), "ENOENT");
	assert_string_equal(callnames_find(&calltables_errno, EAGAIN), "EAGAIN");
	assert_string_equal(callnames_find(&calltables_errno, 512), "ERESTARTSYS");
	assert_string_equal(callnames_find(&calltables_signal, SIGCHLD), "SIGCHLD");
	assert_string_equal(callnames_find(&calltables_signal, 34), "SIGRT_2");
	assert_string_equal(callnames_find(&calltables_family, AF_INET6), "AF_INET6");
	assert_null(callnames_find(&calltables_signal, 1000));
	assert_string_equal(callnames_short(&calltables_signal, "SIGCHLD"), "CHLD");
	assert_string_equal(callnames_short(&calltables_signal, "SIG"), "SIG");
}

static const struct callcopy_step *step_of(const struct callcopy_plan *plan, unsigned arg,
					   bool at_exit)
{
	for (size_t i = 0; i < plan->step_count; i++)
		if (plan->steps[i].arg == arg && plan->steps[i].at_exit == at_exit)
			return &plan->steps[i];
	return NULL;
}

static void plan_of(const char *name, enum callabi abi, struct callcopy_plan *plan)
{
	const struct callplan_options options = { .text_size = 32 };

	callplan_make(callspec_find(abi, (uint64_t)callspec_number(abi, name)), abi, &options,
		      plan);
}

static void plans_say_what_is_copied_when(void **state)
{
	struct callcopy_plan plan;

	plan_of("read", HERE, &plan);
	assert_int_equal(step_of(&plan, 0, false)->what, CALLCOPY_DO_FILE);
	assert_null(step_of(&plan, 1, false));
	assert_int_equal(step_of(&plan, 1, true)->what, CALLCOPY_DO_BYTES);
	assert_int_equal(step_of(&plan, 1, true)->counted, CALLCOPY_BY_RESULT);
	assert_int_equal(step_of(&plan, 1, true)->limit, 32);

	plan_of("openat", HERE, &plan);
	assert_int_equal(step_of(&plan, 1, false)->what, CALLCOPY_DO_STRING);
	assert_int_equal(step_of(&plan, 1, false)->limit, 4096);
	assert_int_equal(step_of(&plan, CALLCOPY_ARGS, true)->what, CALLCOPY_DO_FILE);

	plan_of("accept4", HERE, &plan);
	assert_int_equal(step_of(&plan, 1, true)->counted, CALLCOPY_BY_POINTED);
	assert_int_equal(step_of(&plan, 1, true)->count_arg, 2);
	assert_non_null(step_of(&plan, 2, false));
	assert_non_null(step_of(&plan, 2, true));

	plan_of("getpid", HERE, &plan);
	assert_int_equal(plan.step_count, 0);
}

static void structs_are_as_large_as_the_machine_has_them(void **state)
{
	struct callcopy_plan plan;

	plan_of("newfstatat", HERE, &plan);
	assert_int_equal(step_of(&plan, 2, true)->size, sizeof(struct stat));
	plan_of("nanosleep", HERE, &plan);
	assert_int_equal(step_of(&plan, 0, false)->size, 16);
#ifdef __x86_64__
	plan_of("nanosleep", CALLABI_I386, &plan);
	assert_int_equal(step_of(&plan, 0, false)->size, 8);
	plan_of("fstat64", CALLABI_I386, &plan);
	assert_int_equal(step_of(&plan, 1, true)->size, 96);
#endif
}

static void every_known_call_has_a_plan_that_fits(void **state)
{
	const struct callplan_options options = { .text_size = 1 << 20 };

	for (enum callabi abi = 0; abi < CALLABI_COUNT; abi++)
		for (uint64_t i = 0; i < callspec_count(abi); i++) {
			const struct callspec *spec = callspec_find(abi, i);
			struct callcopy_plan plan = { 0 };

			if (spec)
				callplan_make(spec, abi, &options, &plan);
			assert_in_range(plan.step_count, 0, CALLCOPY_STEPS);
			for (size_t at = 0; at < plan.step_count; at++) {
				assert_in_range(plan.steps[at].arg, 0, CALLCOPY_ARGS);
				assert_in_range(plan.steps[at].limit, 0, CALLCOPY_PATH_MAX);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_the_headers),
		cmocka_unit_test(what_is_younger_than_the_headers_has_a_name_too),
		cmocka_unit_test(other_machines_have_numbers_of_their_own),
		cmocka_unit_test(calls_of_32_bits_may_have_other_arguments),
		cmocka_unit_test(groups_follow_from_arguments),
		cmocka_unit_test(machines_tell_their_abi),
		cmocka_unit_test(flags_have_names),
		cmocka_unit_test(flags_of_another_machine_are_that_ones),
		cmocka_unit_test(one_of_several_has_one_name),
		cmocka_unit_test(plans_say_what_is_copied_when),
		cmocka_unit_test(structs_are_as_large_as_the_machine_has_them),
		cmocka_unit_test(every_known_call_has_a_plan_that_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
