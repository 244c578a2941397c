/*
 * pmus.h - header features about PMUs: which number is whose, and what they can do.
 *
 * What is decoded lies in @arena, its strings in the section. 0 or -EBADMSG.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct body_out;
struct machine_all_caps;
struct machine_caps;
struct machine_pmus;

/* PMU_MAPPINGS: attr.type of each PMU. */
int pmus_mappings_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			 struct machine_pmus *ret_pmus);
void pmus_mappings_encode(const struct machine_pmus *pmus, struct body_out *out);

/* CPU_PMU_CAPS: of the PMU "cpu". */
int pmus_cpu_caps_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			 struct machine_caps *ret_caps);
void pmus_cpu_caps_encode(const struct machine_caps *caps, struct body_out *out);

/* PMU_CAPS: of the others. */
int pmus_caps_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
		     struct machine_all_caps *ret_caps);
void pmus_caps_encode(const struct machine_all_caps *caps, struct body_out *out);
