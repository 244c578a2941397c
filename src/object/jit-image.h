/*
 * jit-image.h - an ELF file of one function that was made at run time, so that what knows no JIT
 * dumps finds its name, lines and call frame information as it finds others.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jitdump_line;

enum { JIT_IMAGE_BUILD_ID = 20 };

struct jit_image {
	uint32_t machine; /* EM_* */
	bool foreign;     /* the machine's byte order is not ours */
	const char *name;
	uint64_t addr; /* where it was, to which lines refer */
	const void *code;
	size_t code_size;
	const struct jitdump_line *lines;
	size_t line_count;
	/* .eh_frame, and .eh_frame_hdr behind it; they follow the code at a multiple of 8, as in
	 * memory. NULL: none. */
	const uint8_t *unwind;
	size_t unwind_size, unwind_header_size;
};

/*
 * Writes it to an empty file. *ret_offset: where the code is in it, and its address; the build-id
 * is made of what the image holds. 0 or a negative errno.
 */
int jit_image_write(const struct jit_image *image, int fd, uint64_t *ret_offset,
		    uint8_t ret_build_id[JIT_IMAGE_BUILD_ID]);
