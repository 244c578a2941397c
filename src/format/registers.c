/* registers.c - see registers.h. */
#include "format/registers.h"

#include <string.h>

/* Every second bit from 32 on: an XMM register takes two values. */
static const char *const x86_names[REGISTERS_MAX] = {
	"AX",           "BX",           "CX",           "DX",           "SI",
	"DI",           "BP",           "SP",           "IP",           "FLAGS",
	"CS",           "SS",           "DS",           "ES",           "FS",
	"GS",           "R8",           "R9",           "R10",          "R11",
	"R12",          "R13",          "R14",          "R15",          [32] = "XMM0",
	[34] = "XMM1",  [36] = "XMM2",  [38] = "XMM3",  [40] = "XMM4",  [42] = "XMM5",
	[44] = "XMM6",  [46] = "XMM7",  [48] = "XMM8",  [50] = "XMM9",  [52] = "XMM10",
	[54] = "XMM11", [56] = "XMM12", [58] = "XMM13", [60] = "XMM14", [62] = "XMM15",
};

static const char *const arm64_names[REGISTERS_MAX] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",        "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",       "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",  [46] = "vg",
};

static const char *const riscv_names[REGISTERS_MAX] = {
	"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static const char *const *names_of(const char *arch)
{
	if (strcmp(arch, "x86_64") == 0 ||
	    (arch[0] == 'i' && strcmp(arch + 1, "") != 0 && strcmp(arch + 2, "86") == 0))
		return x86_names;
	if (strcmp(arch, "aarch64") == 0 || strcmp(arch, "arm64") == 0)
		return arm64_names;
	if (strncmp(arch, "riscv", 5) == 0)
		return riscv_names;
	return NULL;
}

const char *registers_name(const char *arch, unsigned bit)
{
	const char *const *names = names_of(arch);

	return names && bit < REGISTERS_MAX ? names[bit] : NULL;
}
