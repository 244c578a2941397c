/*
 * order-check.h - whether the samples of a recording are in the order in which they were taken, as
 * far as that can be expected: each CPU writes its own one after another.
 */
#pragma once

#include <stdint.h>

struct datafile;

struct order_check {
	uint64_t sample_count;
	uint64_t misordered; /* older than one of the same CPU (or thread) before it in the file */
};

typedef void order_check_each(void *context, uint64_t before_ns, uint64_t this_ns);

/* Reads all of a file. @each is told of each sample that is misordered. */
struct order_check order_check_run(const struct datafile *file, order_check_each *each,
				   void *context);
