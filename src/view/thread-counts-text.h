/*
 * thread-counts-text.h - what threads counted, as text: what perf report -T prints.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct events;
struct thread_counts;

/* A row for each thread, or (@is_raw) for each event of each. */
void thread_counts_text_print(const struct thread_counts *counts, const struct events *events,
			      bool is_raw, FILE *out);
