/* carried-names.h - the names of code in a recording's header, as the resolver takes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct carried;
struct datafile;

/* To carried_free(); NULL if the recording has none. */
struct carried *carried_names_load(const struct datafile *file);
/* Of what FEATURE_STROBE_NAMES has, where it came late in a stream. */
struct carried *carried_names_parse(const void *bytes, size_t size, bool foreign);
