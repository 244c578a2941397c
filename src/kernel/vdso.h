/*
 * vdso.h - the code that the running kernel maps into every process as "[vdso]".
 */
#pragma once

#include <stddef.h>

/*
 * Its image, an ELF file in memory, borrowed for the life of this process; NULL where the kernel
 * gives none.
 */
const void *vdso_image(size_t *ret_size);
