/* procmem.h - the memory of another process, as it is now: it runs on meanwhile. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Copies up to @size bytes that a process has at an address. Returns how many there are from the
 * first one on; 0 if there is nothing, or the user may not look: errno says why (EFAULT, ESRCH,
 * EPERM).
 */
size_t procmem_read(pid_t pid, uint64_t addr, void *bytes, size_t size);
