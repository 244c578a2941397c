/* resolver-code.c - what else a dso's file tells: source lines, instructions, how to unwind. */
#include "base/mem.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/insn.h"
#include "object/lines.h"
#include "symbol/file-names.h"
#include "symbol/resolver-state.h"

/* Under the object's lock. */
static struct debuginfo *debuginfo_of(struct resolver *resolver, struct object *object,
				      const struct dso *dso)
{
	if (!object->debuginfo_searched && object->names.kind == NAMES_FILE)
		object->debuginfo = file_names_load_debuginfo(&resolver->options,
							      str_text(&resolver->folder), dso);
	object->debuginfo_searched = true;
	return object->debuginfo;
}

bool resolver_line(struct resolver *resolver, const struct place *place,
		   struct source_line *ret_line)
{
	struct object *object;
	struct debuginfo *debuginfo;
	bool found;

	if (!place->map)
		return false;
	object = resolver_load(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	debuginfo = debuginfo_of(resolver, object, place->map->dso);
	found = debuginfo && lines_find(debuginfo, place->object_addr, ret_line);
	pthread_mutex_unlock(&object->lock);
	return found;
}

static struct elf_file *open_code(struct resolver *resolver, const struct dso *dso)
{
	const struct resolver_options *options = &resolver->options;
	const char *folder = str_text(&resolver->folder);
	struct elf_file *file = NULL;

	switch (dso->kind) {
	case DSO_USER:
	case DSO_UNKNOWN:
		return file_names_open(options, folder, dso);
	case DSO_VDSO:
		return file_names_open_vdso(options, folder, dso, resolver_has_our_vdso(resolver));
	case DSO_KERNEL:
		if (options->vmlinux && !dso->guest)
			(void)elf_file_open(options->vmlinux, &file, NULL);
		return file;
	default:
		return NULL;
	}
}

size_t resolver_code(struct resolver *resolver, const struct place *place, void *buffer,
		     size_t size, struct code_kind *ret_kind)
{
	struct object *object;
	size_t read = 0;

	if (!place->map)
		return 0;
	object = resolver_load(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	if (!object->code_searched)
		object->code = open_code(resolver, place->map->dso);
	object->code_searched = true;
	if (object->code) {
		read = elf_file_read(object->code, place->object_addr - object->names.moved_by,
				     buffer, size);
		ret_kind->machine = elf_file_machine(object->code);
		ret_kind->is_64bit = elf_file_is_64bit(object->code);
	}
	pthread_mutex_unlock(&object->lock);
	return read;
}

static struct cfi *load_cfi(struct resolver *resolver, const struct dso *dso)
{
	struct elf_file *file;

	if (dso->kind == DSO_USER || dso->kind == DSO_UNKNOWN)
		return file_names_load_cfi(&resolver->options, str_text(&resolver->folder), dso);
	file = dso->kind == DSO_VDSO ? open_code(resolver, dso) : NULL;
	return file ? cfi_new(file, NULL) : NULL;
}

static const struct cfi *cfi_of(struct resolver *resolver, const struct dso *dso)
{
	struct object *object = resolver_object(resolver, dso);

	if (atomic_load_explicit(&object->cfi_searched, memory_order_acquire))
		return object->cfi;
	pthread_mutex_lock(&object->lock);
	if (!object->cfi_searched) {
		object->cfi = load_cfi(resolver, dso);
		atomic_store_explicit(&object->cfi_searched, true, memory_order_release);
	}
	pthread_mutex_unlock(&object->lock);
	return object->cfi;
}

const struct cfi *resolver_cfi(struct resolver *resolver, const struct map *map, uint64_t addr,
			       uint64_t *ret_vaddr)
{
	const struct cfi *cfi = cfi_of(resolver, map->dso);

	if (!cfi ||
	    !elf_file_offset_to_vaddr(cfi_file(cfi), addr - map->start + map->pgoff, ret_vaddr))
		return NULL;
	return cfi;
}
