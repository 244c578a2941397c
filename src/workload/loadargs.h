/* loadargs.h - what workloads are given, and when they are to end. */
#pragma once

#include <signal.h>
#include <stdint.h>

struct strobe_err;

/* The argument at *@args, @missing if there is none; *@args moves on. -EINVAL: it is no number. */
int loadargs_number(const char *const **args, const char *what, uint64_t missing,
		    uint64_t *ret_value, struct strobe_err *err);

/*
 * Reads a number of seconds (1 if there is none), and sets a signal for when they are over; 0 is
 * never. What is returned becomes 1 then, or by SIGINT. It is the program's one variable that all
 * can change: nothing else reaches a signal handler. NULL: the argument makes no sense.
 */
const volatile sig_atomic_t *loadargs_until(const char *const *args, struct strobe_err *err);
