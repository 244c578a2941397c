/*
 * formattext.h - whether the text of a tracepoint's format has the form in which kernels write it:
 *
 *   name: sched_switch
 *   ID: 314
 *   format:
 *   <tab>field:char prev_comm[16];<tab>offset:8;<tab>size:16;<tab>signed:0;
 *   ...
 *   print fmt: "..."
 *
 * Empty lines stand between. libtraceevent's parser trusts that, and a text of another form makes
 * it follow NULL; so only what passes here is given to it, and of that only what stands before
 * "print fmt:": the rest is printfmt.h's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Also where the text behind "print fmt: " begins. */
bool formattext_is_whole(const char *text, size_t size, size_t *ret_print_at);
