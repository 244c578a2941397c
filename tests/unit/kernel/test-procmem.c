/* test-procmem.c - kernel/procmem.h */
#include "../test.h"

#include <sys/mman.h>
#include <unistd.h>

#include "kernel/procmem.h"

enum { PAGE = 4096 };

static void memory_is_read_up_to_where_it_ends(void **state)
{
	static char got[4 * PAGE];
	char *pages =
		mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	assert_int_equal(munmap(pages + 2 * PAGE, PAGE), 0);
	memset(pages, 'x', 2 * PAGE);
	if (procmem_read(getpid(), (uintptr_t)pages, got, 1) == 0)
		skip(); /* not allowed here */
	assert_int_equal(procmem_read(getpid(), (uintptr_t)pages + 100, got, sizeof(got)),
			 2 * PAGE - 100);
	assert_int_equal(got[2 * PAGE - 101], 'x');
	assert_int_equal(got[2 * PAGE - 100], '\0');
	assert_int_equal(procmem_read(getpid(), (uintptr_t)pages + 10, got, 7), 7);
	assert_int_equal(procmem_read(getpid(), (uintptr_t)pages + 2 * PAGE, got, 8), 0);
	assert_int_equal(procmem_read(getpid(), UINT64_MAX - 3, got, 8), 0);
	assert_int_equal(munmap(pages, 2 * PAGE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_read_up_to_where_it_ends),
	};

	return cmocka_run_group_tests_name("procmem", tests, NULL, NULL);
}
