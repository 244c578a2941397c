/* fuzz-pmu.c - any texts as the files by which the kernel describes a PMU, and events of it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/eventlist.h"
#include "fuzz-tree.h"
#include "fuzz.h"
#include "kernel/folder.h"
#include "kernel/pmu.h"

#define PMU "sys/bus/event_source/devices/pmu/"

static const char *const files[] = {
	PMU "format/event", PMU "format/umask", PMU "events/first",       PMU "events/second",
	PMU "type",         PMU "cpumask",      PMU "caps/max_precise",   PMU "cpus",
	PMU "format/wide",  PMU "events/third", PMU "events/first.scale", PMU "events/first.unit",
};

static void use(const struct pmu *pmu)
{
	uint64_t bits, value = 1;

	for (size_t i = 0; i < pmu->format_count; i++) {
		const struct pmu_format *format = &pmu->formats[i];

		for (value = 1; value; value <<= 7) {
			if (pmu_format_value(format, value, &bits) == 0)
				assert((bits & ~format->bits) == 0);
		}
	}
}

static void add_events(void)
{
	static const char *const texts[] = {
		"pmu/first/",
		"second:u",
		"pmu/event=1,umask=0x3,wide=0xffffffff/",
		"pmu/third/S",
	};
	struct eventlist list = { .root = fuzz_tree() };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		(void)eventlist_parse(&list, texts[i], NULL);
	eventlist_done(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct folder_names names = { 0 };
	struct pmu *pmu = NULL;

	fuzz_tree_files(files, sizeof(files) / sizeof(files[0]), bytes, size);
	pmu_list(fuzz_tree(), &names);
	for (size_t i = 0; i < names.count; i++)
		(void)pmu_is_core(fuzz_tree(), names.items[i]);
	folder_names_done(&names);
	if (pmu_load(fuzz_tree(), "pmu", &pmu, NULL) == 0)
		use(pmu);
	pmu_free(pmu);
	add_events();
	return 0;
}
