/* lookup.c - see lookup.h. */
#include "analyze/lookup.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/profile.h"
#include "analyze/sites.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/timeline.h"

enum {
	EPOCHS = 256,     /* processes remembered */
	RECENT = 1 << 15, /* addresses remembered */
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

/* A question on its way to a new answer, which is that to the query of the same number. */
struct lookup_missing {
	struct lookup_question *question;
	struct lookup_site *keep; /* where the answer is remembered, or NULL */
	uint64_t epoch;
};

void lookup_init(struct lookup *lookup, struct profile *profile, struct sites *sites, bool named)
{
	*lookup = (struct lookup){
		.profile = profile,
		.named = named,
		.sites = sites,
		.epochs = xcalloc(EPOCHS, sizeof(*lookup->epochs)),
		.recent = sites ? xzeros(RECENT, sizeof(*lookup->recent)) : NULL,
	};
}

void lookup_forget(struct lookup *lookup)
{
	memset(lookup->epochs, 0, EPOCHS * sizeof(*lookup->epochs));
	if (lookup->recent)
		memset(lookup->recent, 0, RECENT * sizeof(*lookup->recent));
}

void lookup_done(struct lookup *lookup)
{
	free(lookup->epochs);
	zeros_free(lookup->recent, RECENT, sizeof(*lookup->recent));
	free(lookup->missing.items);
	free(lookup->queries.items);
	*lookup = (struct lookup){ 0 };
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

struct lookup_question lookup_ask(const struct profile_sample *sample, uint16_t cpumode,
				  uint64_t addr)
{
	return (struct lookup_question){
		.pid = sample->sample.pid,
		.cpumode = cpumode,
		.addr = addr,
		.moment = sample->moment,
	};
}

struct place lookup_place(const struct lookup *lookup, const struct lookup_question *question)
{
	struct profile *profile = lookup->profile;
	const struct map *map = timeline_map(profile_timeline(profile), question->pid,
					     question->cpumode, question->addr, question->moment);

	if (!lookup->named)
		return (struct place){ .map = map, .addr = question->addr };
	return resolver_find(profile_resolver(profile), map, question->addr);
}

static size_t slot_of(uint64_t epoch, uint64_t addr)
{
	return hash_u64(addr ^ epoch << 48) % RECENT;
}

static void expect(struct lookup *lookup, const struct lookup_question *question)
{
	const struct timeline_epoch *epoch =
		epoch_at(lookup, question->pid, question->cpumode, question->moment);

	__builtin_prefetch(&lookup->recent[slot_of(epoch->id, question->addr)]);
}

static void look_up(struct lookup *lookup, const struct lookup_missing *missing)
{
	grow(&lookup->missing);
	lookup->missing.items[lookup->missing.count++] = *missing;
	grow(&lookup->queries);
	lookup->queries.items[lookup->queries.count++].place =
		lookup_place(lookup, missing->question);
}

/* What nobody remembers is to be looked up; and not kept, in an epoch without length. */
static void remember(struct lookup *lookup, struct lookup_question *question)
{
	const struct timeline_epoch *epoch =
		epoch_at(lookup, question->pid, question->cpumode, question->moment);
	struct lookup_site *found = &lookup->recent[slot_of(epoch->id, question->addr)];
	bool lasts = epoch->from != epoch->until;

	if (lasts && found->site != 0 && found->addr == question->addr &&
	    found->epoch == epoch->id) {
		question->site = found->site - 1;
		return;
	}
	look_up(lookup, &(struct lookup_missing){ question, lasts ? found : NULL, epoch->id });
}

/* A call chain begins with the address of its sample. */
static bool is_asked_again(const struct lookup_question *questions, size_t i)
{
	return i > 0 && questions[i].addr == questions[i - 1].addr &&
	       questions[i].pid == questions[i - 1].pid &&
	       questions[i].cpumode == questions[i - 1].cpumode &&
	       questions[i].moment == questions[i - 1].moment;
}

void lookup_all(struct lookup *lookup, struct lookup_question *questions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_asked_again(questions, i))
			expect(lookup, &questions[i]);
	}
	lookup->missing.count = lookup->queries.count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_asked_again(questions, i))
			remember(lookup, &questions[i]);
	}
	sites_add_all(lookup->sites, lookup->queries.items, lookup->queries.count);
	for (size_t i = 0; i < lookup->missing.count; i++) {
		const struct lookup_missing *missing = &lookup->missing.items[i];
		struct lookup_question *question = missing->question;

		question->site = lookup->queries.items[i].site;
		if (missing->keep)
			*missing->keep = (struct lookup_site){ missing->epoch, question->addr,
							       question->site + 1 };
	}
	for (size_t i = 0; i < count; i++) {
		if (is_asked_again(questions, i))
			questions[i].site = questions[i - 1].site;
	}
}

bool lookup_epoch(struct lookup *lookup, const struct lookup_question *question, uint64_t *ret_id)
{
	const struct timeline_epoch *epoch =
		epoch_at(lookup, question->pid, question->cpumode, question->moment);

	*ret_id = epoch->id;
	return epoch->from != epoch->until;
}

struct place lookup_here(struct profile *profile, const struct profile_sample *sample,
			 uint16_t cpumode, uint64_t addr)
{
	uint32_t pid = sample->sample.pid;
	const struct map *map =
		timeline_map(profile_timeline(profile), pid, cpumode, addr, sample->moment);

	return resolver_find(profile_resolver(profile), map, addr);
}

uint16_t lookup_branch_mode(uint16_t cpumode, uint64_t addr)
{
	if (cpumode != PERF_RECORD_MISC_KERNEL && cpumode != PERF_RECORD_MISC_USER)
		return cpumode;
	return addr >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

struct place lookup_branch(struct profile *profile, const struct profile_sample *sample,
			   uint64_t addr)
{
	return lookup_here(profile, sample, lookup_branch_mode(sample->cpumode, addr), addr);
}
