/* fuzz-kallsyms.c - any bytes as /proc/kallsyms. */
#include <assert.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "object/symtab.h"
#include "symbol/kallsyms.h"

static void check_table(const struct kallsyms *kallsyms)
{
	const struct symtab *table = kallsyms_table(kallsyms);

	for (size_t i = 0; i < symtab_count(table); i++) {
		const struct symbol *symbol = symtab_at(table, i);
		const struct symbol *found = symtab_find(table, symbol->start);
		uint16_t group;
		uint64_t addr;

		assert(symbol->start <= symbol->end && symbol->name[0]);
		assert(!found || found->start == symbol->start);
		(void)kallsyms_module(kallsyms, symbol->name, &group);
		if (i < 64)
			(void)kallsyms_address(kallsyms, symbol->name, &addr);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct kallsyms *kallsyms;
	char path[64];

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (kallsyms_load(path, &kallsyms, NULL) == 0) {
		check_table(kallsyms);
		kallsyms_free(kallsyms);
	}
	(void)close(fd);
	return 0;
}
