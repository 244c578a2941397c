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
	const struct carried_key key = { .name = file->path, .name_size = file->path_size };
	struct carried_object *object = carried_add(carried, &key, CARRIED_FILE);
	struct simpleperf_symbol symbol;

	carried_add_segment(object, file->offset, UINT64_MAX - file->offset, file->min_vaddr);
	while (simpleperf_next_symbol(walk, &symbol))
		carried_add_symbol(object, symbol.vaddr, symbol.size, false, symbol.name,
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
