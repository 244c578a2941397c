/*
 * privileges.h - what this process may do: its capabilities, how many files it may have open, and
 * how soon it runs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* True if the effective set has the capability (CAP_* of <linux/capability.h>). */
bool privileges_has_cap(unsigned cap);

/*
 * Makes room for @count more descriptors: raises the soft limit, and the hard one too where
 * that is allowed. False if it did not suffice. What is already open is counted.
 */
bool privileges_raise_files(size_t count);

/* How many more descriptors there may be; 0 if that is not known. */
size_t privileges_spare_files(void);

/*
 * This process, and not what it starts from now on, runs before all that is not real-time:
 * SCHED_FIFO with @priority (sched(7)). 0 or a negative errno.
 */
int privileges_realtime(int priority);
