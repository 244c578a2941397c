/*
 * stack-verdicts.h - of which samples the user's stack is not complete, and why: what was found out
 * when copies of stacks were unwound while they were recorded. A record behind such a sample tells
 * (data/record.h: RECORD_UPDATE_STACK), and a sample is known by its thread and its time. At the
 * end of a pipe another one tells of all stacks together.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/stack-sum.h"
#include "base/strings.h"

struct record;

/* Starts as { 0 }. */
struct stack_verdicts {
	struct stack_verdict *items;
	size_t count, capacity;
	struct hash by_key;   /* of a thread and a time: the latest, + 1 */
	struct stack_sum sum; /* of a pipe; names live as long as this */
	struct strings names;
};

/*
 * Takes an EVENT_UPDATE record: 0 if it is of stacks, -ENOENT if it is not, -EBADMSG. @foreign: of
 * a machine of the other byte order.
 */
int stack_verdicts_add(struct stack_verdicts *verdicts, const struct record *record, bool foreign);
/* A number of enum unwind_verdict; 0: nothing was told. */
unsigned stack_verdicts_find(const struct stack_verdicts *verdicts, uint32_t tid, uint64_t time_ns);
/* Forgets what is before a time. */
void stack_verdicts_forget(struct stack_verdicts *verdicts, uint64_t before_ns);
void stack_verdicts_done(struct stack_verdicts *verdicts);

/* "truncated"; NULL for what is complete, and for numbers that are none. */
const char *stack_verdicts_name(unsigned verdict);
