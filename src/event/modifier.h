/*
 * modifier.h - the letters behind an event: "cycles:uppp", "{a,b}:S".
 *
 *	u k h	count in user space, the kernel, the hypervisor: only where a letter was given
 *	G H	count in guests, on the host
 *	p	more precise, up to three times; P: as precise as the machine can
 *	S	read the whole group at samples of the leader
 *	D e	pinned; exclusive
 *	W	weak group: broken up where the kernel refuses it
 *	I	not while idle
 *	R	with the retirement latency
 *	b	BPF counts; for counting only
 *
 * A number behind them, with or without a colon of its own, is a period: "cycles:50000",
 * "cycles:u:50000". That is strobe's own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_spec;
struct strobe_err;

struct modifier {
	bool user, kernel, hypervisor;
	bool guest, host;
	bool idle_excluded;
	bool pinned, exclusive, sample_read, weak, latency, bpf;
	bool max_precise;
	unsigned precise; /* 0 to 3 */
	uint64_t period;  /* 0: none given */
};

/* True if @text holds nothing but letters and numbers that can be modifiers. */
bool modifier_likely(const char *text);

/*
 * Adds what @text says. -EINVAL: not a modifier, the same one twice, or too many p; *ret_at says at
 * which character.
 */
int modifier_parse(const char *text, struct modifier *modifier, size_t *ret_at,
		   struct strobe_err *err);

/* What @group says is said of each of its events too; p adds up, to three at most. */
void modifier_join(struct modifier *modifier, const struct modifier *group);

/* Writes it to attr and flags of @event. */
void modifier_apply(const struct modifier *modifier, struct event_spec *event);
