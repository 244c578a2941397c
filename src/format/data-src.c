/* data-src.c - see data-src.h. */
#include "format/data-src.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

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
