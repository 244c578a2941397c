/* lookup.c - see lookup.h. */
#include "analyze/lookup.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "analyze/profile.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/timeline.h"

enum {
	EPOCHS = 256,        /* processes remembered */
	SITES = 1 << 15,     /* addresses remembered */
	NAMED_AT_ONCE = 512, /* sites that a thread names before it takes more */
};

struct lookup_epoch {
	uint32_t pid;
	uint16_t cpumode;
	struct timeline_epoch epoch;
};

struct lookup_site {
	uint64_t epoch, addr;
	uint32_t site; /* + 1; 0: none is remembered */
};

void lookup_init(struct lookup *lookup, struct profile *profile, struct stack_table *table,
		 bool named)
{
	*lookup = (struct lookup){
		.profile = profile,
		.named = named,
		.table = table,
		.epochs = xcalloc(EPOCHS, sizeof(*lookup->epochs)),
		.sites = xcalloc(SITES, sizeof(*lookup->sites)),
	};
}

void lookup_done(struct lookup *lookup)
{
	free(lookup->epochs);
	free(lookup->sites);
}

static const struct timeline_epoch *epoch_at(struct lookup *lookup, uint32_t pid, uint16_t cpumode,
					     uint64_t moment)
{
	struct lookup_epoch *found = &lookup->epochs[(pid * 8 + cpumode) % EPOCHS];

	if (found->pid != pid || found->cpumode != cpumode || moment < found->epoch.from ||
	    moment >= found->epoch.until) {
		found->pid = pid;
		found->cpumode = cpumode;
		found->epoch =
			timeline_epoch(profile_timeline(lookup->profile), pid, cpumode, moment);
	}
	return &found->epoch;
}

static uint32_t find_site(const struct lookup *lookup, const struct profile_sample *sample,
			  uint16_t cpumode, uint64_t addr)
{
	uint32_t pid = sample->sample.pid;
	struct place place = { .addr = addr };

	place.map =
		timeline_map(profile_timeline(lookup->profile), pid, cpumode, addr, sample->moment);
	if (lookup->named)
		place = resolver_find(profile_resolver(lookup->profile), pid, place.map, addr);
	return stack_site(lookup->table, &place);
}

uint32_t lookup_site(struct lookup *lookup, const struct profile_sample *sample, uint16_t cpumode,
		     uint64_t addr)
{
	const struct timeline_epoch *epoch =
		epoch_at(lookup, sample->sample.pid, cpumode, sample->moment);
	struct lookup_site *found = &lookup->sites[hash_u64(addr ^ epoch->id << 48) % SITES];

	if (epoch->from == epoch->until)
		return find_site(lookup, sample, cpumode, addr);
	if (found->site == 0 || found->addr != addr || found->epoch != epoch->id)
		*found = (struct lookup_site){ epoch->id, addr,
					       find_site(lookup, sample, cpumode, addr) + 1 };
	return found->site - 1;
}

const struct place *lookup_place(const struct lookup *lookup, uint32_t site)
{
	return &lookup->table->sites.items[site].place;
}

struct place lookup_here(struct profile *profile, const struct profile_sample *sample,
			 uint16_t cpumode, uint64_t addr)
{
	uint32_t pid = sample->sample.pid;
	const struct map *map =
		timeline_map(profile_timeline(profile), pid, cpumode, addr, sample->moment);

	return resolver_find(profile_resolver(profile), pid, map, addr);
}

struct place lookup_branch(struct profile *profile, const struct profile_sample *sample,
			   uint64_t addr)
{
	bool kernel = addr >> 63;
	struct place place = lookup_here(profile, sample, sample->cpumode, addr);

	if (place.map)
		return place;
	return lookup_here(profile, sample,
			   kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, addr);
}

struct naming {
	struct profile *profile;
	struct stack_table *table;
};

static void name_some(void *context, size_t job, size_t thread)
{
	const struct naming *naming = context;
	size_t end = (job + 1) * NAMED_AT_ONCE;

	if (end > naming->table->sites.count)
		end = naming->table->sites.count;
	for (size_t i = job * NAMED_AT_ONCE; i < end; i++) {
		struct place *place = &naming->table->sites.items[i].place;

		*place = resolver_find(profile_resolver(naming->profile), 0, place->map,
				       place->addr);
	}
}

void lookup_name(struct profile *profile, struct stack_table *table, size_t threads)
{
	struct naming naming = { profile, table };

	pool_run(threads, (table->sites.count + NAMED_AT_ONCE - 1) / NAMED_AT_ONCE, name_some,
		 &naming);
}
