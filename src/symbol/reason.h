/*
 * reason.h - why code has no name.
 */
#pragma once

enum reason {
	REASON_NONE, /* it has one, or there is nothing to say */

	REASON_NO_FILE,
	REASON_NO_PERMISSION,
	REASON_NOT_A_FILE,
	REASON_NOT_ELF,
	REASON_UNREADABLE,
	REASON_OTHER_BUILD,
	REASON_DELETED,  /* and what has its name may be another */
	REASON_REPLACED, /* the same */
	REASON_STRIPPED,
	REASON_PARTLY_STRIPPED, /* functions that other objects call have names */
	REASON_NO_VDSO,

	/* memory that code was made in: what its compiler wrote of it */
	REASON_NO_MAP,
	REASON_NO_MAP_BELOW, /* the folder that stands for / (--symfs) */
	REASON_MAP_NOT_OURS,
	REASON_MAP_UNREADABLE,
	REASON_NOT_IN_MAP,
	REASON_NO_DUMP,
	REASON_DUMP_NOT_OURS,
	REASON_DUMP_UNREADABLE,
	REASON_DUMP_DAMAGED,
	REASON_DUMP_REPLACED,
	REASON_DUMP_OF_OTHER,
	REASON_NOT_IN_DUMP,

	REASON_KERNEL_HIDDEN,
	REASON_KERNEL_FOREIGN,
	REASON_KERNEL_UNTOLD,
	REASON_NO_KERNEL_SYMBOLS,
	REASON_NO_MODULE_SYMBOLS,
	REASON_GUEST,
};

/* A sentence without its subject, for whoever wonders: "no perf map of its JIT compiler"; NULL of
 * REASON_NONE. */
const char *reason_text(enum reason reason);
/* A few words, for programs and for what is listed: "build-id mismatch", "jit"; or NULL. */
const char *reason_word(enum reason reason);
/*
 * The same in brackets, for rows of tables; "" where such rows say nothing: that what was recorded
 * is not at hand is the usual, as of a recording of another machine, and is said once for an
 * object.
 */
const char *reason_mark(enum reason reason);
