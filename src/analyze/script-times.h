/* script-times.h - times as script shows them: since the first one shown, or the one before. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum script_times_mode {
	SCRIPT_TIMES_ABSOLUTE,
	SCRIPT_TIMES_SINCE_FIRST, /* --reltime */
	SCRIPT_TIMES_SINCE_LAST,  /* --deltatime */
};

/* Starts as { .mode = ... }. */
struct script_times {
	enum script_times_mode mode;
	bool begun;
	uint64_t base_ns;
};

/* What is shown of a time. Those shown come in order. */
uint64_t script_times_next(struct script_times *times, uint64_t time_ns);
