/*
 * pmu-event.h - events of PMUs: "cpu/event=0x3c/", "uncore_imc/cas_count_read/", "energy-pkg", and
 * what any machine counts, once for each kind of its CPUs.
 *
 * Where one word means events of several PMUs, all are added; each knows the first of them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct event_request;
struct eventlist;
struct strobe_err;

/* "PMU/terms/". -EINVAL where no PMU is called so, or none of them has the terms. */
int pmu_event_parse(struct eventlist *list, const struct event_request *request,
		    struct strobe_err *err);
/* "EVENT", of whatever PMUs name it. 1: added; 0: none does. */
int pmu_event_parse_name(struct eventlist *list, const struct event_request *request,
			 struct strobe_err *err);
/* A hardware, cache or raw event (@type). */
int pmu_event_parse_generic(struct eventlist *list, const struct event_request *request,
			    uint32_t type, uint64_t config, struct strobe_err *err);

/* True if a PMU has an event of this name. */
bool pmu_event_is_named(struct eventlist *list, const char *name);
