/* resolver-frames.c - what debug information tells of code: source lines, inlined functions. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/timeline.h"
#include "object/debuginfo.h"
#include "object/inlines.h"
#include "object/lines.h"
#include "symbol/jit-dumps.h"
#include "symbol/resolver-state.h"

/* Under the object's lock. */
struct debuginfo *resolver_debuginfo(struct resolver *resolver, struct object *object,
				     const struct dso *dso)
{
	struct binary_source source;

	if (object->names.kind != NAMES_FILE)
		return NULL;
	source = resolver_source(resolver, dso);
	return binary_debuginfo(&object->binary, &source);
}

bool resolver_line(struct resolver *resolver, const struct place *place,
		   struct source_line *ret_line)
{
	struct object *object;
	struct debuginfo *debuginfo;
	bool found;

	if (!place->map)
		return false;
	if (place->map->dso->kind == DSO_JITDUMP)
		return resolver->options.dumps &&
		       jit_dumps_line(resolver->options.dumps, place->map->dso, place->object_addr,
				      ret_line);
	object = resolver_load(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	debuginfo = resolver_debuginfo(resolver, object, place->map->dso);
	found = debuginfo && lines_find(debuginfo, place->object_addr, ret_line);
	pthread_mutex_unlock(&object->lock);
	return found;
}

void resolver_frames_done(struct frames *frames)
{
	free(frames->items);
	*frames = (struct frames){ 0 };
}

static void add_frame(struct frames *frames, const struct function *function,
		      struct source_line line)
{
	grow(frames);
	frames->items[frames->count++] = (struct frame){ function, line.file, line.line };
}

static bool demangles(const struct resolver *resolver, const struct object *object)
{
	return object->names.mangled && resolver->options.demangle;
}

/* What has no name is left out; where it was called still is where its caller is. */
static void add_frames(struct resolver *resolver, struct object *object, const struct place *place,
		       const struct inlined *inlined, struct source_line line,
		       struct frames *frames)
{
	bool demangle = demangles(resolver, object);

	for (; inlined; inlined = inlined->outer) {
		const struct function *function = inlined_functions_find(&object->inlined, inlined,
									 place->function, demangle);

		if (function)
			add_frame(frames, function, line);
		line = inlined->call;
	}
	add_frame(frames, place->function, line);
}

/* Under the object's lock. */
static bool find_frames(struct resolver *resolver, struct object *object, const struct place *place,
			bool with_lines, struct frames *frames)
{
	struct debuginfo *debuginfo = resolver_debuginfo(resolver, object, place->map->dso);
	const struct inlined *inlined =
		debuginfo ? inlines_find(debuginfo, place->object_addr) : NULL;
	struct source_line line = { 0 };

	if (!debuginfo)
		object->without_debuginfo = true;
	if (!inlined)
		return false;
	if (with_lines)
		(void)lines_find(debuginfo, place->object_addr, &line);
	add_frames(resolver, object, place, inlined, line, frames);
	return true;
}

/* What was kept of an object that has gone. False: it has not. */
static bool find_kept(struct object *object, const struct place *place, struct frames *frames)
{
	const struct inlined_chain *chain;
	bool is_retired;

	pthread_mutex_lock(&object->lock);
	is_retired = object->is_retired;
	chain = is_retired ? inlined_functions_kept(&object->inlined, place->object_addr) : NULL;
	for (uint32_t i = 0; chain && i < chain->count; i++)
		add_frame(frames, chain->functions[i], (struct source_line){ 0 });
	if (frames->count > 0)
		add_frame(frames, place->function, (struct source_line){ 0 });
	pthread_mutex_unlock(&object->lock);
	return is_retired;
}

bool resolver_frames(struct resolver *resolver, const struct place *place, bool with_lines,
		     struct frames *frames)
{
	struct object *object;
	bool found;

	frames->count = 0;
	if (!resolver->options.inlines || !place->map || !place->function)
		return false;
	object = resolver_object(resolver, place->map->dso);
	if (atomic_load_explicit(&object->without_debuginfo, memory_order_relaxed))
		return false;
	if (!with_lines && find_kept(object, place, frames))
		return frames->count > 0;
	object = resolver_load(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	found = find_frames(resolver, object, place, with_lines, frames);
	pthread_mutex_unlock(&object->lock);
	return found;
}

/*
 * Under the object's lock. What debug information takes for one function may be two symbols, and of
 * one that it knows it may leave some code out.
 */
static uint64_t find_begin(struct debuginfo *debuginfo, const struct place *place)
{
	const struct function *function = place->function;
	uint64_t begin;

	if (inlines_begin(debuginfo, place->object_addr, &begin))
		return begin >= function->start && begin < function->end ? begin
									 : place->object_addr;
	return inlines_begin(debuginfo, function->start, &begin) ? place->object_addr
								 : function->start;
}

/* Under the object's lock; it is loaded. */
static uint64_t keep_begin(struct resolver *resolver, struct object *object,
			   const struct place *place)
{
	struct debuginfo *debuginfo = resolver_debuginfo(resolver, object, place->map->dso);
	const struct inlined *inlined;
	uint64_t begin;

	if (!debuginfo)
		return place->function->start;
	begin = find_begin(debuginfo, place);
	inlined = inlines_find(debuginfo, begin);
	if (inlined)
		inlined_functions_keep(&object->inlined, begin, inlined, place->function,
				       demangles(resolver, object));
	return begin;
}

uint64_t resolver_frames_begin(struct resolver *resolver, const struct place *place)
{
	struct object *object = resolver_object(resolver, place->map->dso);
	uint64_t begin = place->object_addr;

	if (!resolver->options.inlines)
		return place->function->start;
	pthread_mutex_lock(&object->lock);
	if (object->loaded)
		begin = keep_begin(resolver, object, place);
	pthread_mutex_unlock(&object->lock);
	return begin;
}
