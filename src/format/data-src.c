/* data-src.c - see data-src.h. */
#include "format/data-src.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Values of mem_lvl_num that older headers do not have. */
enum { LEVEL_L2_MHB = 5, LEVEL_MSC = 6, LEVEL_UNCACHED = 8, LEVEL_CXL = 9, LEVEL_IO = 10 };

static union perf_mem_data_src fields_of(uint64_t data_src)
{
	return (union perf_mem_data_src){ .val = data_src };
}

/* Adds the names of the bits that are set, with "or" between them; false if there are none. */
static bool add_names(struct str *out, const char *const *names, size_t count, uint64_t bits)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!(bits >> i & 1) || !names[i])
			continue;
		if (any)
			str_add(out, " or ");
		str_add(out, names[i]);
		any = true;
	}
	return any;
}

#define ADD_NAMES(out, names, bits) add_names(out, names, sizeof(names) / sizeof((names)[0]), bits)

void data_src_add_operation(struct str *out, uint64_t data_src)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	uint64_t bits = fields_of(data_src).mem_op;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (bits >> i & 1) {
			str_add(out, names[i]);
			return;
		}
	}
	str_add(out, "No");
}

/* Newer kernels tell the level as a number, and from how far away it was. */
static bool add_numbered_level(struct str *out, union perf_mem_data_src fields)
{
	enum { NOT_KNOWN = 0xf };
	static const char *const names[NOT_KNOWN] = {
		NULL,   "L1",       "L2",  "L3",  "L4",        "L2 MHB",  "Memory-side Cache",
		NULL,   "Uncached", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM",
		"PMEM",
	};
	static const char *const hops[] = { NULL, "core, same node ", "node, same socket ",
					    "socket, same board ", "board " };
	unsigned number = fields.mem_lvl_num;

	if (number == 0 || number == NOT_KNOWN)
		return false;
	if (fields.mem_remote)
		str_add(out, "Remote ");
	if (fields.mem_remote && fields.mem_hops < sizeof(hops) / sizeof(hops[0]) &&
	    hops[fields.mem_hops])
		str_add(out, hops[fields.mem_hops]);
	if (names[number])
		str_add(out, names[number]);
	else
		str_addf(out, "Unknown level %u", number);
	return true;
}

void data_src_add_level(struct str *out, uint64_t data_src)
{
	static const char *const names[] = {
		NULL,
		NULL,
		NULL,
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	union perf_mem_data_src fields = fields_of(data_src);

	/* Where the number is told to be unknown, what older bits say does not count either. */
	if (!add_numbered_level(out, fields) &&
	    !ADD_NAMES(out, names, fields.mem_lvl_num ? 0 : fields.mem_lvl)) {
		str_add(out, "N/A");
		return;
	}
	str_add_char(out, ' ');
	if (fields.mem_lvl & PERF_MEM_LVL_HIT)
		str_add(out, "hit");
	else if (fields.mem_lvl & PERF_MEM_LVL_MISS)
		str_add(out, "miss");
}

void data_src_add_snoop(struct str *out, uint64_t data_src)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM", "Fwd", "Peer" };
	union perf_mem_data_src fields = fields_of(data_src);

	if (!ADD_NAMES(out, names, fields.mem_snoop | (uint64_t)fields.mem_snoopx << 5))
		str_add(out, "N/A");
}

void data_src_add_tlb(struct str *out, uint64_t data_src)
{
	static const char *const names[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };
	uint64_t bits = fields_of(data_src).mem_dtlb;

	if (!ADD_NAMES(out, names, bits))
		str_add(out, "N/A");
	if (bits & PERF_MEM_TLB_HIT)
		str_add(out, " hit");
	if (bits & PERF_MEM_TLB_MISS)
		str_add(out, " miss");
}

void data_src_add_lock(struct str *out, uint64_t data_src)
{
	uint64_t bits = fields_of(data_src).mem_lock;

	if (bits & PERF_MEM_LOCK_NA)
		str_add(out, "N/A");
	else
		str_add(out, bits & PERF_MEM_LOCK_LOCKED ? "Yes" : "No");
}

void data_src_add_blocked(struct str *out, uint64_t data_src)
{
	uint64_t bits = fields_of(data_src).mem_blk;

	if (bits == 0 || bits & PERF_MEM_BLK_NA) {
		str_add(out, " N/A");
		return;
	}
	if (bits & PERF_MEM_BLK_DATA)
		str_add(out, " Data");
	if (bits & PERF_MEM_BLK_ADDR)
		str_add(out, " Addr");
}

/* The values that make a class; what no class names is the last one. */
static const struct {
	const char *name;
	uint64_t value;
} classes[DATA_SRC_KINDS][DATA_SRC_CLASSES + 1] = {
	[DATA_SRC_OP] = {
		{ "Load", PERF_MEM_OP_LOAD },
		{ "Store", PERF_MEM_OP_STORE },
		{ "Ld+St", PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE },
		{ "Pfetch", PERF_MEM_OP_PFETCH },
		{ "Exec", PERF_MEM_OP_EXEC },
		{ "Other", 0 },
	},
	[DATA_SRC_CACHE] = {
		{ "L1", PERF_MEM_LVLNUM_L1 },
		{ "L2", PERF_MEM_LVLNUM_L2 },
		{ "L3", PERF_MEM_LVLNUM_L3 },
		{ "L4", PERF_MEM_LVLNUM_L4 },
		{ "L1-buf", PERF_MEM_LVLNUM_LFB },
		{ "L2-buf", LEVEL_L2_MHB },
		{ "Other", 0 },
	},
	[DATA_SRC_MEMORY] = {
		{ "RAM", PERF_MEM_LVLNUM_RAM },
		{ "MSC", LEVEL_MSC },
		{ "Uncach", LEVEL_UNCACHED },
		{ "CXL", LEVEL_CXL },
		{ "IO", LEVEL_IO },
		{ "PMEM", PERF_MEM_LVLNUM_PMEM },
		{ "Other", 0 },
	},
	[DATA_SRC_SNOOP] = {
		{ "Hit", PERF_MEM_SNOOP_HIT },
		{ "HitM", PERF_MEM_SNOOP_HITM },
		{ "Miss", PERF_MEM_SNOOP_MISS },
		{ "Other", 0 },
	},
	[DATA_SRC_DTLB] = {
		{ "L1-Hit", PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 },
		{ "L2-Hit", PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2 },
		{ "L?-Hit", PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2 },
		{ "Miss", PERF_MEM_TLB_MISS },
		{ "Other", 0 },
	},
};

/* Of bits beside others, the one that decides. */
static uint64_t value_of(enum data_src_kind kind, union perf_mem_data_src fields)
{
	switch (kind) {
	case DATA_SRC_OP:
		if (fields.mem_op & PERF_MEM_OP_PFETCH)
			return PERF_MEM_OP_PFETCH;
		return fields.mem_op & PERF_MEM_OP_EXEC ? PERF_MEM_OP_EXEC : fields.mem_op;
	case DATA_SRC_CACHE:
	case DATA_SRC_MEMORY:
		return fields.mem_lvl_num;
	case DATA_SRC_SNOOP:
		return fields.mem_snoop;
	default:
		return fields.mem_dtlb & PERF_MEM_TLB_MISS ? PERF_MEM_TLB_MISS : fields.mem_dtlb;
	}
}

size_t data_src_class(enum data_src_kind kind, uint64_t data_src)
{
	uint64_t value = value_of(kind, fields_of(data_src));
	size_t i = 0;

	while (classes[kind][i + 1].name && (value == 0 || classes[kind][i].value != value))
		i++;
	return i;
}

const char *data_src_class_name(enum data_src_kind kind, size_t i)
{
	return classes[kind][i].name;
}
