/*
 * registers.h - the names of the registers that samples carry, by the recorder's architecture.
 *
 * Bit N of attr.sample_regs_user and sample_regs_intr is register N of
 * arch/ARCH/include/uapi/asm/perf_regs.h. Names are perf's ("AX", "x0", "lr").
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* One past the last bit that any architecture uses. */
enum { REGISTERS_MAX = 64 };

/*
 * @arch as uname -m and the ARCH feature say it ("x86_64", "i686", "aarch64", "riscv64", ...).
 * NULL if the architecture or the register is unknown. Static.
 */
const char *registers_name(const char *arch, unsigned bit);
