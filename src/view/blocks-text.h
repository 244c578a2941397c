/*
 * blocks-text.h - stretches of code and their cycles as text: what perf report --total-cycles
 * prints.
 */
#pragma once

#include <stdio.h>

struct blocks_event;
struct report_text;

void blocks_text_print(const struct blocks_event *event, const struct report_text *text, FILE *out);
