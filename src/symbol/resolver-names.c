/* resolver-names.c - where the names of a dso come from, by its kind. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/timeline.h"
#include "symbol/carried.h"
#include "symbol/file-names.h"
#include "symbol/jit-dumps.h"
#include "symbol/resolver-state.h"

enum { CACHE_MAX = 1 << 14 };

static const struct kernel_names *kernel_of(struct resolver *resolver)
{
	pthread_mutex_lock(&resolver->lock);
	if (!resolver->kernel_searched)
		kernel_names_find(&resolver->options, str_text(&resolver->folder),
				  timeline_kernel_dso(resolver->timeline), &resolver->kernel);
	resolver->kernel_searched = true;
	pthread_mutex_unlock(&resolver->lock);
	return &resolver->kernel;
}

/*
 * Whether the running kernel's vdso is that of the recording. Recordings of user space alone may
 * tell nothing of the kernel that mapped it there: then what was written since the boot is its.
 */
static bool has_our_vdso(struct resolver *resolver)
{
	return kernel_of(resolver)->same_kernel ||
	       (resolver->options.same_boot && !timeline_kernel_dso(resolver->timeline));
}

struct binary_source resolver_source(struct resolver *resolver, const struct dso *dso)
{
	return (struct binary_source){
		.options = &resolver->options,
		.cache = str_text(&resolver->folder),
		.dso = dso,
		.same_kernel = dso->kind == DSO_VDSO && has_our_vdso(resolver),
	};
}

/* Of memory that the process made code in, and what its compiler writes does not tell all. */
static void load_jit(const struct resolver *resolver, struct object *object, const struct dso *dso,
		     struct names *names)
{
	const struct resolver_options *options = &resolver->options;
	enum reason reason = REASON_NONE;

	file_names_load_jit(options, dso, names, &object->map_stamp);
	object->map_looked_ns = clock_now_ns();
	if (names->reason && options->dumps)
		reason = jit_dumps_reason(options->dumps, dso->jit_pid);
	if (reason)
		names->reason = reason;
}

static void find_names(struct resolver *resolver, struct object *object, const struct dso *dso,
		       struct names *names)
{
	const struct resolver_options *options = &resolver->options;
	struct binary_source source;

	switch (dso->kind) {
	case DSO_KERNEL:
	case DSO_MODULE:
		names->kind = NAMES_KERNEL;
		if (dso->guest)
			names->reason = REASON_GUEST;
		else if (dso->kind == DSO_KERNEL)
			kernel_names_load(kernel_of(resolver), names);
		else
			kernel_names_load_module(options, kernel_of(resolver), dso, names);
		names->mangled = names->mangled || options->demangle_kernel;
		break;
	case DSO_ANON:
		load_jit(resolver, object, dso, names);
		break;
	case DSO_JITDUMP:
		names->kind = NAMES_CODE;
		names->mangled = true;
		break;
	case DSO_BPF:
	case DSO_OOL:
		names->kind = NAMES_SELF;
		break;
	case DSO_USER:
	case DSO_UNKNOWN:
	case DSO_VDSO:
		source = resolver_source(resolver, dso);
		file_names_load(&object->binary, &source, names);
		break;
	}
}

/* See carried.h for the order. */
static void find_names_or_carried(struct resolver *resolver, struct object *object,
				  const struct dso *dso)
{
	struct names *names = &object->names;
	const struct carried *carried = resolver->options.carried;
	bool only_by_name =
		dso->kind == DSO_ANON || (dso->kind == DSO_USER && dso->build_id_size == 0);

	if (carried && only_by_name && carried_load(carried, dso, names))
		return;
	find_names(resolver, object, dso, names);
	if (carried && names->kind != NAMES_SELF && names->kind != NAMES_CODE &&
	    (!names->table || symtab_count(names->table) == 0)) {
		struct names kept;

		if (carried_load(carried, dso, &kept)) {
			names_done(names);
			*names = kept;
		}
	}
}

static void prepare(struct object *object)
{
	size_t count = object->names.table ? symtab_count(object->names.table) : 0;
	size_t cache = 256;

	if (count == 0)
		return;
	object->first_addr = symtab_at(object->names.table, 0)->start + object->names.moved_by;
	object->functions = xcalloc(count, sizeof(*object->functions));
	while (cache < count / 4 && cache < CACHE_MAX)
		cache *= 2;
	object->cache_mask = cache - 1;
	if (count > 64)
		object->cache = xcalloc(cache, sizeof(*object->cache));
}

struct object *resolver_load(struct resolver *resolver, const struct dso *dso)
{
	struct object *object = resolver_object(resolver, dso);

	if (atomic_load_explicit(&object->loaded, memory_order_acquire))
		return object;
	pthread_mutex_lock(&object->lock);
	if (!object->loaded) {
		find_names_or_carried(resolver, object, dso);
		prepare(object);
		object->is_retired = false;
		atomic_store_explicit(&object->loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&object->lock);
	return object;
}
