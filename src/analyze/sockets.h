/*
 * sockets.h - which socket a CPU of the recorded machine sits in, as the recording's header tells.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct datafile;

/* Starts as { 0 }, which knows none. */
struct sockets {
	int32_t *items; /* by CPU */
	size_t count;
};

void sockets_load(const struct datafile *file, struct sockets *ret_sockets);
void sockets_done(struct sockets *sockets);

/* -1 if unknown. */
int32_t sockets_of(const struct sockets *sockets, uint32_t cpu);
