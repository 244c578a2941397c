/* keys-sample.c - sort keys that say when and where a sample was taken, and what its event
 * measured. */
#include "analyze/keys.h"

#include <inttypes.h>
#include <string.h>

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

static int weight_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(right->weight, left->weight);
}

static uint64_t weight_hash(const struct item *item, keys_style *how)
{
	return item->weight;
}

static void weight_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%" PRIu64, item->weight);
}

static size_t weight_width(const struct item *item, keys_style *how)
{
	return 12;
}

const struct sortkey keys_sample[] = {
	{ "cpu", NULL, "CPU", SORTKEY_CPU, KEYS_FUNCTIONS(cpu), .right = true },
	{ "time", NULL, "Time", SORTKEY_TIME, KEYS_FUNCTIONS(time), .open = true },
	{ "trace", NULL, "Trace output", SORTKEY_TRACE, KEYS_FUNCTIONS(trace), .open = true },
	{ "cgroup", NULL, "Cgroup", SORTKEY_CGROUP, KEYS_FUNCTIONS(cgroup), .open = true },
	{ "weight", NULL, "Weight", SORTKEY_WEIGHT, KEYS_FUNCTIONS(weight) },
	{ "local_weight", NULL, "Local Weight", SORTKEY_LOCAL_WEIGHT, KEYS_FUNCTIONS(weight) },
	{ NULL },
};
