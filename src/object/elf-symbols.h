/* elf-symbols.h - what an ELF file, and its separate debug file, call their addresses.
 *
 * Sources, all added to one builder, so that symtab.h's rules choose among them:
 *
 * - .symtab of the file or, if it was stripped, of the debug file;
 * - .symtab in .gnu_debugdata (MiniDebugInfo), if neither has one;
 * - .dynsym;
 * - the entries of the PLT, see elf-plt.h.
 *
 * Addresses are vaddrs of the file (see elf-file.h), also where a prelinked file was moved away
 * from its debug file.
 *
 * Taken are functions, variables, and labels without a type in code, as assembly has them. Not
 * taken, like in perf: what is undefined or absolute, thread-local variables, hidden labels, the
 * mapping symbols of ARM and RISC-V ($x, $d.3), compilers' labels (.L5). Nor what is in sections
 * that are not loaded, which perf puts at address 0.
 *
 * A symbol without a size ends with its section. If the file is stripped, the next symbol in
 * .dynsym may be megabytes further, so there it gets at most 4096 bytes.
 */
#pragma once

#include <stddef.h>

struct elf_file;
struct symtab;

/*
 * A table of all of the above; debug may be NULL, and must have been checked to belong to the file
 * (see debugfile.h). *ret_damaged, which may be NULL: how many damaged symbols were left out. The
 * table borrows nothing.
 */
struct symtab *elf_symbols_load(const struct elf_file *file, const struct elf_file *debug,
				size_t *ret_damaged);
