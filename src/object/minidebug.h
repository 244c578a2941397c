/* minidebug.h - MiniDebugInfo: the small symbol table, compressed with xz, that some distributions
 * leave in stripped files as section .gnu_debugdata. It holds an ELF file with the symbols that
 * .dynsym lacks, at the same vaddrs.
 */
#pragma once

struct elf_file;
struct strobe_err;

/* 1 and the file inside, 0 if there is none, -EBADMSG if it is damaged, -EFBIG if it unpacks to
 * more than is plausible.
 */
int minidebug_load(const struct elf_file *file, struct elf_file **ret_mini, struct strobe_err *err);
