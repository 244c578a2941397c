/* elf-file.h - an ELF file that was mapped by someone: what it is, and where its bytes go.
 *
 * Three kinds of numbers meet here. A sample has an offset in the file (ip - map.start +
 * map.pgoff); symbols, CFI and line tables have virtual addresses as the linker gave them out
 * (vaddr); the program headers lead from one to the other. Both need not be equal: lld puts code at
 * a vaddr that is a page beyond its offset.
 *
 * In a relocatable file (a kernel module) nothing has a vaddr yet; there the vaddr of a byte is its
 * offset in the file.
 *
 * A file is hostile: what does not fit into it is as if it were not there. (It is mapped, so one
 * that is cut short while it is read still ends the process with SIGBUS; linkers and package
 * managers replace files and do not do this.) Names and bytes handed out are borrowed and live as
 * long as the struct. A struct elf_file must not be used by two threads at the same time, since
 * libelf reads lazily.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "object/unpack.h"

struct Elf;
struct elf_file;
struct strobe_err;

struct elf_file_segment {
	uint64_t offset, file_size;
	uint64_t vaddr, mem_size;
	bool executable;
};

struct elf_file_section {
	const char *name;
	uint64_t vaddr, offset, size, flags;
	uint64_t entry_size;
	uint32_t type, link;
	enum unpack_kind packing; /* how the file has its bytes */
};

/* The path is kept for messages. Fails with -ENOEXEC if the file is not ELF. */
int elf_file_open(const char *path, struct elf_file **ret_file, struct strobe_err *err);
/* Takes the descriptor, also on failure; name is what messages call it. */
int elf_file_open_fd(int fd, const char *name, struct elf_file **ret_file, struct strobe_err *err);
/* Copies the bytes (a vdso, a decompressed .gnu_debugdata). */
int elf_file_from_memory(const void *bytes, size_t size, const char *name,
			 struct elf_file **ret_file, struct strobe_err *err);
void elf_file_free(struct elf_file *file);
CLEANUP(elf_file_free, struct elf_file)

const char *elf_file_name(const struct elf_file *file);
/* libelf's own handle, for the modules of this layer; borrowed. */
struct Elf *elf_file_handle(const struct elf_file *file);
/* ET_*, EM_* of <elf.h>. */
uint16_t elf_file_type(const struct elf_file *file);
uint16_t elf_file_machine(const struct elf_file *file);
bool elf_file_is_64bit(const struct elf_file *file);
/* The vaddr at which a program or the dynamic linker begins; 0 of others. */
uint64_t elf_file_entry(const struct elf_file *file);

/* The GNU build-id: its size in bytes, or 0 if there is none. At most 64 bytes are accepted. */
size_t elf_file_build_id(const struct elf_file *file, const uint8_t **ret_bytes);
/* The file name in .gnu_debuglink and the CRC-32 of that file, or NULL. Never has a '/'. */
const char *elf_file_debuglink(const struct elf_file *file, uint32_t *ret_crc);

/* PT_LOAD, in the file's order. */
size_t elf_file_segment_count(const struct elf_file *file);
const struct elf_file_segment *elf_file_segment(const struct elf_file *file, size_t i);

/* The vaddr that the byte at the offset is loaded at; an executable segment that has the offset
 * goes before others. Only bytes that are in the file count, so .bss hides no later segment.
 */
bool elf_file_offset_to_vaddr(const struct elf_file *file, uint64_t offset, uint64_t *ret_vaddr);
bool elf_file_vaddr_to_offset(const struct elf_file *file, uint64_t vaddr, uint64_t *ret_offset);

/* The first program header of a type (PT_*): where it lies in memory, and its size there. */
bool elf_file_header(const struct elf_file *file, uint32_t type, uint64_t *ret_vaddr,
		     uint64_t *ret_size);

/* What is loaded from the vaddr on, up to the end of what the file has of it; NULL if nothing. */
const uint8_t *elf_file_loaded(const struct elf_file *file, uint64_t vaddr, size_t *ret_size);
/* The same, copied: how many bytes. */
size_t elf_file_read(const struct elf_file *file, uint64_t vaddr, void *buffer, size_t size);

/* Sections; number 0 is the empty one. A name that is damaged is "". */
size_t elf_file_section_count(const struct elf_file *file);
const struct elf_file_section *elf_file_section(const struct elf_file *file, size_t i);
/* The first section of that name, or NULL; ".debug_X" is ".zdebug_X", too. */
const struct elf_file_section *elf_file_section_find(const struct elf_file *file, const char *name);
/* The section's bytes, unpacked if the file has them compressed (SHF_COMPRESSED, or .zdebug_*);
 * NULL for SHT_NOBITS, empty or damaged ones.
 */
const void *elf_file_section_bytes(const struct elf_file *file,
				   const struct elf_file_section *section, size_t *ret_size);
/* Unpacks all sections of debug information, for who reads them by the handle: libelf and libdw
 * then have them as if they had never been compressed. What cannot be unpacked is empty.
 */
void elf_file_unpack_debug(const struct elf_file *file);

/* Has a .symtab with symbols, that is, is not stripped. */
bool elf_file_has_symtab(const struct elf_file *file);
