/*
 * host-pmus.h - the PMUs of this machine as a recording's header lists them: numbers, capabilities.
 *
 * @root as in sysfile.h. What is found lies in @arena. pmu.h has what is needed to use one.
 */
#pragma once

struct arena;
struct machine_all_caps;
struct machine_caps;
struct machine_hybrid;
struct machine_pmus;

/* By name. */
void host_pmus_list(const char *root, struct arena *arena, struct machine_pmus *ret_pmus);
/* None if there is no such PMU, or it tells none. */
void host_pmus_caps(const char *root, const char *pmu, struct arena *arena,
		    struct machine_caps *ret_caps);
/* Of all PMUs that tell some, but "cpu". */
void host_pmus_all_caps(const char *root, const struct machine_pmus *pmus, struct arena *arena,
			struct machine_all_caps *ret_caps);
/* The kinds of CPU, where there are several; else none. */
void host_pmus_hybrid(const char *root, const struct machine_pmus *pmus, struct arena *arena,
		      struct machine_hybrid *ret_hybrid);
