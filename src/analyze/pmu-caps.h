/* pmu-caps.h - what a recording's header says that the processor's PMUs can do. */
#pragma once

#include <stdint.h>

struct datafile;

/*
 * The number that capability @name is ("branches=32"), of the first PMU that has it: where CPUs are
 * of several kinds, those that have one are alike. 0: not told, or more than @most, which makes no
 * sense.
 */
uint64_t pmu_caps_number(const struct datafile *file, const char *name, uint64_t most);
