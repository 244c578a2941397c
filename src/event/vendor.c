#include "event/vendor.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/vendor-tables.h"
#include "kernel/cpus.h"
#include "kernel/host.h"
#include "kernel/pmu.h"

enum {
	/* MIDR_EL1 of Arm: whose it is, and which. */
	IMPLEMENTER_SHIFT = 24,
	IMPLEMENTER_MASK = 0xff,
	PART_SHIFT = 4,
	PART_MASK = 0xfff,
};

/* "85", "0x55" or "0-4": whether @number is meant. */
static bool in_range(struct str_part range, unsigned long number)
{
	_cleanup_(freep) char *text = xstrndup(range.text, range.size);
	char *end;
	unsigned long low = strtoul(text, &end, 0), high = low;

	if (*end == '-')
		high = strtoul(end + 1, NULL, 0);
	return number >= low && number <= high;
}

static bool fields_match(const char *pattern, const char *id)
{
	struct str_part wanted, given;
	bool is_first = true;

	while (pattern && str_split(&pattern, ',', &wanted)) {
		if (!id || !str_split(&id, ',', &given))
			return false;
		if (is_first ? given.size != wanted.size ||
				       memcmp(given.text, wanted.text, given.size) != 0
			     : !in_range(wanted, strtoul(given.text, NULL, 0)))
			return false;
		is_first = false;
	}
	return true;
}

/* An MIDR in the form that tables have; other ids as they are. */
static char *normal_id(const char *id)
{
	struct str text = { 0 };
	uint64_t midr;

	if (str_to_u64(id, &midr))
		str_addf(&text, "midr,0x%x,0x%x",
			 (unsigned)(midr >> IMPLEMENTER_SHIFT) & IMPLEMENTER_MASK,
			 (unsigned)(midr >> PART_SHIFT) & PART_MASK);
	else
		str_add(&text, id);
	return str_take(&text);
}

static bool is_of_cpu(const struct vendor *vendor, const char *id)
{
	for (const char *const *cpu = vendor->cpus; *cpu; cpu++)
		if (fields_match(*cpu, id))
			return true;
	return false;
}

const struct vendor *vendor_of_cpu(const char *id, const char *pmu)
{
	_cleanup_(freep) char *normal = normal_id(id);

	for (size_t i = 0; i < vendor_tables_count; i++) {
		const struct vendor *vendor = &vendor_tables[i];

		if ((!vendor->pmu || !strcmp(vendor->pmu, pmu)) && is_of_cpu(vendor, normal))
			return vendor;
	}
	return NULL;
}

const struct vendor *vendor_of_pmu(const char *root, const struct pmu *pmu)
{
	_cleanup_(cpus_done) struct cpus cpus = { 0 };
	struct arena arena = { 0 };
	const struct vendor *vendor = NULL;
	const char *id;
	int cpu = 0;

	if (pmu->cpus && cpus_parse(&cpus, pmu->cpus, NULL) == 0 && cpus.count)
		cpu = cpus.items[0];
	id = host_cpu_id_of(root, cpu, &arena);
	if (id)
		vendor = vendor_of_cpu(id, pmu->name);
	arena_done(&arena);
	return vendor;
}

static int by_event_name(const void *name, const void *event)
{
	return strcasecmp(name, ((const struct vendor_event *)event)->name);
}

const struct vendor_event *vendor_find_event(const struct vendor *vendor, const char *name)
{
	return bsearch(name, vendor->events, vendor->event_count, sizeof(*vendor->events),
		       by_event_name);
}

const struct vendor *vendor_with_event(const char *name)
{
	for (size_t i = 0; i < vendor_tables_count; i++)
		if (vendor_find_event(&vendor_tables[i], name))
			return &vendor_tables[i];
	return NULL;
}

const struct vendor *vendor_at(size_t index)
{
	return index < vendor_tables_count ? &vendor_tables[index] : NULL;
}
