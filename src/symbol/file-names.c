/* file-names.c - see file-names.h. */
#include "symbol/file-names.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "model/dso.h"
#include "object/perfmap.h"
#include "symbol/binary.h"
#include "symbol/jit-file.h"
#include "symbol/names.h"
#include "symbol/resolve.h"

void file_names_load(struct binary *binary, const struct binary_source *source,
		     struct names *ret_names)
{
	const struct elf_file *file = binary_file(binary, source), *symbols;

	if (!file) {
		ret_names->reason = binary->reason;
		return;
	}
	symbols = binary_find(binary, source, BINARY_SYMBOLS);
	names_set_file(ret_names, file, symbols == file ? NULL : symbols);
}

void file_names_load_jit(const struct resolver_options *options, const struct dso *dso,
			 struct names *ret_names, struct jit_file_stamp *ret_stamp)
{
	_cleanup_(closep) int fd = -1;
	struct symtab *table = NULL;
	struct stat status;

	*ret_stamp = (struct jit_file_stamp){ 0 };
	ret_names->kind = NAMES_IDENTITY;
	if (dso->jit_pid == 0) /* data */
		return;
	ret_names->reason = REASON_NO_MAP;
	ret_names->gap_reason = REASON_NOT_IN_MAP;
	fd = jit_file_open(options, JIT_FILE_MAP, dso->jit_pid, dso->name, &status,
			   &ret_names->reason);
	if (fd < 0)
		return;
	*ret_stamp = jit_file_stamp(&status);
	if (perfmap_load(fd, dso->name, &table, NULL, NULL) == 0)
		names_set_table(ret_names, NAMES_IDENTITY, table);
}
