/*
 * event-parse.h - one event of an -e text, without the list and the groups around it.
 */
#pragma once

struct eventlist;
struct modifier;
struct strobe_err;

/*
 * Adds what @text names to @list: one event; several for a glob, or where the CPUs of a machine
 * are of several kinds; none if it does not exist here, which goes to the list's missing[].
 * @group: modifiers of the group around it. -EINVAL: not understood.
 */
int event_parse(struct eventlist *list, const char *text, const struct modifier *group,
		struct strobe_err *err);
