/* cfi-program.h - runs the instructions of an FDE up to an address: what holds there is the row. */
#pragma once

#include <stdint.h>

struct cfi_fde;
struct cfi_row;

/* @machine: EM_*. 0 or -EBADMSG. Expressions are borrowed from the FDE's section. */
int cfi_program_run(const struct cfi_fde *fde, uint16_t machine, uint64_t vaddr,
		    struct cfi_row *ret_row);
