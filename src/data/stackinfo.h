/*
 * stackinfo.h - strobe's own feature STROBE_STACKS: what became of stacks that were unwound while
 * they were recorded, of which the recording has nothing but call chains.
 *
 * Words of 64 bits: how many words follow (8 or more; readers pass over what they do not know),
 * complete, stitched, truncated, no_cfi, damaged, cut, size_needed, needs_more (0 or 1), gap,
 * stored, stored_from_ns, stored_until_ns. Then
 * a 32-bit count of objects without call frame information: for each its number of stacks, and its
 * name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct body_out;
struct stack_sum;

void stackinfo_encode(const struct stack_sum *sum, struct body_out *out);
/* 0 or -EBADMSG. Names are borrowed from the section. */
int stackinfo_decode(const void *bytes, size_t size, bool foreign, struct stack_sum *ret_sum);
