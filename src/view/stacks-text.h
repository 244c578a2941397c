/*
 * stacks-text.h - how many of a recording's copied stacks could not be unwound to their end, why,
 * and what helps.
 */
#pragma once

struct stack_sum;
struct str;

/* Lines to @out, none where all are complete (or end where --max-stack wants it); advice is
 * indented. */
void stacks_text(const struct stack_sum *sum, struct str *out);
