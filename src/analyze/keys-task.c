/* keys-task.c - sort keys that say who ran: threads and processes, and what they are called. */
#include "analyze/keys.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"

static int comm_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_text(left->comm, right->comm);
}

static uint64_t comm_hash(const struct item *item, keys_style *how)
{
	return keys_hash_text(item->comm);
}

static void comm_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, item->comm);
}

/* The next piece of a name without its digits: a character, or "<N>" for a run of digits. */
static const char *next_piece(const char **name, size_t *ret_size)
{
	const char *piece = *name;
	size_t digits = strspn(piece, "0123456789");

	*name += digits ? digits : (*piece != '\0');
	*ret_size = digits ? 3 : (*piece != '\0');
	return digits ? "<N>" : piece;
}

static int comm_nodigit_compare(const struct item *left, const struct item *right, keys_style *how)
{
	const char *a = left->comm, *b = right->comm;
	size_t size = 1, other;
	int r = 0;

	while (a != b && r == 0 && size > 0) {
		const char *x = next_piece(&a, &size), *y = next_piece(&b, &other);

		r = size == 0 || other == 0 ? (size > 0) - (other > 0)
					    : strncmp(x, y, size < other ? size : other);
		if (r == 0 && size != other)
			r = size < other ? -1 : 1;
	}
	return r;
}

static uint64_t comm_nodigit_hash(const struct item *item, keys_style *how)
{
	const char *rest = item->comm;
	uint64_t hash = 0;
	size_t size;

	for (;;) {
		const char *piece = next_piece(&rest, &size);

		if (size == 0)
			return hash;
		hash = hash_u64(hash ^ hash_bytes(piece, size));
	}
}

static void comm_nodigit_print(const struct item *item, struct str *out, keys_style *how)
{
	const char *rest = item->comm;
	size_t size;

	for (;;) {
		const char *piece = next_piece(&rest, &size);

		if (size == 0)
			return;
		str_add_bytes(out, piece, size);
	}
}

static size_t comm_nodigit_width(const struct item *item, keys_style *how)
{
	const char *rest = item->comm;
	size_t width = 0, size;

	do {
		(void)next_piece(&rest, &size);
		width += size;
	} while (size > 0);
	return width;
}

/* As in perf, as wide as the last name of each thread, whatever it was called before. */
static size_t comm_width(const struct item *item, keys_style *how)
{
	return str_line_size(item->thread_comm);
}

static int tid_compare(const struct item *left, const struct item *right, keys_style *how)
{
	int r = keys_compare_u64(left->tid, right->tid);

	return r ? r : keys_compare_text(left->thread_comm, right->thread_comm);
}

static uint64_t tid_hash(const struct item *item, keys_style *how)
{
	return item->tid;
}

static void tid_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%7" PRId32 ":%s", (int32_t)item->tid, item->thread_comm);
}

static size_t tid_width(const struct item *item, keys_style *how)
{
	return comm_width(item, how) + 8;
}

static int tgid_compare(const struct item *left, const struct item *right, keys_style *how)
{
	int r = keys_compare_u64(left->pid, right->pid);

	return r ? r : keys_compare_text(left->process_comm, right->process_comm);
}

static uint64_t tgid_hash(const struct item *item, keys_style *how)
{
	return item->pid;
}

static void tgid_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%7" PRId32 ":%s", (int32_t)item->pid, item->process_comm);
}

const struct sortkey keys_task[] = {
	{ "comm", NULL, "Command", SORTKEY_COMM, KEYS_FUNCTIONS(comm) },
	{ "comm_nodigit", NULL, "CommandNoDigit", SORTKEY_COMM_NODIGIT,
	  KEYS_FUNCTIONS(comm_nodigit) },
	{ "pid", "thread", "    Pid:Command", SORTKEY_PID, KEYS_FUNCTIONS(tid) },
	{ "tgid", "process", "   Tgid:Command", SORTKEY_TGID, KEYS_TITLED(tgid) },
	{ "tid", NULL, "    Tid:Command", SORTKEY_TID, KEYS_FUNCTIONS(tid) },
	{ NULL },
};
