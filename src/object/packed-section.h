/*
 * packed-section.h - sections whose bytes are compressed in the file: by SHF_COMPRESSED and a
 * header (zlib, zstd), or, as compilers did before that, by a name (".zdebug_info") and other
 * header (zlib).
 *
 * libelf unpacks such sections, too, but not those of zstd before elfutils 0.189, and it takes any
 * size that a file names for true.
 */
#pragma once

#include "object/unpack.h"

struct Elf;

/* How the section of this number is packed. @name: its own. */
enum unpack_kind packed_section_kind(struct Elf *elf, size_t index, const char *name);

/*
 * Unpacks a section that is packed: from now on libelf's handle has its bytes, and not the flag.
 * They are returned to be freed when the handle is gone. NULL if they are damaged: then the section
 * is empty. The mapped image of the file (elf_rawfile) may change with that.
 */
void *packed_section_unpack(struct Elf *elf, size_t index, const char *name);
