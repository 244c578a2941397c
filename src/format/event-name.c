/* event-name.c - see event-name.h. */
#include "format/event-name.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "data/attr.h"
#include "data/events.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const HARDWARE[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const SOFTWARE[] = {
	"cpu-clock",    "task-clock",   "page-faults",      "context-switches", "cpu-migrations",
	"minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
};

enum { READ = 1 << 0, WRITE = 1 << 1, PREFETCH = 1 << 2 };

static const struct {
	const char *name;
	unsigned ops; /* what hardware has events for */
} CACHES[] = {
	{ "L1-dcache", READ | WRITE | PREFETCH },
	{ "L1-icache", READ | PREFETCH },
	{ "LLC", READ | WRITE | PREFETCH },
	{ "dTLB", READ | WRITE | PREFETCH },
	{ "iTLB", READ },
	{ "branch", READ },
	{ "node", READ | WRITE | PREFETCH },
};

static const struct {
	const char *accesses, *misses;
} CACHE_OPS[] = {
	{ "loads", "load-misses" },
	{ "stores", "store-misses" },
	{ "prefetches", "prefetch-misses" },
};

static void add_cache(struct str *out, uint64_t config)
{
	unsigned cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= COUNT(CACHES))
		str_add(out, "unknown-ext-hardware-cache-type");
	else if (op >= COUNT(CACHE_OPS))
		str_add(out, "unknown-ext-hardware-cache-op");
	else if (result > 1)
		str_add(out, "unknown-ext-hardware-cache-result");
	else if (!(CACHES[cache].ops & 1U << op))
		str_add(out, "invalid-cache");
	else
		str_addf(out, "%s-%s", CACHES[cache].name,
			 result ? CACHE_OPS[op].misses : CACHE_OPS[op].accesses);
}

/* The upper half of config is the type of the PMU, on CPUs that have several. */
static void add_hardware(struct str *out, uint64_t config)
{
	uint32_t low = (uint32_t)config;
	const char *name = low < COUNT(HARDWARE) ? HARDWARE[low] : "unknown-hardware";

	if (config >> 32)
		str_addf(out, "cpu/%s/", name);
	else
		str_add(out, name);
}

static void add_breakpoint(struct str *out, const struct attr *attr)
{
	str_addf(out, "mem:0x%" PRIx64 ":%s%s%s", attr->bp_addr, attr->bp_type & 1 ? "r" : "",
		 attr->bp_type & 2 ? "w" : "", attr->bp_type & 4 ? "x" : "");
}

/* ":u", ":kpp", "" if it has none. */
static void add_modifiers(struct str *out, const struct attr *attr)
{
	size_t start = out->size;

	str_add_char(out, ':');
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_hv) {
		str_add(out, attr->exclude_kernel ? "" : "k");
		str_add(out, attr->exclude_user ? "" : "u");
		str_add(out, attr->exclude_hv ? "" : "h");
	}
	str_add_repeat(out, 'p', attr->precise_ip);
	if (attr->exclude_host != attr->exclude_guest)
		str_add_char(out, attr->exclude_host ? 'G' : 'H');
	if (out->size == start + 1)
		str_cut(out, start);
}

void event_name_add(struct str *out, const struct attr *attr)
{
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		add_hardware(out, attr->config);
		break;
	case PERF_TYPE_SOFTWARE:
		str_add(out, attr->config < COUNT(SOFTWARE) ? SOFTWARE[attr->config]
							    : "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		add_cache(out, attr->config);
		break;
	case PERF_TYPE_RAW:
		str_addf(out, "raw 0x%" PRIx64, attr->config);
		break;
	case PERF_TYPE_BREAKPOINT:
		add_breakpoint(out, attr);
		break;
	case PERF_TYPE_TRACEPOINT:
		str_addf(out, "unknown tracepoint id=%#" PRIx64, attr->config);
		return;
	default:
		str_addf(out, "unknown event PMU=%" PRId32 " config=%#" PRIx64, (int32_t)attr->type,
			 attr->config);
		return;
	}
	add_modifiers(out, attr);
}

void event_name_add_desc(struct str *out, const struct event_desc *event)
{
	if (event->name)
		str_add(out, event->name);
	else
		event_name_add(out, &event->attr);
}
