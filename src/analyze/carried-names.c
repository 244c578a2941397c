/* carried-names.c - see carried-names.h. */
#include "analyze/carried-names.h"

#include <string.h>

#include "data/datafile.h"
#include "data/feature.h"
#include "data/keptnames.h"
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
		const struct carried_key key = { .name = file.path, .name_size = file.path_size };
		struct carried_object *object;

		if (!find_space(&file, &space, &offset))
			continue;
		object = carried_add(carried, &key, space);
		/* One stretch, from what is known of it to its end. */
		carried_add_segment(object, offset, UINT64_MAX - offset, file.min_vaddr);
		while (simpleperf_next_symbol(&walk, &symbol))
			carried_add_symbol(object, symbol.vaddr, symbol.size, false, symbol.name,
					   symbol.name_size);
	}
}

static void add_kept(struct carried *carried, struct keptnames_walk walk)
{
	struct keptnames_object kept;
	struct keptnames_segment segment;
	struct keptnames_symbol symbol;

	while (keptnames_next(&walk, &kept)) {
		const struct carried_key key = { .name = kept.name,
						 .name_size = strlen(kept.name),
						 .ino = kept.ino,
						 .build_id = kept.build_id,
						 .build_id_size = kept.build_id_size };
		struct carried_object *object =
			carried_add(carried, &key, kept.is_jit ? CARRIED_JIT : CARRIED_FILE);

		while (keptnames_next_segment(&walk, &segment))
			carried_add_segment(object, segment.offset, segment.size, segment.vaddr);
		while (keptnames_next_symbol(&walk, &symbol))
			carried_add_symbol(object, symbol.start, symbol.size, symbol.is_guess,
					   symbol.name, strlen(symbol.name));
	}
}

struct carried *carried_names_parse(const void *bytes, size_t size, bool foreign)
{
	struct carried *carried = carried_new();

	add_kept(carried, keptnames_begin(bytes, size, foreign));
	carried_finish(carried);
	return carried;
}

struct carried *carried_names_load(const struct datafile *file)
{
	static const enum feature features[] = { FEATURE_STROBE_NAMES, FEATURE_SIMPLEPERF_FILE,
						 FEATURE_SIMPLEPERF_FILE2 };
	bool foreign = datafile_header(file)->foreign;
	struct carried *carried = NULL;

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		size_t size;
		const void *bytes = datafile_feature(file, features[i], &size);

		if (!bytes)
			continue;
		carried = carried ? carried : carried_new();
		if (features[i] == FEATURE_STROBE_NAMES)
			add_kept(carried, keptnames_begin(bytes, size, foreign));
		else
			add_files(carried,
				  simpleperf_begin(bytes, size, foreign,
						   features[i] == FEATURE_SIMPLEPERF_FILE2));
	}
	if (carried)
		carried_finish(carried);
	return carried;
}
