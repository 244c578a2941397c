/*
 * transactions.h - the events of transactional memory (Intel's TSX), where the CPU has them.
 */
#pragma once

struct str;
struct strobe_err;

/* As -e has them, behind @text. @root as in kernel/pmu.h. -ENODEV: this CPU has none. */
int transactions_add_events(const char *root, struct str *text, struct strobe_err *err);
