/*
 * sdt-probes.h - the markers (SDT) in programs that perf has put into its build-id cache.
 *
 * Each object's file "probes" (see buildid-cache.h) has a line "%sdt_PROVIDER:NAME=..." for each,
 * among lines of what a probe there would be.
 */
#pragma once

#include "base/strings.h"

/* The names, "sdt_PROVIDER:NAME", of all objects below @folder, each once; in no order. */
void sdt_probes_list(const char *folder, struct strings *ret_names);
