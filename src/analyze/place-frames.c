/* place-frames.c - see place-frames.h. */
#include "analyze/place-frames.h"

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/strings.h"
#include "object/lines.h"
#include "symbol/resolve.h"

/* Of a function into which nothing was put. */
static void add_only(const struct place_frames *how, const struct place *place,
		     struct frames *frames)
{
	struct frame frame = { .function = place->function };
	struct source_line line;

	if (how->lines && resolver_line(how->resolver, place, &line)) {
		frame.file = line.file;
		frame.line = line.line;
	}
	grow(frames);
	frames->items[frames->count++] = frame;
}

static bool ends_at(const struct place_frames *how, const struct function *function)
{
	uint32_t id;

	return how->ends && function && strings_find(how->ends, function->name, &id);
}

/* Up to the first at which chains end; whether there is one. */
static bool cut(const struct place_frames *how, struct frames *frames)
{
	for (size_t i = 0; i < frames->count; i++) {
		if (ends_at(how, frames->items[i].function)) {
			frames->count = i + 1;
			return true;
		}
	}
	return false;
}

static void reverse(struct frames *frames)
{
	for (size_t i = 0; i < frames->count / 2; i++) {
		struct frame frame = frames->items[i];

		frames->items[i] = frames->items[frames->count - 1 - i];
		frames->items[frames->count - 1 - i] = frame;
	}
}

void place_frames_read(const struct place_frames *how, const struct place *place,
		       struct frames *frames)
{
	if (!resolver_frames(how->resolver, place, how->lines, frames))
		add_only(how, place, frames);
	(void)cut(how, frames);
	if (how->outermost_first)
		reverse(frames);
}

bool place_frames_end(const struct place_frames *how, const struct place *place)
{
	struct frames frames = { 0 };
	bool ends = false;

	if (!how->ends)
		return false;
	if (resolver_frames(how->resolver, place, false, &frames))
		ends = cut(how, &frames);
	else
		ends = ends_at(how, place->function);
	resolver_frames_done(&frames);
	return ends;
}
