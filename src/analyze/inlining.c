/* inlining.c - see inlining.h. */
#include "analyze/inlining.h"

#include <stdlib.h>

#include "analyze/bundles.h"
#include "analyze/sites.h"
#include "analyze/sources.h"
#include "analyze/stack.h"
#include "base/pool.h"
#include "symbol/resolve.h"

enum { FOUND_AT_ONCE = 1024 }; /* sites */

/* A site with several frames. */
struct found {
	uint32_t site, count;
};

/* What was found of some sites, one after another. */
struct batch {
	struct {
		struct found *items;
		size_t count, capacity;
	} found;
	struct {
		struct frame *items;
		size_t count, capacity;
	} frames; /* of all of them */
};

struct inlining {
	uint32_t site_count; /* of addresses; those of frames follow */
	uint32_t *first_of;  /* by site: + 1, the first of its frames' sites, which are in a row */
	uint32_t *count_of;
	struct {
		struct frame *items;
		size_t count, capacity;
	} frames; /* by site - site_count */
};

struct finding {
	const struct sites *sites;
	struct resolver *resolver;
	bool with_lines;
	struct batch *batches;
};

static void find_some(void *context, size_t job, size_t thread)
{
	const struct finding *finding = context;
	struct batch *batch = &finding->batches[job];
	uint32_t end = sites_end(finding->sites);
	struct frames frames = { 0 };

	for (size_t i = job * FOUND_AT_ONCE; i < (job + 1) * FOUND_AT_ONCE && i < end; i++) {
		const struct place *place = sites_place(finding->sites, (uint32_t)i);

		if (!resolver_frames(finding->resolver, place, finding->with_lines, &frames))
			continue;
		grow(&batch->found);
		batch->found.items[batch->found.count++] =
			(struct found){ (uint32_t)i, (uint32_t)frames.count };
		for (size_t k = 0; k < frames.count; k++) {
			grow(&batch->frames);
			batch->frames.items[batch->frames.count++] = frames.items[k];
		}
	}
	resolver_frames_done(&frames);
}

static void add_site(struct inlining *inlining, struct sites *sites, struct found found,
		     const struct frame *frames)
{
	struct place place = *sites_place(sites, found.site);

	inlining->count_of[found.site] = found.count;
	for (uint32_t i = 0; i < found.count; i++) {
		uint32_t site;

		place.function = frames[i].function;
		site = sites_append(sites, &place);
		if (i == 0)
			inlining->first_of[found.site] = site + 1;
		grow(&inlining->frames);
		inlining->frames.items[inlining->frames.count++] = frames[i];
	}
}

static void add_batch(struct inlining *inlining, struct sites *sites, const struct batch *batch)
{
	const struct frame *frames = batch->frames.items;

	for (size_t i = 0; i < batch->found.count; i++) {
		add_site(inlining, sites, batch->found.items[i], frames);
		frames += batch->found.items[i].count;
	}
}

struct inlining *inlining_new(struct sites *sites, struct resolver *resolver, bool with_lines,
			      size_t threads)
{
	struct inlining *inlining = xnew(struct inlining);
	uint32_t count = sites_end(sites);
	size_t batches = count / FOUND_AT_ONCE + 1;
	struct finding finding = { sites, resolver, with_lines,
				   xcalloc(batches, sizeof(struct batch)) };

	inlining->site_count = count;
	inlining->first_of = xcalloc((size_t)count + 1, sizeof(*inlining->first_of));
	inlining->count_of = xcalloc((size_t)count + 1, sizeof(*inlining->count_of));
	pool_run(threads, batches, find_some, &finding);
	for (size_t i = 0; i < batches; i++) {
		add_batch(inlining, sites, &finding.batches[i]);
		free(finding.batches[i].found.items);
		free(finding.batches[i].frames.items);
	}
	free(finding.batches);
	if (inlining->frames.count > 0)
		return inlining;
	inlining_free(inlining);
	return NULL;
}

void inlining_free(struct inlining *inlining)
{
	if (!inlining)
		return;
	free(inlining->first_of);
	free(inlining->count_of);
	free(inlining->frames.items);
	free(inlining);
}

/* A row that becomes longer. */
struct row {
	struct {
		uint32_t *items;
		size_t count, capacity;
	} sites;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} marks;
};

static void add_link(struct row *row, uint32_t site, const uint64_t *mark)
{
	grow(&row->sites);
	row->sites.items[row->sites.count++] = site;
	if (!mark)
		return;
	grow(&row->marks);
	row->marks.items[row->marks.count++] = *mark;
}

/* What a mark says of a link is said of its innermost frame. */
static void add_frames(const struct inlining *inlining, struct row *row, uint32_t site,
		       const uint64_t *mark)
{
	static const uint64_t no_mark = 0;
	uint32_t first = inlining->first_of[site];

	if (first == 0) {
		add_link(row, site, mark);
		return;
	}
	for (uint32_t i = 0; i < inlining->count_of[site]; i++)
		add_link(row, first - 1 + i, i > 0 && mark ? &no_mark : mark);
}

static bool has_frames(const struct inlining *inlining, struct stack stack)
{
	for (uint32_t i = 0; i < stack.count; i++) {
		if (inlining->first_of[stack.sites[i]] != 0)
			return true;
	}
	return false;
}

/* The number of the longer row. */
static uint32_t extend_stack(const struct inlining *inlining, struct stack_table *stacks,
			     uint32_t number, struct row *row)
{
	struct stack stack = stack_at(stacks, number);

	if (!has_frames(inlining, stack))
		return number;
	row->sites.count = row->marks.count = 0;
	for (uint32_t i = 0; i < stack.count; i++)
		add_frames(inlining, row, stack.sites[i], stack.marks ? &stack.marks[i] : NULL);
	return stack_append(stacks, (struct stack){
					    .sites = row->sites.items,
					    .marks = stack.marks ? row->marks.items : NULL,
					    .count = (uint32_t)row->sites.count,
				    });
}

void inlining_extend(const struct inlining *inlining, struct stack_table *stacks,
		     struct bundles *bundles)
{
	size_t count = stacks->count / 2;
	uint32_t *longer = xzeros(count + 1, sizeof(*longer)); /* by number of a row: + 1 */
	struct row row = { 0 };

	for (size_t i = 0; i < bundles->all.count; i++) {
		struct bundle *bundle = &bundles->all.items[i];

		if (bundle->stack == BUNDLES_NO_STACK)
			continue;
		if (longer[bundle->stack] == 0)
			longer[bundle->stack] =
				extend_stack(inlining, stacks, bundle->stack, &row) + 1;
		bundle->stack = longer[bundle->stack] - 1;
	}
	zeros_free(longer, count + 1, sizeof(*longer));
	free(row.sites.items);
	free(row.marks.items);
}

void inlining_tell(const struct inlining *inlining, struct sources *sources)
{
	for (size_t i = 0; i < inlining->frames.count; i++)
		sources_tell(sources, inlining->site_count + (uint32_t)i,
			     &inlining->frames.items[i]);
}
