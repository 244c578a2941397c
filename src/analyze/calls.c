/* calls.c - see calls.h. */
#include "analyze/calls.h"

#include <linux/perf_event.h>
#include <string.h>

#include "analyze/profile.h"
#include "base/hash.h"
#include "base/str.h"
#include "format/callfiles.h"
#include "format/callitems.h"
#include "format/callspec.h"

enum { ERRORS = 4096 }; /* results from -4095 on are errors */

/* A thread, and the call that it makes. */
struct caller {
	uint32_t pid, tid, cpu;
	bool is_pending;
	bool is_shown; /* as begun */
	uint64_t start_ns;
	uint64_t out_ns, off_ns; /* when it lost its CPU; how long it had none in this call */
	struct callitems enter;  /* its bytes are those of @raw */
	struct str raw;
	const char *paths[CALLCASE_PATHS];
	struct str comm; /* as it was called then */
};

struct calls {
	struct calls_options options;
	struct hash callers; /* by thread */
	struct caller *last; /* who began last, and may have to be shown */
	struct callfiles files;
	uint64_t damaged_count;
};

struct calls *calls_new(const struct calls_options *options)
{
	struct calls *calls = xnew(struct calls);

	calls->options = *options;
	return calls;
}

static void free_caller(struct caller *caller)
{
	str_done(&caller->raw);
	str_done(&caller->comm);
	free(caller);
}

void calls_free(struct calls *calls)
{
	if (!calls)
		return;
	for (struct hash_entry *e = hash_next(&calls->callers, NULL); e;
	     e = hash_next(&calls->callers, e))
		free_caller(e->pointer);
	hash_done(&calls->callers);
	callfiles_done(&calls->files);
	free(calls);
}

enum calls_event calls_event_of(const char *name)
{
	const char *rest = str_after(name, "raw_syscalls:");

	if (!rest)
		return CALLS_OTHER;
	if (strcmp(rest, "sys_enter") == 0)
		return CALLS_ENTER;
	return strcmp(rest, "sys_exit") == 0 ? CALLS_EXIT : CALLS_OTHER;
}

static struct caller *caller_of(struct calls *calls, const struct profile_sample *sample)
{
	bool is_new;
	struct hash_entry *entry = hash_add(&calls->callers, sample->sample.tid, &is_new);
	struct caller *caller = entry->pointer;

	if (is_new) {
		entry->pointer = caller = xnew(struct caller);
		caller->tid = sample->sample.tid;
	}
	caller->pid = sample->sample.pid;
	return caller;
}

/* The paths of the descriptors that an entry has files for. */
static void take_entry_paths(struct calls *calls, const struct callitems *items, const char **paths)
{
	struct callitem item;

	for (size_t at = 0; callitems_next(items, &at, &item);)
		if (item.head.what == CALLCOPY_FILE && item.head.arg < CALLCASE_RESULT)
			paths[item.head.arg] = callfiles_take(&calls->files, &item);
}

/* Of an exit, those of the result, or of two that an argument points at. */
static void take_exit_paths(struct calls *calls, const struct callitems *items, const char **paths)
{
	struct callitem item;
	size_t next = CALLCASE_PAIR;

	for (size_t at = 0; callitems_next(items, &at, &item);) {
		if (item.head.what != CALLCOPY_FILE)
			continue;
		if (item.head.arg == CALLCASE_RESULT)
			paths[CALLCASE_RESULT] = callfiles_take(&calls->files, &item);
		else if (next < CALLCASE_PATHS)
			paths[next++] = callfiles_take(&calls->files, &item);
	}
}

/* What the kernel says of the registers, where no mark says it. */
static void find_width(const struct profile_sample *sample, struct callitems *items)
{
	if (!items->has_mark && sample->sample.has & PERF_SAMPLE_REGS_USER)
		items->is_32 = sample->sample.regs_user.abi == PERF_SAMPLE_REGS_ABI_32;
}

static bool abi_of(const struct calls *calls, const struct callitems *items, enum callabi *ret_abi)
{
	return callspec_abi(calls->options.machine, items->is_32, ret_abi);
}

/* What has no name, called by its number, takes the place of one that is not known. */
static const struct callspec *spec_of(enum callabi abi, uint64_t number)
{
	static const struct callspec unknown = { .name = "?" };
	const struct callspec *spec = callspec_find(abi, number);

	return spec ? spec : &unknown;
}

static int hand_out(struct calls *calls, const struct caller *caller, struct calls_call *call)
{
	call->pid = caller->pid;
	call->tid = caller->tid;
	if (!call->comm)
		call->comm = str_text(&caller->comm);
	return calls->options.each(calls->options.context, call);
}

/* A call that goes on. */
static int show_begun(struct calls *calls, struct caller *caller, enum calls_part part,
		      const struct profile_sample *sample)
{
	struct calls_call call = {
		.part = part,
		.number = caller->enter.number,
		.start_ns = caller->start_ns,
		.cpu = caller->cpu,
		.sample = sample,
		.values.enter = &caller->enter,
		.values.paths = caller->paths,
		.values.more = calls->options.more,
	};

	if (!abi_of(calls, &caller->enter, &call.values.abi))
		return 0;
	call.values.spec = spec_of(call.values.abi, caller->enter.number);
	caller->is_shown = true;
	return hand_out(calls, caller, &call);
}

int calls_interrupt(struct calls *calls)
{
	struct caller *caller = calls->last;

	calls->last = NULL;
	if (!caller || !caller->is_pending || caller->is_shown || calls->options.only_whole)
		return 0;
	return show_begun(calls, caller, CALLS_BEGUN, NULL);
}

static bool never_returns(const struct calls *calls, const struct callitems *enter)
{
	enum callabi abi;
	const char *name;

	if (!abi_of(calls, enter, &abi))
		return false;
	name = spec_of(abi, enter->number)->name;
	return strcmp(name, "exit_group") == 0 || strcmp(name, "exit") == 0;
}

static int take_enter(struct calls *calls, const struct profile_sample *sample)
{
	struct caller *caller = caller_of(calls, sample);
	int r;

	str_clear(&caller->raw);
	str_add_bytes(&caller->raw, sample->sample.raw, sample->sample.raw_size);
	if (callitems_enter(caller->raw.text, caller->raw.size, calls->options.foreign,
			    &caller->enter) < 0) {
		calls->damaged_count++;
		caller->is_pending = false;
		return 0;
	}
	find_width(sample, &caller->enter);
	/* Of the one before, its end was not seen. */
	caller->is_pending = caller->is_shown = false;
	r = calls_interrupt(calls);
	memset(caller->paths, 0, sizeof(caller->paths));
	take_entry_paths(calls, &caller->enter, caller->paths);
	str_clear(&caller->comm);
	str_add(&caller->comm, sample->comm);
	caller->start_ns = sample->sample.time;
	caller->cpu = sample->sample.cpu;
	caller->out_ns = caller->off_ns = 0;
	caller->is_pending = true;
	if (r != 0)
		return r;
	if (never_returns(calls, &caller->enter)) {
		caller->is_pending = false;
		return show_begun(calls, caller, CALLS_FINAL, sample);
	}
	calls->last = caller;
	return 0;
}

static enum calls_part part_of(const struct caller *caller)
{
	if (!caller->is_pending)
		return CALLS_END;
	return caller->is_shown ? CALLS_ENDED : CALLS_WHOLE;
}

/*
 * An exit ends whatever its thread was in: the kernel forgets the number of some calls
 * (rt_sigreturn), and execve(2) may change it with the ABI.
 */
static int take_exit(struct calls *calls, const struct profile_sample *sample)
{
	struct caller *caller = caller_of(calls, sample);
	const struct callitems *numbered;
	struct callitems exit;
	struct calls_call call;

	if (callitems_exit(sample->sample.raw, sample->sample.raw_size, calls->options.foreign,
			   &exit) < 0) {
		calls->damaged_count++;
		return 0;
	}
	find_width(sample, &exit);
	numbered = caller->is_pending ? &caller->enter : &exit;
	call = (struct calls_call){
		.part = part_of(caller),
		.number = numbered->number,
		.start_ns = caller->is_pending ? caller->start_ns : 0,
		.end_ns = sample->sample.time,
		.off_ns = caller->is_pending ? caller->off_ns : 0,
		.has_returned = true,
		.cpu = sample->sample.cpu,
		.comm = sample->comm,
		.sample = sample,
		.error = exit.result < 0 && exit.result > -ERRORS ? (int)-exit.result : 0,
		.values.enter = caller->is_pending ? &caller->enter : NULL,
		.values.exit = &exit,
		.values.paths = caller->paths,
		.values.more = calls->options.more,
	};
	if (!caller->is_pending) {
		memset(caller->paths, 0, sizeof(caller->paths));
		/* Of what was filtered out at its entry, or before the kernel knew a number. */
		if (exit.number == UINT64_MAX)
			return 0;
	}
	if (!abi_of(calls, numbered, &call.values.abi))
		return 0;
	call.values.spec = spec_of(call.values.abi, numbered->number);
	take_exit_paths(calls, &exit, caller->paths);
	caller->is_pending = false;
	if (calls->last == caller)
		calls->last = NULL;
	return hand_out(calls, caller, &call);
}

int calls_take(struct calls *calls, const struct profile_sample *sample, enum calls_event event)
{
	return event == CALLS_ENTER ? take_enter(calls, sample) : take_exit(calls, sample);
}

/* Only while it is in a call. */
void calls_switch(struct calls *calls, uint32_t tid, uint64_t time_ns, bool is_out)
{
	struct hash_entry *entry = hash_find(&calls->callers, tid);
	struct caller *caller = entry ? entry->pointer : NULL;

	if (!caller || !caller->is_pending)
		return;
	if (is_out)
		caller->out_ns = time_ns;
	else if (caller->out_ns && time_ns > caller->out_ns)
		caller->off_ns += time_ns - caller->out_ns;
	if (!is_out)
		caller->out_ns = 0;
}

void calls_forget(struct calls *calls, uint32_t tid)
{
	struct hash_entry entry;

	if (!hash_remove(&calls->callers, tid, &entry))
		return;
	if (calls->last == entry.pointer)
		calls->last = NULL;
	free_caller(entry.pointer);
}

int calls_show_begun(struct calls *calls)
{
	int r = 0;

	for (struct hash_entry *e = hash_next(&calls->callers, NULL); r == 0 && e;
	     e = hash_next(&calls->callers, e)) {
		struct caller *caller = e->pointer;

		if (caller->is_pending && !caller->is_shown)
			r = show_begun(calls, caller, CALLS_BEGUN, NULL);
	}
	calls->last = NULL;
	return r;
}

void calls_only_whole(struct calls *calls, bool only_whole)
{
	calls->options.only_whole = only_whole;
}

uint64_t calls_damaged(const struct calls *calls)
{
	return calls->damaged_count;
}
