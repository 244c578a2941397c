/*
 * tally.h - counts the records of a recording as they pass: samples, losses, first and last time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct eventlist;

struct tally {
	size_t time_at; /* bytes from a sample's start to its time; 0: not known */
	uint64_t sample_count;
	uint64_t lost_count;        /* records, by LOST records */
	uint64_t lost_samples;      /* by LOST_SAMPLES records */
	uint64_t throttle_count;    /* times that the kernel stopped an event for a tick */
	uint64_t bpf_load_count;    /* BPF programs that were loaded */
	uint64_t first_ns, last_ns; /* of samples; 0 if none has a time */
};

void tally_init(struct tally *tally, const struct eventlist *list);
/* Whole records in up to two spans, as ring_spans() gives them. */
void tally_add(struct tally *tally, const struct iovec *spans, size_t count);
