/* minidebug.c - see minidebug.h. */
#include "object/minidebug.h"

#include <errno.h>

#include "base/err.h"
#include "base/mem.h"
#include "object/elf-file.h"
#include "object/unpack.h"

int minidebug_load(const struct elf_file *file, struct elf_file **ret_mini, struct strobe_err *err)
{
	const struct elf_file_section *section = elf_file_section_find(file, ".gnu_debugdata");
	_cleanup_(freep) void *unpacked = NULL;
	const void *packed;
	size_t size = 0, unpacked_size;
	int r;

	packed = section ? elf_file_section_bytes(file, section, &size) : NULL;
	if (!packed)
		return 0;
	r = unpack(UNPACK_XZ, packed, size, 0, &unpacked, &unpacked_size);
	if (r < 0)
		return err_set(err, r, "the symbols in .gnu_debugdata of '%s' are damaged",
			       elf_file_name(file));
	r = elf_file_from_memory(unpacked, unpacked_size, elf_file_name(file), ret_mini, err);
	return r < 0 ? -EBADMSG : 1;
}
