/*
 * place-frames.h - what one address of a call chain is shown as: the function there, or several
 * that compilers have put into each other.
 */
#pragma once

#include <stdbool.h>

struct frames;
struct place;
struct resolver;
struct strings;

/* All is borrowed. */
struct place_frames {
	struct resolver *resolver;
	bool lines;                 /* with source lines */
	bool outermost_first;       /* else the innermost */
	const struct strings *ends; /* functions at which chains end, or NULL */
};

/*
 * The frames in the order in which they are shown, one at least. A chain that ends at one of them
 * has none behind it: of the others at the address, those that are further in are left.
 */
void place_frames_read(const struct place_frames *how, const struct place *place,
		       struct frames *frames);
/* Whether a chain ends at the place. */
bool place_frames_end(const struct place_frames *how, const struct place *place);
