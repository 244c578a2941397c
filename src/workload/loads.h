/*
 * loads.h - programs to be profiled, built in: who tries a profiler, or tests one, needs to know
 * what should come out.
 *
 * Each is a file, whose functions have the names and call each other in the ways that perf's have,
 * and take its arguments. The compiler leaves them as they are written. They end by themselves, or
 * by SIGINT.
 */
#pragma once

struct strobe_err;

struct load {
	const char *name;
	const char *args; /* as in a synopsis; "" if it takes none */
	/* @args ends in NULL. The exit code, or -EINVAL if the arguments make no sense. */
	int (*run)(const char *const *args, struct strobe_err *err);
};

/* Ends with a name of NULL. */
extern const struct load loads_table[];

/* NULL, with the nearest name as a hint, if there is none. */
const struct load *loads_find(const char *name, struct strobe_err *err);

int brstack(const char *const *args, struct strobe_err *err);
int context_switch_loop(const char *const *args, struct strobe_err *err);
int datasym(const char *const *args, struct strobe_err *err);
int deterministic(const char *const *args, struct strobe_err *err);
int inlineloop(const char *const *args, struct strobe_err *err);
int jitdump(const char *const *args, struct strobe_err *err);
int landlock(const char *const *args, struct strobe_err *err);
int leafloop(const char *const *args, struct strobe_err *err);
int named_threads(const char *const *args, struct strobe_err *err);
int noploop(const char *const *args, struct strobe_err *err);
int sqrtloop(const char *const *args, struct strobe_err *err);
int thloop(const char *const *args, struct strobe_err *err);
int traploop(const char *const *args, struct strobe_err *err);
