/*
 * swapsample.h - the fields of a sample of the other byte order that are not 64-bit words.
 */
#pragma once

struct attr;
struct perf_event_header;

/*
 * Puts right what swapping every 64-bit word of a SAMPLE record has spoiled: pairs of 32 bits,
 * raw bytes, copies of the stack, flags of branches. -EBADMSG: the record is too short;
 * what comes before is right.
 */
int swapsample_fix(const struct attr *attr, struct perf_event_header *header);
