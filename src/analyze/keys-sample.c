/* keys-sample.c - sort keys that say when and where a sample was taken, and what its event
 * measured. */
#include "analyze/keys.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"

static int cpu_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(left->cpu, right->cpu);
}

static uint64_t cpu_hash(const struct item *item, keys_style *how)
{
	return item->cpu;
}

static void cpu_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%.3" PRId32, (int32_t)item->cpu);
}

static size_t cpu_width(const struct item *item, keys_style *how)
{
	return 3;
}

static int time_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(left->time_ns, right->time_ns);
}

static uint64_t time_hash(const struct item *item, keys_style *how)
{
	return item->time_ns;
}

static void time_print(const struct item *item, struct str *out, keys_style *how)
{
	uint64_t fraction = item->time_ns % 1000000000;

	str_addf(out, "%" PRIu64 ".%0*" PRIu64, item->time_ns / 1000000000,
		 how->nanoseconds ? 9 : 6, how->nanoseconds ? fraction : fraction / 1000);
}

static size_t time_width(const struct item *item, keys_style *how)
{
	return how->nanoseconds ? 16 : 12;
}

static int trace_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_text(left->trace, right->trace);
}

static uint64_t trace_hash(const struct item *item, keys_style *how)
{
	return keys_hash_text(item->trace);
}

static void trace_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, item->trace ? item->trace : "N/A");
}

static size_t trace_width(const struct item *item, keys_style *how)
{
	return item->trace ? strlen(item->trace) : 0;
}

static int cgroup_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_text(left->cgroup, right->cgroup);
}

/* As in perf, in the order in which they were made: numbers of cgroups grow. */
static int cgroup_order(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(left->cgroup_id, right->cgroup_id);
}

static uint64_t cgroup_hash(const struct item *item, keys_style *how)
{
	return keys_hash_text(item->cgroup);
}

static void cgroup_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, item->cgroup ? item->cgroup : "N/A");
}

static size_t cgroup_width(const struct item *item, keys_style *how)
{
	return item->cgroup ? strlen(item->cgroup) : 0;
}

static int cgroup_id_compare(const struct item *left, const struct item *right, keys_style *how)
{
	const struct namespace_id *a = &left->cgroup_namespace, *b = &right->cgroup_namespace;
	int r = keys_compare_u64(b->dev, a->dev);

	return r ? r : keys_compare_u64(b->ino, a->ino);
}

static uint64_t cgroup_id_hash(const struct item *item, keys_style *how)
{
	return hash_u64(item->cgroup_namespace.dev ^ hash_u64(item->cgroup_namespace.ino));
}

static void cgroup_id_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%" PRIu64 "/%#" PRIx64, item->cgroup_namespace.dev,
		 item->cgroup_namespace.ino);
	if (item->cgroup_namespace.ino == 0)
		str_add(out, "x0");
}

/* What an event measured of a sample: the key itself, and the sum over all samples of an entry. */
#define MEASURED_KEYS(name, value)                                                                 \
	KEYS_NUMBER(name, value)                                                                   \
	static void local_##name##_print(const struct item *item, struct str *out,                 \
					 keys_style *how)                                          \
	{                                                                                          \
		str_addf(out, "%" PRIu64, name##_of(item));                                        \
	}                                                                                          \
	static void name##_print(const struct item *item, struct str *out, keys_style *how)        \
	{                                                                                          \
		str_addf(out, "%" PRIu64, item_sum(item, name##_of(item)));                        \
	}

MEASURED_KEYS(weight, item->weight)
MEASURED_KEYS(ins_lat, item->weight_2)
MEASURED_KEYS(p_stage_cyc, item->weight_3)

static size_t weight_width(const struct item *item, keys_style *how)
{
	return 12;
}

static int socket_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return (left->socket > right->socket) - (left->socket < right->socket);
}
static uint64_t socket_hash(const struct item *item, keys_style *how)
{
	return (uint32_t)item->socket;
}
static void socket_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%.3" PRId32, item->socket);
}

static int parallelism_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(left->parallelism, right->parallelism);
}
static uint64_t parallelism_hash(const struct item *item, keys_style *how)
{
	return item->parallelism;
}
static void parallelism_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%" PRIu32, item->parallelism);
}

KEYS_NUMBER(transaction, item->transaction)

/* What became of a transaction: the bits of PERF_TXN_*, and the program's code of its abort. */
static void transaction_print(const struct item *item, struct str *out, keys_style *how)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} bits[] = {
		{ PERF_TXN_ELISION, "EL " },
		{ PERF_TXN_TRANSACTION, "TX " },
		{ PERF_TXN_SYNC, "SYNC " },
		{ PERF_TXN_ASYNC, "ASYNC " },
		{ PERF_TXN_RETRY, "RETRY " },
		{ PERF_TXN_CONFLICT, "CON " },
		{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE " },
		{ PERF_TXN_CAPACITY_READ, "CAP-READ " },
	};
	uint64_t value = item->transaction;

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		if (value & bits[i].bit)
			str_add(out, bits[i].name);
	}
	if (value && !(value & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		str_add(out, "NEITHER ");
	if (value & PERF_TXN_ABORT_MASK)
		str_addf(out, ":%" PRIx64, (value & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT);
}
/* perf makes room for it as soon as there was one. */
static size_t transaction_width(const struct item *item, keys_style *how)
{
	return item->transaction ? 32 : 0;
}

static int code_page_size_compare(const struct item *left, const struct item *right,
				  keys_style *how)
{
	return keys_compare_u64(left->code_page_size, right->code_page_size);
}
static uint64_t code_page_size_hash(const struct item *item, keys_style *how)
{
	return item->code_page_size;
}
static void code_page_size_print(const struct item *item, struct str *out, keys_style *how)
{
	keys_print_page_size(item->code_page_size, out);
}

#define LOCAL(name) name##_compare, NULL, name##_hash, local_##name##_print, keys_width_of_title

const struct sortkey keys_sample[] = {
	{ "cpu", NULL, "CPU", SORTKEY_CPU, KEYS_FUNCTIONS(cpu), .right = true },
	{ "time", NULL, "Time", SORTKEY_TIME, KEYS_FUNCTIONS(time), .open = true },
	{ "trace", NULL, "Trace output", SORTKEY_TRACE, KEYS_FUNCTIONS(trace), .open = true },
	{ "cgroup", NULL, "Cgroup", SORTKEY_CGROUP, cgroup_compare, cgroup_order, cgroup_hash,
	  cgroup_print, cgroup_width, .open = true },
	{ "cgroup_id", NULL, "cgroup id (dev/inode)", SORTKEY_CGROUP_ID, KEYS_TITLED(cgroup_id),
	  .open = true },
	{ "socket", NULL, "Socket", SORTKEY_SOCKET, KEYS_TITLED(socket), .right = true },
	{ "parallelism", NULL, "Parallelism", SORTKEY_PARALLELISM, KEYS_TITLED(parallelism),
	  .right = true },
	{ "weight", NULL, "Weight", SORTKEY_WEIGHT, KEYS_FUNCTIONS(weight) },
	{ "local_weight", NULL, "Local Weight", SORTKEY_LOCAL_WEIGHT, weight_compare, NULL,
	  weight_hash, local_weight_print, weight_width },
	{ "ins_lat", NULL, "INSTR Latency", SORTKEY_INS_LAT, KEYS_TITLED(ins_lat) },
	{ "local_ins_lat", NULL, "Local INSTR Latency", SORTKEY_LOCAL_INS_LAT, LOCAL(ins_lat) },
	/* x86 and others call one field by two names, whichever is asked for first. */
	{ "p_stage_cyc", NULL, "Retire Latency", SORTKEY_P_STAGE_CYC, KEYS_TITLED(p_stage_cyc) },
	{ "local_p_stage_cyc", NULL, "Local Retire Latency", SORTKEY_LOCAL_P_STAGE_CYC,
	  LOCAL(p_stage_cyc) },
	{ "retire_lat", NULL, "Pipeline Stage Cycle", SORTKEY_P_STAGE_CYC,
	  KEYS_TITLED(p_stage_cyc) },
	{ "local_retire_lat", NULL, "Local Pipeline Stage Cycle", SORTKEY_LOCAL_P_STAGE_CYC,
	  LOCAL(p_stage_cyc) },
	{ "transaction", NULL, "Transaction                ", SORTKEY_TRANSACTION,
	  KEYS_FUNCTIONS(transaction) },
	{ "code_page_size", NULL, "Code Page Size", SORTKEY_CODE_PAGE_SIZE,
	  KEYS_TITLED(code_page_size) },
	{ NULL },
};
