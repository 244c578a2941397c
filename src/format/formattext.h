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
 * it follow NULL; so only what passes here is given to it. What is behind "print fmt:" is not
 * looked at, except that no NUL may be there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool formattext_is_whole(const char *text, size_t size);
