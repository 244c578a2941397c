/*
 * target-records.h - what is watched, as records: THREAD_MAP and CPU_MAP.
 */
#pragma once

struct recordbuf;
struct target;

void target_records_add(const struct target *target, struct recordbuf *buf);
