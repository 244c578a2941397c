/*
 * record-text.h - one line that says what a side-band record says: "PERF_RECORD_COMM exec: xz:7/7".
 *
 * The texts are perf's, of script --show-*-events and report -D.
 */
#pragma once

struct record;
struct str;

/* Adds the line with its newline; what is damaged, or has no text of its own, has its name only. */
void record_text(const struct record *record, struct str *out);
