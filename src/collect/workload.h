/*
 * workload.h - the command that is recorded: started, held at the gate, let go, waited for.
 *
 * Between workload_start() and workload_go() the child waits, so events can be opened on it before
 * its first instruction. It is ours to wait for with workload_wait().
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct strobe_err;

struct workload {
	pid_t pid;  /* 0: none */
	int gate;   /* closing it, without a byte, sends the child away */
	int answer; /* the child's errno, if exec fails */
	bool exited;
	int status;          /* of waitpid(), once exited */
	struct rusage usage; /* then too: what it and those that it waited for took */
};

/* @argv ends in NULL. The child gets @mask as its signal mask; with @stdout_taken, what it prints
 * goes to standard error, as standard output carries the recording. */
int workload_start(struct workload *workload, const char *const *argv, const sigset_t *mask,
		   bool stdout_taken, struct strobe_err *err);
/* Lets it run. If the command cannot be run, says so: -ENOENT and so on, and the child is gone. */
int workload_go(struct workload *workload, const char *name, struct strobe_err *err);
/*
 * Lets it run and does not wait for its exec, which would wake us up beside it just when it begins:
 * for who counts what happens to it. Whether it could be run says workload_failure(), once it has
 * ended.
 */
void workload_go_alone(struct workload *workload);
/* 0 if it ran, else why not, as workload_go() says it. */
int workload_failure(struct workload *workload, const char *name, struct strobe_err *err);
/* True if it has ended; does not wait. */
bool workload_poll(struct workload *workload);
/* Asks it to end (SIGTERM), unless it has; a child still at the gate just goes. */
void workload_stop(struct workload *workload);
/* Waits for its end. Its exit code, or 128 and the signal that ended it. */
int workload_wait(struct workload *workload);
