/*
 * kerneltext.h - where the running kernel's code lies: its own text, its modules, its build-id.
 *
 * @root as in proc.h. Where kernel.kptr_restrict hides addresses they read as 0: that is -EACCES.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { KERNELTEXT_BUILD_ID = 20 };

struct kerneltext {
	const char *symbol;   /* "_text" or "_stext": what start is the address of */
	uint64_t start, end;  /* end is that of _etext, or the highest there is */
	size_t build_id_size; /* 0: unknown */
	uint8_t build_id[KERNELTEXT_BUILD_ID];
};

/* The build-id alone, without a look at the symbols: its bytes, 0 if unknown. */
size_t kerneltext_build_id(const char *root, uint8_t ret_id[KERNELTEXT_BUILD_ID]);

/* The path of the list of the running kernel's symbols. */
const char *kerneltext_kallsyms(void);

int kerneltext_load(const char *root, struct kerneltext *ret_text);
/* What helps where that is -EACCES: depends on what hides the addresses. */
const char *kerneltext_advice(const char *root);

struct kerneltext_module {
	char *name;
	uint64_t start, size;
	size_t build_id_size;
	uint8_t build_id[KERNELTEXT_BUILD_ID];
	char *path; /* of the file, below /lib/modules/RELEASE; NULL if not found */
};

struct kerneltext_modules {
	struct kerneltext_module *items;
	size_t count, capacity;
};

/* A kernel without modules has none, and that is 0. */
int kerneltext_modules_load(const char *root, struct kerneltext_modules *modules);
void kerneltext_modules_done(struct kerneltext_modules *modules);
