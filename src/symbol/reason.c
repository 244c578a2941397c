/* reason.c - see reason.h. */
#include "symbol/reason.h"

#include <stddef.h>

struct reason_texts {
	const char *word, *mark, *text;
};

#define UNMARKED(word) word, ""
#define MARKED(word) word, "[" word "]"

static const struct reason_texts texts[] = {
	[REASON_NONE] = { NULL, "", NULL },
	[REASON_NO_FILE] = { UNMARKED("no file"), "no such file" },
	[REASON_NO_PERMISSION] = { MARKED("no permission"), "no permission to read the file" },
	[REASON_NOT_A_FILE] = { UNMARKED("not a file"), "not a file" },
	[REASON_NOT_ELF] = { MARKED("not an ELF file"), "not an ELF file" },
	[REASON_UNREADABLE] = { MARKED("unreadable file"), "the file cannot be read" },
	[REASON_OTHER_BUILD] = { MARKED("build-id mismatch"), "build-id mismatch" },
	[REASON_DELETED] = { MARKED("deleted"), "deleted, and no build-id to know it by" },
	[REASON_REPLACED] = { MARKED("replaced"), "replaced, and no build-id to know it by" },
	[REASON_STRIPPED] = { MARKED("no symbols"), "stripped" },
	[REASON_PARTLY_STRIPPED] = { UNMARKED("no symbols"), "stripped" },
	[REASON_NO_VDSO] = { UNMARKED("no vdso"), "no image of the vdso of that kernel" },

	[REASON_NO_MAP] = { MARKED("jit"), "no perf map of its JIT compiler" },
	[REASON_NO_MAP_BELOW] = { UNMARKED("jit"), "no perf map of its JIT compiler" },
	[REASON_MAP_NOT_OURS] = { MARKED("jit"),
				  "its perf map is neither ours nor root's (use -f)" },
	[REASON_MAP_UNREADABLE] = { MARKED("jit"), "no permission to read its perf map" },
	[REASON_NOT_IN_MAP] = { MARKED("jit"), "its perf map does not tell of it" },
	[REASON_NO_DUMP] = { MARKED("jit"), "its JIT dump is not there" },
	[REASON_DUMP_NOT_OURS] = { MARKED("jit"),
				   "its JIT dump is neither ours nor root's (use -f)" },
	[REASON_DUMP_UNREADABLE] = { MARKED("jit"), "no permission to read its JIT dump" },
	[REASON_DUMP_DAMAGED] = { MARKED("jit"), "its JIT dump cannot be read" },
	[REASON_DUMP_REPLACED] = { MARKED("jit"), "its JIT dump was replaced" },
	[REASON_DUMP_OF_OTHER] = { MARKED("jit"), "its JIT dump is of another process" },
	[REASON_NOT_IN_DUMP] = { MARKED("jit"), "its JIT dump does not tell of it" },

	[REASON_KERNEL_HIDDEN] = { MARKED("hidden by kptr_restrict"),
				   "the kernel hides its addresses" },
	[REASON_KERNEL_FOREIGN] = { MARKED("foreign kernel"), "recorded under another kernel" },
	[REASON_KERNEL_UNTOLD] = { MARKED("unknown kernel"),
				   "it is not told which kernel it was recorded under" },
	[REASON_NO_KERNEL_SYMBOLS] = { UNMARKED("no kernel symbols"), "no symbols of the kernel" },
	[REASON_NO_MODULE_SYMBOLS] = { MARKED("no symbols"), "no symbols of the module" },
	[REASON_GUEST] = { UNMARKED("guest kernel"), "of a guest's kernel" },
};

const char *reason_text(enum reason reason)
{
	return texts[reason].text;
}

const char *reason_word(enum reason reason)
{
	return texts[reason].word;
}

const char *reason_mark(enum reason reason)
{
	return texts[reason].mark;
}
