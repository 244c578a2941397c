/*
 * sample-dump.h - all that a sample holds, a line for each, as perf's -D has them.
 */
#pragma once

struct profile_sample;
struct record_dump;

/* Adds to dump->text. */
void sample_dump_add(struct record_dump *dump, const struct profile_sample *sample);
