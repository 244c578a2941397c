/* machine-text.h - what a machine is made of, as the lines of a report's header. */
#pragma once

#include <stdio.h>

struct machine_caches;
struct machine_caps;
struct machine_domains;
struct machine_hybrid;
struct machine_memory;
struct machine_numa;
struct machine_pmus;
struct machine_topology;

void machine_text_topology(const struct machine_topology *topology, FILE *out);
void machine_text_numa(const struct machine_numa *numa, FILE *out);
void machine_text_caches(const struct machine_caches *caches, FILE *out);
void machine_text_memory(const struct machine_memory *memory, FILE *out);
void machine_text_hybrid(const struct machine_hybrid *hybrid, FILE *out);
void machine_text_domains(const struct machine_domains *domains, FILE *out);
void machine_text_pmus(const struct machine_pmus *pmus, FILE *out);
void machine_text_caps(const struct machine_caps *caps, FILE *out);
