/* carried-names.h - the names of code in a recording's header, as the resolver takes them. */
#pragma once

struct carried;
struct datafile;

/* To carried_free(); NULL if the recording has none. */
struct carried *carried_names_load(const struct datafile *file);
