/*
 * meter.h - events counted from a beginning to an end, once.
 *
 *	meter_open		targets, the command at its gate, events
 *	meter_run		until it ends; calls back at each interval
 *	meter_counts		what was counted
 *	meter_free
 *
 * Signals that ask to end are the caller's to catch (wakeup.h), so that several runs are one to the
 * user.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "collect/target.h"

struct control;
struct meter;
struct countset;
struct eventlist;
struct eventset;
struct notes;
struct schedule;
struct strobe_err;
struct wakeup;

/* What has been counted so far, @time_ns after counting began. A return below 0 ends it. */
typedef int meter_tick(void *context, uint64_t time_ns, const struct countset *counts,
		       struct strobe_err *err);

struct meter_options {
	struct target_request target; /* nothing in it: the command is counted */
	const char *const *argv;      /* the command, ending in NULL; NULL: none */
	bool stdout_taken;            /* what it prints goes to standard error */
	const bool *left_out; /* by index: events that are not counted this time; NULL: none */
	const struct wakeup *wakeup;
	const struct schedule *schedule; /* -D */
	struct control *control;
	uint64_t interval_ns;    /* 0: none */
	unsigned interval_count; /* end after so many; 0: do not */
	uint64_t timeout_ns;     /* 0: until something else ends it */
	meter_tick *tick;        /* at each interval */
	void *context;
};

enum meter_end {
	METER_COMMAND, /* the command ended */
	METER_TARGETS, /* all that was counted has ended */
	METER_TIME,    /* the timeout, or the last interval, or the schedule is over */
	METER_SIGNAL,  /* asked to end */
	METER_ORDER,   /* by --control */
};

struct meter_result {
	enum meter_end end;
	int signal;     /* that ended it; 0: none */
	int exit_code;  /* the command's; 0 if there was none */
	bool has_usage; /* a command ran: */
	uint64_t user_ns, system_ns;
	uint64_t max_rss_kb;
	uint64_t wall_ns; /* that was counted */
};

/* As recording_open(). @options and @list are borrowed until meter_free(). */
int meter_open(const struct meter_options *options, struct eventlist *list, struct notes *notes,
	       struct meter **ret_meter, struct strobe_err *err);
int meter_run(struct meter *meter, struct meter_result *ret_result, struct strobe_err *err);

const struct eventset *meter_events(const struct meter *meter);
const struct target *meter_target(const struct meter *meter);
/* As of the end of meter_run(). */
const struct countset *meter_counts(const struct meter *meter);

void meter_free(struct meter *meter);
CLEANUP(meter_free, struct meter)
