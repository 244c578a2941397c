/* fuzz-perfmap.c - any bytes as a perf map: no address has two names, and each name an address. */
#include <assert.h>

#include "fuzz.h"
#include "object/perfmap.h"
#include "object/symtab.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perfmap_counts counts;
	struct symtab *table = perfmap_parse((const char *)bytes, size, &counts);

	assert(symtab_count(table) <= counts.lines);
	for (size_t i = 0; i < symtab_count(table); i++) {
		const struct symbol *symbol = symtab_at(table, i);
		const struct symbol *found = symtab_find(table, symbol->start);

		assert(symbol->start < symbol->end);
		assert(found && found->start <= symbol->start && symbol->start < found->end);
	}
	symtab_free(table);
	return 0;
}
