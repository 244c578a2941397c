#include "../test.h"

#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "object/symtab.h"
#include "symbol/kallsyms.h"

static int load(const char *text, struct kallsyms **ret_kallsyms, struct strobe_err *err)
{
	char path[] = "/tmp/test-kallsyms-XXXXXX";
	int fd = mkstemp(path);
	ssize_t size = (ssize_t)strlen(text), written = write(fd, text, (size_t)size);
	int r = written == size ? kallsyms_load(path, ret_kallsyms, err) : -EIO;

	(void)close(fd);
	(void)unlink(path);
	return r;
}

static const char *name_at(const struct kallsyms *kallsyms, uint64_t addr)
{
	const struct symbol *symbol = symtab_find(kallsyms_table(kallsyms), addr);

	return symbol ? symbol->name : "none";
}

static void a_symbol_ends_where_the_next_begins(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *kallsyms = NULL;

	assert_int_equal(
		load("2000 T b\n1000 t a\n3000 D data\n1800 A absolute\n", &kallsyms, NULL), 0);
	assert_string_equal(name_at(kallsyms, 0xfff), "none");
	assert_string_equal(name_at(kallsyms, 0x1000), "a");
	assert_string_equal(name_at(kallsyms, 0x1fff), "a");
	assert_string_equal(name_at(kallsyms, 0x2fff), "b");
	assert_string_equal(name_at(kallsyms, 0x3fff), "data");
	assert_string_equal(name_at(kallsyms, 0x9000), "none");
}

static void what_is_no_file_is_not_read(void **state)
{
	static const char *const paths[] = { "/dev/zero", "/dev/urandom", "/dev/null", "/" };
	struct kallsyms *kallsyms = NULL;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		assert_int_equal(kallsyms_load(paths[i], &kallsyms, NULL), -EINVAL);
	assert_int_equal(kallsyms_load("/no/such/file", &kallsyms, NULL), -ENOENT);
	assert_null(kallsyms);
}

static void of_aliases_the_last_has_the_name(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *kallsyms = NULL;
	uint64_t addr = 0;

	assert_int_equal(
		load("1000 t __do_sys_fork\n1000 T __ia32_sys_fork\n1000 T __x64_sys_fork\n"
		     "2000 T next\n",
		     &kallsyms, NULL),
		0);
	assert_string_equal(name_at(kallsyms, 0x1800), "__x64_sys_fork");
	assert_true(kallsyms_address(kallsyms, "__ia32_sys_fork", &addr));
	assert_int_equal(addr, 0x1000);
	assert_false(kallsyms_address(kallsyms, "nothing", &addr));
}

static void modules_are_groups_of_their_own(void **state)
{
	_cleanup_(kallsyms_freep) struct kallsyms *kallsyms = NULL;
	uint16_t group = 0;
	uint64_t addr;

	assert_int_equal(load("1000 T kernel\n900000 t init\t[ext4]\n900100 t go\t[ext4]\n",
			      &kallsyms, NULL),
			 0);
	assert_true(kallsyms_module(kallsyms, "[ext4]", &group));
	assert_false(kallsyms_module(kallsyms, "[xfs]", &group));
	assert_int_equal(symtab_find(kallsyms_table(kallsyms), 0x900050)->group, group);
	assert_string_equal(name_at(kallsyms, 0x800000), "none"); /* not the kernel's last */
	assert_false(kallsyms_address(kallsyms, "go", &addr));
}

static void hidden_addresses_come_with_a_hint(void **state)
{
	struct kallsyms *kallsyms;
	struct strobe_err err;

	assert_int_equal(load("0 T a\n0 T b\n", &kallsyms, &err), -EPERM);
	assert_non_null(strstr(err.hint, "kptr_restrict"));
}

static void what_is_no_symbol_is_skipped(void **state)
{
	struct kallsyms *kallsyms;
	struct strobe_err err;

	assert_int_equal(load("", &kallsyms, &err), -ENODATA);
	assert_int_equal(load("hello\n\n T\n12\n12 T\n12 T \n12 TT x\nzz T y\n", &kallsyms, &err),
			 -ENODATA);
	assert_int_equal(kallsyms_load("/nonexistent", &kallsyms, &err), -ENOENT);
	assert_string_equal(err.text, "cannot read kernel symbols from '/nonexistent': No such "
				      "file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_symbol_ends_where_the_next_begins),
		cmocka_unit_test(what_is_no_file_is_not_read),
		cmocka_unit_test(of_aliases_the_last_has_the_name),
		cmocka_unit_test(modules_are_groups_of_their_own),
		cmocka_unit_test(hidden_addresses_come_with_a_hint),
		cmocka_unit_test(what_is_no_symbol_is_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
