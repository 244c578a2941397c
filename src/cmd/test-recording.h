/*
 * test-recording.h - the check that needs all layers: a recording of a workload is made and read
 * back, and what it shows is what the workload is known to do.
 */
#pragma once

#include "kernel/probe.h"

extern const struct probe test_recording_probe;
