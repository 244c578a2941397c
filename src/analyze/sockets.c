/* sockets.c - see sockets.h. */
#include "analyze/sockets.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "data/topology.h"

static size_t cpu_count_of(const struct datafile *file)
{
	struct feature_nrcpus cpus;
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_NRCPUS, &size);

	if (!bytes || feature_nrcpus_decode(bytes, size, datafile_header(file)->foreign, &cpus) < 0)
		return 0;
	return cpus.available;
}

void sockets_load(const struct datafile *file, struct sockets *ret_sockets)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	struct machine_topology topology;
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_CPU_TOPOLOGY, &size);

	if (!bytes || topology_cpus_decode(bytes, size, datafile_header(file)->foreign,
					   cpu_count_of(file), &arena, &topology) < 0)
		return;
	ret_sockets->count = topology.cpu_count;
	ret_sockets->items = xcalloc(topology.cpu_count + 1, sizeof(*ret_sockets->items));
	for (size_t i = 0; i < topology.cpu_count; i++)
		ret_sockets->items[i] = (int32_t)topology.cpus[i].socket;
}

void sockets_done(struct sockets *sockets)
{
	free(sockets->items);
	*sockets = (struct sockets){ 0 };
}

int32_t sockets_of(const struct sockets *sockets, uint32_t cpu)
{
	return cpu < sockets->count ? sockets->items[cpu] : -1;
}
