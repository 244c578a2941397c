/*
 * ringsize.h - how large a ring is: -m.
 */
#pragma once

#include <stddef.h>

struct strobe_err;

/*
 * "128" is pages, "512K", "4M", "1G" are bytes; rounded up to a power of two of pages. -EINVAL if
 * it is neither.
 */
int ringsize_parse(const char *text, size_t *ret_size, struct strobe_err *err);
/* 512 KiB. */
size_t ringsize_default(void);
/* One that has room for many samples with copies of the stack: 1 MiB where these are 8 KiB. */
size_t ringsize_for_copies(size_t copy_size);
