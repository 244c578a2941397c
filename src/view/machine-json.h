/*
 * machine-json.h - header features that say what the machine is made of, as JSON.
 *
 * Each takes a section of the recording, and adds a key. 0, or -EBADMSG where the section is
 * damaged: then nothing is added.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct datafile;
struct json;

/* A section, as header-json has it. */
struct machine_json_section {
	const struct datafile *file;
	const void *bytes;
	size_t size;
	bool foreign;
	struct arena *arena; /* for what is decoded */
};

typedef int machine_json_adder(struct json *json, const struct machine_json_section *section);

machine_json_adder machine_json_topology, machine_json_numa, machine_json_caches,
	machine_json_memory, machine_json_hybrid, machine_json_domains, machine_json_pmus,
	machine_json_cpu_caps, machine_json_caps, machine_json_e_machine, machine_json_cache_line;
