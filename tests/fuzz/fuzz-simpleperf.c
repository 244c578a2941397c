/* fuzz-simpleperf.c - any bytes as a section of files and symbols: the first one says which form,
 * and the byte order. */
#include <assert.h>

#include "data/simpleperf.h"
#include "fuzz.h"
#include "model/dso.h"
#include "symbol/carried.h"
#include "symbol/names.h"

static void add_symbols(struct simpleperf_walk *walk, struct carried *carried,
			const struct simpleperf_file *file)
{
	struct carried_object *object = carried_add(carried, file->path, file->path_size,
						    CARRIED_FILE, file->min_vaddr, file->offset);
	struct simpleperf_symbol symbol;

	while (simpleperf_next_symbol(walk, &symbol))
		carried_add_symbol(object, symbol.vaddr, symbol.size, symbol.name,
				   symbol.name_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct dso dso = { .name = "/bin/ant" };
	struct simpleperf_walk walk;
	struct simpleperf_file file;
	struct carried *carried;
	struct names names;

	if (size == 0)
		return 0;
	walk = simpleperf_begin(bytes + 1, size - 1, bytes[0] & 1, bytes[0] & 2);
	carried = carried_new();
	while (simpleperf_next(&walk, &file))
		add_symbols(&walk, carried, &file);
	carried_finish(carried);
	if (carried_load(carried, &dso, &names)) {
		assert(names.table);
		names_done(&names);
	}
	carried_free(carried);
	return 0;
}
