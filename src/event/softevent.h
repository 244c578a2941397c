/* softevent.h - what is special about some of the events that the kernel counts itself. */
#pragma once

#include <stdbool.h>

struct attr;

/* It counts nothing, and is there for the records beside samples. */
bool softevent_is_dummy(const struct attr *attr);

/*
 * It happens while the kernel runs, whoever made it: a switch of threads has the kernel's
 * registers, so that one that leaves the kernel out (:u) never fires.
 */
bool softevent_is_kernels(const struct attr *attr);
