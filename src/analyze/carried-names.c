/* carried-names.c - see carried-names.h. */
#include "analyze/carried-names.h"

#include "data/datafile.h"
#include "data/feature.h"
#include "data/simpleperf.h"
#include "symbol/carried.h"

/* What the symbols' addresses are; false if the file does not tell enough. */
static bool find_space(const struct simpleperf_file *file, enum carried_space *ret_space,
		       uint64_t *ret_offset)
{
	*ret_offset = file->offset;
	switch (file->type) {
	case SIMPLEPERF_ELF:
		*ret_space = CARRIED_FILE;
		/* Without an offset only a file that is laid out as it is loaded is sure. */
		return file->has_offset || file->min_vaddr == 0;
	case SIMPLEPERF_DEX: /* places in the file that holds the code */
		*ret_space = CARRIED_FILE;
		return file->min_vaddr == 0;
	case SIMPLEPERF_MODULE:
		*ret_space = CARRIED_MODULE;
		return file->has_offset;
	case SIMPLEPERF_KERNEL:
	case SIMPLEPERF_SYMBOL_MAP:
		*ret_space = CARRIED_MEMORY;
		return true;
	default:
		return false;
	}
}

static void add_files(struct carried *carried, struct simpleperf_walk walk)
{
	struct simpleperf_file file;
	struct simpleperf_symbol symbol;
	enum carried_space space;
	uint64_t offset;

	while (simpleperf_next(&walk, &file)) {
		struct carried_object *object;

		if (!find_space(&file, &space, &offset))
			continue;
		object = carried_add(carried, file.path, file.path_size, space, file.min_vaddr,
				     offset);
		while (simpleperf_next_symbol(&walk, &symbol))
			carried_add_symbol(object, symbol.vaddr, symbol.size, symbol.name,
					   symbol.name_size);
	}
}

struct carried *carried_names_load(const struct datafile *file)
{
	static const enum feature features[] = { FEATURE_SIMPLEPERF_FILE,
						 FEATURE_SIMPLEPERF_FILE2 };
	struct carried *carried = NULL;

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		size_t size;
		const void *bytes = datafile_feature(file, features[i], &size);

		if (!bytes)
			continue;
		carried = carried ? carried : carried_new();
		add_files(carried, simpleperf_begin(bytes, size, datafile_header(file)->foreign,
						    features[i] == FEATURE_SIMPLEPERF_FILE2));
	}
	if (carried)
		carried_finish(carried);
	return carried;
}
