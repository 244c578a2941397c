/*
 * callreader.h - a stage of recording (data/stage.h) that puts behind samples of
 * raw_syscalls:sys_enter what their pointers point at (base/callcopy.h), for want of BPF.
 *
 * It reads the thread's memory when it comes to the sample: the thread runs on meanwhile, and may
 * have changed it, or be gone. The kernel lets those do so who may trace the process: ptrace(2),
 * "Ptrace access mode checking".
 */
#pragma once

#include "base/mem.h"

struct callcopy_plan;
struct callreader;
struct stage;

struct callreader_options {
	/* CALLCOPY_CALLS of programs of 64 bits, and as many of those of 32; borrowed. */
	const struct callcopy_plan *wide, *narrow;
	/* Called once, when memory is another's for the first time; its pointers stay numbers. */
	void (*refused)(void *context);
	void *context;
};

/* @options are copied. */
struct callreader *callreader_new(const struct callreader_options *options);
void callreader_free(struct callreader *reader);
CLEANUP(callreader_free, struct callreader)

/* Borrowed. */
struct stage *callreader_stage(struct callreader *reader);
