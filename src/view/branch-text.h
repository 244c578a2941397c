/*
 * branch-text.h - a sample's branch stack on its line, youngest branch first:
 * "FROM/TO/EVENT/INTX/ABORT/CYCLES/TYPE/SPEC".
 */
#pragma once

#include "view/place-text.h"

struct profile;
struct profile_sample;
struct str;

enum branch_text_style {
	BRANCH_TEXT_ADDRESSES, /* 0x401132 */
	BRANCH_TEXT_SYMBOLS,   /* main+0x12 */
	BRANCH_TEXT_OFFSETS,   /* 0x1132: in the object */
};

/* Of @fields, those of the dso say whether each address is followed by its object. */
void branch_text_add(struct profile *profile, const struct profile_sample *sample,
		     enum branch_text_style style, const struct place_text_fields *fields,
		     struct str *out);
