/*
 * privileges.h - what this process may do: its capabilities, and how many files it may have open.
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
