/* resolver-code.c - what else a dso's file tells: instructions, how to unwind. */
#include "base/mem.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/elf-file.h"
#include "object/insn.h"
#include "symbol/carried.h"
#include "symbol/findings.h"
#include "symbol/jit-dumps.h"
#include "symbol/resolver-state.h"

bool resolver_findings(struct resolver *resolver, const struct dso *dso,
		       struct findings *ret_findings)
{
	struct binary_source source;

	if (!binary_is_of(dso))
		return false;
	source = resolver_source(resolver, dso);
	findings_find(ret_findings, &source);
	return true;
}

size_t resolver_kept_count(const struct resolver *resolver, const struct dso *dso)
{
	return resolver->options.carried ? carried_count(resolver->options.carried, dso) : 0;
}

static const struct elf_file *kernel_code(struct resolver *resolver, struct object *object,
					  const struct dso *dso)
{
	const char *path = resolver->options.vmlinux;

	if (!object->vmlinux_searched && path && !dso->guest)
		(void)elf_file_open(path, &object->vmlinux, NULL);
	object->vmlinux_searched = true;
	return object->vmlinux;
}

/* The file that has a dso's code. Under the object's lock. */
const struct elf_file *resolver_code_file(struct resolver *resolver, struct object *object,
					  const struct dso *dso)
{
	struct binary_source source;

	if (dso->kind == DSO_KERNEL)
		return kernel_code(resolver, object, dso);
	if (!binary_is_of(dso))
		return NULL;
	source = resolver_source(resolver, dso);
	return binary_file(&object->binary, &source);
}

size_t resolver_code(struct resolver *resolver, const struct place *place, void *buffer,
		     size_t size, struct code_kind *ret_kind)
{
	const struct elf_file *code;
	struct object *object;
	size_t read = 0;

	if (!place->map)
		return 0;
	if (place->map->dso->kind == DSO_JITDUMP)
		return resolver->options.dumps
			       ? jit_dumps_code(resolver->options.dumps, place->map->dso,
						place->object_addr, buffer, size, ret_kind)
			       : 0;
	object = resolver_load(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	code = resolver_code_file(resolver, object, place->map->dso);
	if (code) {
		read = elf_file_read(code, place->object_addr - object->names.moved_by, buffer,
				     size);
		ret_kind->machine = elf_file_machine(code);
		ret_kind->is_64bit = elf_file_is_64bit(code);
	}
	pthread_mutex_unlock(&object->lock);
	return read;
}

static struct cfi *load_cfi(struct resolver *resolver, struct object *object, const struct dso *dso)
{
	struct binary_source source;
	struct elf_file *file, *frames;

	if (!binary_is_of(dso))
		return NULL;
	source = resolver_source(resolver, dso);
	file = binary_file(&object->binary, &source);
	frames = binary_find(&object->binary, &source, BINARY_FRAMES);
	return file ? cfi_new(file, frames == file ? NULL : frames) : NULL;
}

const struct cfi *resolver_object_cfi(struct resolver *resolver, const struct dso *dso)
{
	struct object *object = resolver_object(resolver, dso);

	if (atomic_load_explicit(&object->cfi_searched, memory_order_acquire))
		return object->cfi;
	pthread_mutex_lock(&object->lock);
	if (!object->cfi_searched) {
		object->cfi = load_cfi(resolver, object, dso);
		atomic_store_explicit(&object->cfi_searched, true, memory_order_release);
	}
	pthread_mutex_unlock(&object->lock);
	return object->cfi;
}

const struct cfi *resolver_cfi(struct resolver *resolver, const struct map *map, uint64_t addr,
			       uint64_t *ret_vaddr)
{
	const struct cfi *cfi;

	if (map->dso->kind == DSO_JITDUMP)
		return resolver->options.dumps
			       ? jit_dumps_cfi(resolver->options.dumps, map->dso,
					       addr - map->start + map->pgoff, ret_vaddr)
			       : NULL;
	cfi = resolver_object_cfi(resolver, map->dso);
	if (!cfi ||
	    !elf_file_offset_to_vaddr(cfi_file(cfi), addr - map->start + map->pgoff, ret_vaddr))
		return NULL;
	return cfi;
}
