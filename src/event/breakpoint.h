/*
 * breakpoint.h - "mem:ADDR[/LEN][:[rwx][MODIFIERS]]": stop where data is touched or code is run.
 */
#pragma once

struct eventlist;
struct modifier;
struct strobe_err;

/*
 * @text begins behind "mem:". Without letters reads and writes count; without a length it is 4
 * bytes, of code that of a long. Every hit is a sample unless the event says otherwise.
 */
int breakpoint_parse(struct eventlist *list, const char *text, const struct modifier *group,
		     struct strobe_err *err);
