/* fuzz-keptnames.c - any bytes as a section of names that were kept, and what an object is called
 * by them: the first byte is the byte order. */
#include <assert.h>
#include <string.h>

#include "analyze/carried-names.h"
#include "base/mem.h"
#include "data/keptnames.h"
#include "fuzz.h"
#include "model/timeline.h"
#include "symbol/carried.h"
#include "symbol/names.h"

static void look_up(const struct carried *carried, const struct dso *dso)
{
	const struct map map = { .start = 0x1000, .end = 0x9000, .pgoff = 0x1000, .dso = dso };
	struct names names;

	if (!carried_load(carried, dso, &names))
		return;
	assert(names.table);
	for (uint64_t addr = map.start; addr < map.end; addr += 64)
		if (names_has(&names, &map, addr))
			(void)names_find(&names, &map, names_address(&names, &map, addr));
	names_done(&names);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct dso dsos[] = {
		{ .name = "/bin/ant", .kind = DSO_USER },
		{ .name = "/bin/ant", .kind = DSO_USER, .ino = 7 },
		{ .name = "/bin/ant", .kind = DSO_USER, .build_id = { 1, 2 }, .build_id_size = 20 },
		{ .name = "/tmp/perf-7.map", .kind = DSO_ANON, .jit_pid = 7 },
	};
	_cleanup_(freep) uint8_t *section =
		NULL; /* of its size, so that nobody reads beyond it unseen */
	size_t objects, symbols;
	struct carried *carried;

	if (size < 2)
		return 0;
	section = xcalloc(1, size - 1);
	memcpy(section, bytes + 1, size - 1);
	(void)keptnames_count(section, size - 1, bytes[0] & 1, &objects, &symbols);
	assert(keptnames_record(section, size - 1) <= size - 1);
	carried = carried_names_parse(section, size - 1, bytes[0] & 1);
	for (size_t i = 0; i < sizeof(dsos) / sizeof(dsos[0]); i++)
		look_up(carried, &dsos[i]);
	carried_free(carried);
	return 0;
}
