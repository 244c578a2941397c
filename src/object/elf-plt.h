/* elf-plt.h - names for the jump stubs to other objects' functions: `malloc@plt`.
 *
 * The linker gives them no symbols. Each stub jumps through a slot of the GOT, and a relocation
 * says which function the dynamic linker puts there; so a stub's name is found from its own
 * instructions, whatever the linker's layout (.plt, .plt.sec, .plt.got, lazy or bound at start,
 * with or without IBT or BTI). Code for x86-64, i386 and AArch64.
 *
 * Names like perf's: the symbol without its version and `@plt`. Where the slot takes what a
 * resolver (IFUNC) chooses, the symbol at the resolver, or `*ABS*+0x401a20@plt` if it has none.
 * What is left of the section .plt, that is the first entry, which calls the dynamic linker, and
 * with IBT the halves that lead there, is `.plt`.
 */
#pragma once

#include <stddef.h>

struct elf_file;
struct symtab_builder;

/* Adds the stubs, after all other symbols: they name the resolvers. Returns how many
 * relocations and stubs were left out as damaged.
 */
size_t elf_plt_add(struct symtab_builder *builder, const struct elf_file *file);
