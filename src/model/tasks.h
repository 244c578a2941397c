/*
 * tasks.h - all threads of a recording as a tree: who began whom.
 *
 * A number that is used again stands for the last thread that had it. Depth and order are perf's:
 * each thread is followed by those that it began, by number; threads that were there before, or
 * whose beginning is not told, stand by number at depth 1, behind the idle threads at depth 0.
 * Damaged files tell of circles; what is in one begins at depth 0 at its lowest number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timeline;

struct tasks_item {
	uint32_t pid, tid;
	uint32_t parent; /* the thread that began it; UINT32_MAX if not told */
	uint32_t depth;
	const char *comm; /* the last; NULL if never told. Lives as long as the timeline */
};

/* Starts as { 0 }. */
struct tasks {
	struct tasks_item *items;
	size_t count, capacity;
};

/* @mapped: also threads of which only mappings are known. */
void tasks_init(struct tasks *tasks, const struct timeline *timeline, bool mapped);
void tasks_done(struct tasks *tasks);
