/*
 * attr.h - struct attr: what perf_event_open(2) is told about an event, and what a file says of
 * one.
 *
 * It is the kernel's struct perf_event_attr with every field up to PERF_ATTR_SIZE_VER9, whatever
 * headers this was built with, in host byte order. The enums (PERF_TYPE_*, PERF_SAMPLE_*, ...) are
 * those of <linux/perf_event.h> of Linux 6.1, the oldest that this is built with; of what is
 * younger, fields and flags stand here, records and what is in them in record.h.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attr {
	uint32_t type;
	uint32_t size; /* bytes that the kernel or the file gave or gets: see ATTR_SIZE_* */
	uint64_t config;
	union {
		uint64_t sample_period;
		uint64_t sample_freq; /* Hz, where freq is set */
	};
	uint64_t sample_type; /* PERF_SAMPLE_* */
	uint64_t read_format; /* PERF_FORMAT_* */
	uint64_t disabled : 1, inherit : 1, pinned : 1, exclusive : 1, exclude_user : 1,
		exclude_kernel : 1, exclude_hv : 1, exclude_idle : 1, mmap : 1, comm : 1, freq : 1,
		inherit_stat : 1, enable_on_exec : 1, task : 1, watermark : 1, precise_ip : 2,
		mmap_data : 1, sample_id_all : 1, exclude_host : 1, exclude_guest : 1,
		exclude_callchain_kernel : 1, exclude_callchain_user : 1, mmap2 : 1, comm_exec : 1,
		use_clockid : 1, context_switch : 1, write_backward : 1, namespaces : 1,
		ksymbol : 1, bpf_event : 1, aux_output : 1, cgroup : 1, text_poke : 1, build_id : 1,
		inherit_thread : 1, remove_on_exec : 1, sigtrap : 1, defer_callchain : 1,
		defer_output : 1, reserved : 24;
	union {
		uint32_t wakeup_events;
		uint32_t wakeup_watermark; /* bytes, where watermark is set */
	};
	uint32_t bp_type;
	union {
		uint64_t bp_addr;
		uint64_t config1;
	};
	union {
		uint64_t bp_len;
		uint64_t config2;
	};
	uint64_t branch_sample_type; /* PERF_SAMPLE_BRANCH_* */
	uint64_t sample_regs_user;
	uint32_t sample_stack_user; /* bytes */
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size;
	uint32_t aux_action;
	uint64_t sig_data;
	uint64_t config3;
	uint64_t config4;
};

enum {
	ATTR_SIZE_MIN = 64,   /* PERF_ATTR_SIZE_VER0, Linux 2.6.32 */
	ATTR_SIZE_FULL = 144, /* PERF_ATTR_SIZE_VER9: with config4 */
};
_Static_assert(sizeof(struct attr) == ATTR_SIZE_FULL, "struct attr is the kernel's");

/* PERF_SAMPLE_BRANCH_COUNTERS, of branch_sample_type: Linux 6.8. */
enum { ATTR_BRANCH_COUNTERS = 1 << 19 };

/*
 * The smallest published size (64, 72, 80, 96, 104, 112, 120, 128, 136, 144) that holds every
 * field that is not 0. Older kernels and readers refuse an attr that is larger than theirs.
 */
uint32_t attr_smallest_size(const struct attr *attr);

/*
 * Reads an attr of @size bytes in foreign (@swap) or host byte order. Smaller ones are filled up
 * with zeros; of larger ones what is unknown is dropped. -EINVAL if @size is below
 * ATTR_SIZE_MIN. ret_attr->size is the attr's own size field.
 */
int attr_decode(const void *bytes, size_t size, bool swap, struct attr *ret_attr);
