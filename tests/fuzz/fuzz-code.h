/* fuzz-code.h - addresses of an ELF file's code, for targets that ask about code. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "object/elf-file.h"

enum { FUZZ_CODE_SEGMENTS = 4, FUZZ_CODE_ASKED = 64 /* addresses of each */ };

/* The sum of what @ask returns for addresses all over the first executable segments, and for two
 * where nothing is. */
static inline size_t fuzz_code(const struct elf_file *file,
			       size_t (*ask)(void *context, uint64_t vaddr), void *context)
{
	size_t sum = ask(context, 0) + ask(context, UINT64_MAX), count = 0;

	for (size_t i = 0; i < elf_file_segment_count(file) && count < FUZZ_CODE_SEGMENTS; i++) {
		const struct elf_file_segment *segment = elf_file_segment(file, i);
		uint64_t step = segment->file_size / FUZZ_CODE_ASKED + 1;

		if (!segment->executable)
			continue;
		count++;
		for (uint64_t k = 0; k < FUZZ_CODE_ASKED && k * step < segment->file_size; k++)
			sum += ask(context, segment->vaddr + k * step);
	}
	return sum;
}
