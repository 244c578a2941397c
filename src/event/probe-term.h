/*
 * probe-term.h - terms of the PMUs "uprobe" and "kprobe", which probe a function without anything
 * being made in tracefs before:
 *
 *	uprobe/path='/usr/bin/x',offset=0x1139[,ref_ctr=0x4010]/	an instruction of a file
 *	kprobe/func=do_sys_openat2[,offset=4]/	one of the kernel; kprobe/addr=0xffffffff81000000/
 *
 * With retprobe, when the function returns. Where they go is perf_event_open(2)'s config1, config2.
 */
#pragma once

#include <stdbool.h>

struct event_spec;
struct pmu;
struct strobe_err;
struct term;

/* "uprobe" or "kprobe". */
bool probe_term_is_pmu(const struct pmu *pmu);

/* 1: the PMU is none of these, or has no such term. -EINVAL: the value makes no sense. */
int probe_term_apply(const struct pmu *pmu, const struct term *term, struct event_spec *event,
		     struct strobe_err *err);
