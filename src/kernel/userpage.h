/*
 * userpage.h - what the mapped page of an event tells the thread that is counted: its count and its
 * times, without a system call.
 *
 * The rules are those of struct perf_event_mmap_page in <linux/perf_event.h>. The kernel changes
 * the page only on the CPU where the thread runs, in between two of its instructions, and counts
 * @lock up when it begins and when it ends; what was read in between is read again. So only that
 * thread may use this, and only of events of its own that have no children (attr.inherit).
 *
 * The functions are inlined where a counter's own instruction can stand in them; @read_pmc and
 * @ticks are pmc_read() and pmc_ticks() but in tests.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	/* Bits of perf_event_mmap_page.capabilities. */
	USERPAGE_CAN_COUNT = 1 << 2,   /* cap_user_rdpmc */
	USERPAGE_CAN_TIME = 1 << 3,    /* cap_user_time */
	USERPAGE_SHORT_TICKS = 1 << 5, /* cap_user_time_short */
	USERPAGE_ATTEMPTS = 8,         /* it comes in between once in ten thousand times */
	USERPAGE_BITS = 64,
};

typedef bool userpage_pmc(uint32_t index, uint64_t *ret_value);
typedef uint64_t userpage_ticks(void);

struct userpage_reading {
	uint64_t count;
	uint64_t enabled_ns, running_ns; /* as of PERF_FORMAT_TOTAL_TIME_* */
};

/*
 * Whether the pages tell what they should. Where programs may read no counters (sysctl
 * kernel.perf_user_access) those of arm64 say that they can, and that the event is on none.
 */
bool userpage_allowed(void);
/* The page of an event, to be read only; -errno, -EPERM if the user may lock no more memory. */
int userpage_map(int fd, const struct perf_event_mmap_page **ret_page);
void userpage_unmap(const struct perf_event_mmap_page *page);

/* The kernel writes in between, but not meanwhile: nothing moves across, and that is all it takes.
 */
static inline uint32_t userpage_lock(const struct perf_event_mmap_page *page)
{
	uint32_t lock;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	lock = *(const volatile uint32_t *)&page->lock;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return lock;
}

/* A counter of so many bits counts up from a negative number. */
static inline uint64_t userpage_extend(uint64_t value, uint64_t bits)
{
	uint64_t unused = -bits % USERPAGE_BITS;

	return (uint64_t)((int64_t)(value << unused) >> unused);
}

/* Within the lock. An event that is on no counter now (index 0) has its whole count in the page. */
static inline __attribute__((always_inline)) bool
userpage_count_now(const struct perf_event_mmap_page *page, userpage_pmc *read_pmc,
		   uint64_t *ret_count)
{
	uint64_t pmc;

	if (!(page->capabilities & USERPAGE_CAN_COUNT) || !read_pmc(page->index, &pmc))
		return false;
	*ret_count = (uint64_t)page->offset + userpage_extend(pmc, page->pmc_width);
	return true;
}

/* Within the lock. How long ago the page was written, in ns. */
static inline __attribute__((always_inline)) bool
userpage_age(const struct perf_event_mmap_page *page, userpage_ticks *ticks, uint64_t *ret_ns)
{
	uint64_t now, part, age;
	unsigned shift = page->time_shift % USERPAGE_BITS;

	if (!(page->capabilities & USERPAGE_CAN_TIME))
		return false;
	now = ticks();
	if (page->capabilities & USERPAGE_SHORT_TICKS)
		now = page->time_cycles + ((now - page->time_cycles) & page->time_mask);
	part = now & (((uint64_t)1 << shift) - 1);
	age = page->time_offset + (now >> shift) * page->time_mult +
	      (part * page->time_mult >> shift);
	/* Clocks of two CPUs may differ by a little. */
	*ret_ns = (int64_t)age < 0 ? 0 : age;
	return true;
}

/* False if the kernel came in between, or the page does not tell: ask once more, or the kernel. */
static inline __attribute__((always_inline)) bool
userpage_try_count(const struct perf_event_mmap_page *page, userpage_pmc *read_pmc,
		   uint64_t *ret_count)
{
	uint32_t lock = userpage_lock(page);

	return userpage_count_now(page, read_pmc, ret_count) && userpage_lock(page) == lock;
}

/* False if the page does not tell: ask the kernel. */
static inline __attribute__((always_inline)) bool
userpage_count(const struct perf_event_mmap_page *page, userpage_pmc *read_pmc, uint64_t *ret_count)
{
	for (unsigned i = 0; i < USERPAGE_ATTEMPTS; i++)
		if (userpage_try_count(page, read_pmc, ret_count))
			return true;
	return false;
}

/* With the times; @is_enabled: the event is started, so that its times go on. */
static inline __attribute__((always_inline)) bool
userpage_read(const struct perf_event_mmap_page *page, userpage_pmc *read_pmc,
	      userpage_ticks *ticks, bool is_enabled, struct userpage_reading *ret_reading)
{
	for (unsigned i = 0; i < USERPAGE_ATTEMPTS; i++) {
		uint32_t lock = userpage_lock(page);
		uint64_t age = 0;
		struct userpage_reading reading = { 0, page->time_enabled, page->time_running };

		if (!userpage_count_now(page, read_pmc, &reading.count))
			return false;
		if (is_enabled && !userpage_age(page, ticks, &age))
			return false;
		reading.enabled_ns += age;
		if (page->index)
			reading.running_ns += age;
		if (userpage_lock(page) == lock) {
			*ret_reading = reading;
			return true;
		}
	}
	return false;
}
