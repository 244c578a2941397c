/*
 * pmc.h - what a program reads of its CPU itself: a counter, the clock, which thread this is.
 *
 * Each machine has a file: pmc-x86.h, pmc-arm64.h, pmc-riscv64.h; pmc-none.h is for those where the
 * kernel lets nobody read counters. All of them have
 *
 *   bool pmc_read(uint32_t index, uint64_t *ret_value)   a counter, by perf_event_mmap_page.index;
 *                                 0 for index 0, which is none; false: there is no such one
 *   uint64_t pmc_ticks(void)      the clock that the times of that page are told by
 *   void pmc_settle(void)         what the program did before is counted, where a CPU runs ahead
 *   uintptr_t pmc_thread(void)    the calling thread's; no two that live have the same
 *   PMC_ASK_CONFIG1               bits of attr.config1 that ask the PMU for counters that can be
 * read
 *
 * A counter may be read only while the page says which one it is: else the CPU refuses, and the
 * program is killed. userpage.h has the rules.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include "kernel/pmc-x86.h" /* IWYU pragma: export */
#elif defined(__aarch64__)
#include "kernel/pmc-arm64.h" /* IWYU pragma: export */
#elif defined(__riscv) && __riscv_xlen == 64
#include "kernel/pmc-riscv64.h" /* IWYU pragma: export */
#else
#include "kernel/pmc-none.h" /* IWYU pragma: export */
#endif
