/* host-pmus.c - see host-pmus.h. */
#include "kernel/host-pmus.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/sysfile.h"

#define DEVICES "/sys/bus/event_source/devices"

static size_t count_names(const char *const *names)
{
	size_t count = 0;

	while (names[count])
		count++;
	return count;
}

void host_pmus_list(const char *root, struct arena *arena, struct machine_pmus *ret_pmus)
{
	const char **names = sysfile_names(root, DEVICES, arena);
	struct machine_pmus pmus = { 0 };

	pmus.items = arena_alloc(arena, count_names(names) * sizeof(*pmus.items));
	for (; *names; names++) {
		int64_t type = sysfile_number(root, 10, -1, DEVICES "/%s/type", *names);

		if (type >= 0 && type <= UINT32_MAX)
			pmus.items[pmus.count++] =
				(struct machine_pmu){ .type = (uint32_t)type, .name = *names };
	}
	*ret_pmus = pmus;
}

void host_pmus_caps(const char *root, const char *pmu, struct arena *arena,
		    struct machine_caps *ret_caps)
{
	_cleanup_(str_done) struct str folder = { 0 };
	struct machine_caps caps = { .pmu = pmu };
	const char **names;

	str_addf(&folder, DEVICES "/%s/caps", pmu);
	names = sysfile_names(root, str_text(&folder), arena);
	caps.items = arena_alloc(arena, count_names(names) * sizeof(*caps.items));
	for (; *names; names++) {
		const char *value = sysfile_text(root, arena, DEVICES "/%s/caps/%s", pmu, *names);

		if (value)
			caps.items[caps.count++] =
				(struct machine_cap){ .name = *names, .value = value };
	}
	*ret_caps = caps;
}

void host_pmus_all_caps(const char *root, const struct machine_pmus *pmus, struct arena *arena,
			struct machine_all_caps *ret_caps)
{
	struct machine_all_caps all = { 0 };

	all.pmus = arena_alloc(arena, pmus->count * sizeof(*all.pmus));
	for (size_t i = 0; i < pmus->count; i++) {
		if (strcmp(pmus->items[i].name, "cpu") == 0)
			continue;
		host_pmus_caps(root, pmus->items[i].name, arena, &all.pmus[all.count]);
		if (all.pmus[all.count].count)
			all.count++;
	}
	*ret_caps = all;
}

void host_pmus_hybrid(const char *root, const struct machine_pmus *pmus, struct arena *arena,
		      struct machine_hybrid *ret_hybrid)
{
	struct machine_hybrid hybrid = { 0 };

	hybrid.items = arena_alloc(arena, pmus->count * sizeof(*hybrid.items));
	for (size_t i = 0; i < pmus->count; i++) {
		const char *name = pmus->items[i].name;
		const char *cpus = str_after(name, "cpu_")
					   ? sysfile_text(root, arena, DEVICES "/%s/cpus", name)
					   : NULL;

		if (cpus)
			hybrid.items[hybrid.count++] =
				(struct machine_hybrid_pmu){ .pmu = name, .cpus = cpus };
	}
	/* One kind alone is no hybrid. */
	if (hybrid.count < 2)
		hybrid.count = 0;
	*ret_hybrid = hybrid;
}
