#include "event/pmus.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/vendor.h"
#include "kernel/folder.h"
#include "kernel/pmu.h"

struct slot {
	struct pmu *pmu;
	bool is_known; /* it was tried */
	struct folder_names events;
	bool is_listed; /* of @events */
	bool is_core;
};

struct pmus {
	char *root;
	struct folder_names names;
	struct slot *slots; /* one for each name */
};

struct pmus *pmus_new(const char *root)
{
	struct pmus *pmus = xnew(struct pmus);

	pmus->root = root ? xstrdup(root) : NULL;
	pmu_list(root, &pmus->names);
	pmus->slots = xcalloc(pmus->names.count + 1, sizeof(*pmus->slots));
	for (size_t i = 0; i < pmus->names.count; i++)
		pmus->slots[i].is_core = pmu_is_core(root, pmus->names.items[i]);
	return pmus;
}

void pmus_free(struct pmus *pmus)
{
	if (!pmus)
		return;
	for (size_t i = 0; i < pmus->names.count; i++) {
		pmu_free(pmus->slots[i].pmu);
		folder_names_done(&pmus->slots[i].events);
	}
	free(pmus->slots);
	folder_names_done(&pmus->names);
	free(pmus->root);
	free(pmus);
}

size_t pmus_count(const struct pmus *pmus)
{
	return pmus->names.count;
}

const char *pmus_name(const struct pmus *pmus, size_t index)
{
	return pmus->names.items[index];
}

const struct pmu *pmus_at(struct pmus *pmus, size_t index)
{
	struct slot *slot = &pmus->slots[index];

	if (slot->is_known)
		return slot->pmu;
	slot->is_known = true;
	if (pmu_load(pmus->root, pmus->names.items[index], &slot->pmu, NULL) < 0)
		return NULL;
	if (slot->pmu->is_core)
		slot->pmu->vendor = vendor_of_pmu(pmus->root, slot->pmu);
	return slot->pmu;
}

/* By its whole name; NULL: there is none. */
static const struct pmu *find(struct pmus *pmus, const char *name)
{
	for (size_t i = 0; i < pmus->names.count; i++)
		if (!strcmp(pmus->names.items[i], name))
			return pmus_at(pmus, i);
	return NULL;
}

void pmus_picks_done(struct pmus_picks *picks)
{
	free(picks->items);
	*picks = (struct pmus_picks){ 0 };
}

static void pick(struct pmus_picks *picks, const struct pmu *pmu)
{
	if (!pmu)
		return;
	grow(picks);
	picks->items[picks->count++] = pmu;
}

void pmus_core(struct pmus *pmus, struct pmus_picks *ret_picks)
{
	*ret_picks = (struct pmus_picks){ 0 };
	for (size_t i = 0; i < pmus->names.count; i++)
		if (pmus->slots[i].is_core)
			pick(ret_picks, pmus_at(pmus, i));
}

void pmus_match(struct pmus *pmus, const char *pattern, struct pmus_picks *ret_picks)
{
	*ret_picks = (struct pmus_picks){ 0 };
	pick(ret_picks, find(pmus, pattern));
	if (ret_picks->count)
		return;
	for (size_t i = 0; i < pmus->names.count; i++)
		if (pmu_is_meant(pmus->names.items[i], pattern))
			pick(ret_picks, pmus_at(pmus, i));
	if (ret_picks->count == 0 && !strcmp(pattern, "cpu"))
		pmus_core(pmus, ret_picks);
}

static bool names_event(struct pmus *pmus, size_t index, const char *event)
{
	struct slot *slot = &pmus->slots[index];

	if (!slot->is_listed)
		pmu_list_events(pmus->root, pmus->names.items[index], &slot->events);
	slot->is_listed = true;
	for (size_t i = 0; i < slot->events.count; i++)
		if (!strcasecmp(slot->events.items[i], event))
			return true;
	return false;
}

/* Core PMUs are few and have tables, so they are loaded; of others a look at their folder does. */
static bool has_event(struct pmus *pmus, size_t index, const char *event)
{
	const struct pmu *pmu;

	if (names_event(pmus, index, event))
		return true;
	if (!pmus->slots[index].is_core)
		return false;
	pmu = pmus_at(pmus, index);
	return pmu && pmu->vendor && vendor_find_event(pmu->vendor, event);
}

void pmus_with_event(struct pmus *pmus, const char *event, struct pmus_picks *ret_picks)
{
	*ret_picks = (struct pmus_picks){ 0 };
	for (size_t i = 0; i < pmus->names.count; i++)
		if (has_event(pmus, i, event))
			pick(ret_picks, pmus_at(pmus, i));
}
