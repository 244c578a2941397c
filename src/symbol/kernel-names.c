/* kernel-names.c - see kernel-names.h. */
#include "symbol/kernel-names.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/dso.h"
#include "object/debugfile.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "symbol/buildid-cache.h"
#include "symbol/kallsyms.h"
#include "symbol/names.h"
#include "symbol/resolve.h"
#include "symbol/symfs.h"

/* What one looks with and at. */
struct search {
	const struct resolver_options *options;
	const char *folder;
	const struct dso *kernel; /* may be NULL */
	struct kernel_names *found;
};

void kernel_names_done(struct kernel_names *found)
{
	kallsyms_free(found->kallsyms);
	symtab_free(found->vmlinux);
	*found = (struct kernel_names){ 0 };
}

/* Where the reference symbol is in the recording, less where it is in the symbols. */
static uint64_t moved_by(const struct dso *kernel, bool known, uint64_t addr)
{
	return kernel && known && kernel->reference_addr ? kernel->reference_addr - addr : 0;
}

static const char *reference(const struct dso *kernel)
{
	return kernel && kernel->reference_symbol ? kernel->reference_symbol : "_text";
}

static bool read_kallsyms(const struct search *search, const char *path)
{
	struct kernel_names *found = search->found;
	struct kallsyms *kallsyms = NULL;
	uint64_t addr = 0;
	int r = kallsyms_load(path, &kallsyms, NULL);

	if (r < 0) {
		found->reason = r == -EPERM || r == -EACCES ? REASON_KERNEL_HIDDEN
							    : REASON_NO_KERNEL_SYMBOLS;
		return false;
	}
	bool known = kallsyms_address(kallsyms, reference(search->kernel), &addr);

	found->kallsyms = kallsyms;
	found->moved_by = moved_by(search->kernel, known, addr);
	return true;
}

static bool is_build_id(const struct dso *kernel, const uint8_t *id, size_t size)
{
	return kernel && size > 0 && kernel->build_id_size == size &&
	       memcmp(kernel->build_id, id, size) == 0;
}

/* @checked: only if it has the kernel's build-id. */
static bool read_vmlinux(const struct search *search, const char *path, bool checked)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	const uint8_t *id = NULL;
	const struct symbol *symbol;

	if (elf_file_open(path, &file, NULL) < 0) {
		search->found->reason = REASON_NO_KERNEL_SYMBOLS;
		return false;
	}
	size_t size = elf_file_build_id(file, &id);

	if (checked && !is_build_id(search->kernel, id, size))
		return false;
	struct symtab *table = elf_symbols_load(file, NULL, NULL);

	if (symtab_count(table) == 0) {
		symtab_free(table);
		return false;
	}
	symbol = symtab_find_name(table, reference(search->kernel));
	search->found->vmlinux = table;
	search->found->moved_by = moved_by(search->kernel, symbol, symbol ? symbol->start : 0);
	return true;
}

/* True if the recording tells a build-id, and it is or is not the running kernel's. */
static bool has_build_id(const struct dso *kernel)
{
	return kernel && kernel->build_id_size > 0;
}

static bool read_running(const struct search *search)
{
	const struct resolver_options *options = search->options;
	struct kernel_names *found = search->found;

	if (has_build_id(search->kernel)) {
		if (!is_build_id(search->kernel, options->running_build_id,
				 options->running_build_id_size)) {
			found->reason = REASON_KERNEL_FOREIGN;
			return false;
		}
		found->same_kernel = true;
	} else if (options->foreign) {
		found->reason = REASON_KERNEL_FOREIGN;
		return false;
	}
	if (!options->running_kallsyms) {
		found->reason = REASON_NO_KERNEL_SYMBOLS;
		return false;
	}
	if (!read_kallsyms(search, options->running_kallsyms))
		return false;
	if (found->same_kernel)
		return true;
	if (search->kernel && search->kernel->reference_addr && found->moved_by == 0) {
		found->same_kernel = true;
		return true;
	}
	kernel_names_done(found);
	found->reason = REASON_KERNEL_UNTOLD;
	return false;
}

static bool read_cached(const struct search *search)
{
	static const char *const files[] = { "kallsyms", "elf" };
	const struct dso *kernel = search->kernel;

	for (size_t i = 0; i < 2; i++) {
		_cleanup_(str_done) struct str path = { 0 };
		int fd = buildid_cache_open(search->folder, kernel->build_id, kernel->build_id_size,
					    files[i], &path);

		if (fd < 0)
			continue;
		(void)close(fd);
		if (i == 0 ? read_kallsyms(search, path.text)
			   : read_vmlinux(search, path.text, true))
			return true;
	}
	return false;
}

static bool read_debug(const struct search *search)
{
	_cleanup_(str_done) struct str path = { 0 }, name = { 0 };

	buildid_cache_name(search->kernel->build_id, search->kernel->build_id_size, &name);
	str_addf(&path, DEBUGFILE_ROOT "/.build-id/%s.debug", str_text(&name));
	return read_vmlinux(search, path.text, true);
}

void kernel_names_find(const struct resolver_options *options, const char *folder,
		       const struct dso *kernel, struct kernel_names *ret_found)
{
	struct search search = { options, folder, kernel, ret_found };
	enum reason reason;

	if (options->kallsyms || options->vmlinux) {
		if (options->kallsyms && read_kallsyms(&search, options->kallsyms))
			return;
		if (options->vmlinux)
			(void)read_vmlinux(&search, options->vmlinux, false);
		return;
	}
	if (read_running(&search) || !has_build_id(kernel))
		return;
	reason = ret_found->reason; /* says more than that other places have nothing either */
	if (!read_cached(&search) && !read_debug(&search))
		ret_found->reason = reason;
}

static void use(const struct kernel_names *found, struct names *names)
{
	names->kind = NAMES_KERNEL;
	names->table = found->kallsyms ? kallsyms_table(found->kallsyms) : found->vmlinux;
	names->reason = names->table ? REASON_NONE : found->reason;
	names->moved_by = found->moved_by;
}

void kernel_names_load(const struct kernel_names *found, struct names *ret_names)
{
	use(found, ret_names);
}

/* Its file; which of its sections lies where is only known of .text, which comes first. */
static bool load_module_file(const struct resolver_options *options, const struct dso *module,
			     struct names *ret_names)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(str_done) struct str path = { 0 };
	const struct elf_file_section *text;
	const uint8_t *id = NULL;

	symfs_add_path(options, module->name, &path);
	if (module->name[0] != '/' || elf_file_open(path.text, &file, NULL) < 0)
		return false;
	size_t size = elf_file_build_id(file, &id);

	text = elf_file_section_find(file, ".text");
	if (!text || elf_file_type(file) != ET_REL || !is_build_id(module, id, size))
		return false;
	names_set_table(ret_names, NAMES_MODULE, elf_symbols_load(file, NULL, NULL));
	ret_names->text_offset = text->offset;
	ret_names->text_size = text->size;
	return true;
}

void kernel_names_load_module(const struct resolver_options *options,
			      const struct kernel_names *found, const struct dso *module,
			      struct names *ret_names)
{
	/* Modules are moved one by one, so those of another boot are elsewhere. */
	if (found->kallsyms && found->moved_by == 0 &&
	    kallsyms_module(found->kallsyms, module->short_name, &ret_names->group)) {
		use(found, ret_names);
		ret_names->only_group = true;
		return;
	}
	if (load_module_file(options, module, ret_names))
		return;
	ret_names->kind = NAMES_KERNEL;
	ret_names->reason = found->reason ? found->reason : REASON_NO_MODULE_SYMBOLS;
}
