/* pmu-caps.c - see pmu-caps.h. */
#include "analyze/pmu-caps.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "data/pmus.h"

static uint64_t number_of(const struct machine_caps *caps, const char *name, uint64_t most)
{
	uint64_t number;

	for (size_t i = 0; i < caps->count; i++) {
		if (strcmp(caps->items[i].name, name) == 0 &&
		    str_to_u64(caps->items[i].value, &number) && number <= most)
			return number;
	}
	return 0;
}

uint64_t pmu_caps_number(const struct datafile *file, const char *name, uint64_t most)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	bool foreign = datafile_header(file)->foreign;
	struct machine_caps caps;
	struct machine_all_caps all;
	const void *bytes;
	uint64_t number = 0;
	size_t size;

	bytes = datafile_feature(file, FEATURE_CPU_PMU_CAPS, &size);
	if (bytes && pmus_cpu_caps_decode(bytes, size, foreign, &arena, &caps) == 0)
		number = number_of(&caps, name, most);
	bytes = datafile_feature(file, FEATURE_PMU_CAPS, &size);
	if (number > 0 || !bytes || pmus_caps_decode(bytes, size, foreign, &arena, &all) < 0)
		return number;
	for (size_t i = 0; i < all.count && number == 0; i++)
		number = number_of(&all.pmus[i], name, most);
	return number;
}
