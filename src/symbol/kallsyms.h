/*
 * kallsyms.h - the kernel's own symbols, as /proc/kallsyms lists them:
 *
 *   ffffffff81000000 T _text
 *   ffffffffa0000000 t ext4_init_fs	[ext4]
 *
 * Taken are the types that perf takes: text, weak, data and bss. Sizes are not told: a symbol ends
 * where the next one begins, the last of the kernel and of each module a page after its own. Of
 * several at one address the one that is listed last has the name, as in perf. A table never
 * changes once loaded, so threads may share it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct kallsyms;
struct strobe_err;
struct symtab;

/*
 * -EPERM if all addresses are 0: the kernel hides them. -ENODATA if there is no symbol. -EINVAL of
 * what is no regular file: a device may have no end.
 */
int kallsyms_load(const char *path, struct kallsyms **ret_kallsyms, struct strobe_err *err);
void kallsyms_free(struct kallsyms *kallsyms);
CLEANUP(kallsyms_free, struct kallsyms)

/* Borrowed. The kernel itself is group 0, each module another. */
const struct symtab *kallsyms_table(const struct kallsyms *kallsyms);
/* The group of a module, "[ext4]". */
bool kallsyms_module(const struct kallsyms *kallsyms, const char *name, uint16_t *ret_group);
/* The first address of a symbol of the kernel itself. */
bool kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *ret_addr);
