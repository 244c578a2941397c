/* dump.h - "-D": the records of a recording, with their bytes, for report and script. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct reading;

/* The profile is open. @in_file_order: and not as they can be handled. */
void dump_records(const struct reading *reading, bool in_file_order, FILE *out);
