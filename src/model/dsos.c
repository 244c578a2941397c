/* dsos.c - see dsos.h. */
#include "model/dsos.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct dsos_entry {
	struct dso dso;
	uint32_t maj, min;
	struct dsos_entry *same_identity; /* next with an equal hash */
	struct dsos_entry *same_name;     /* next older of that name */
};

struct dsos_build_id {
	const char *name;
	bool kernel;
	uint8_t size, bytes[20];
};

static bool ends_with(const char *text, size_t size, const char *end)
{
	size_t end_size = strlen(end);

	return size >= end_size && memcmp(text + size - end_size, end, end_size) == 0;
}

static bool is_kernel(const struct dso *dso)
{
	return dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE || dso->kind == DSO_BPF ||
	       dso->kind == DSO_OOL;
}

static bool same_build_id(const struct dso *a, const struct dso *b)
{
	return a->build_id_size == b->build_id_size &&
	       memcmp(a->build_id, b->build_id, a->build_id_size) == 0;
}

static bool same_file(const struct dsos_entry *a, const struct dsos_entry *b)
{
	return a->dso.ino == b->dso.ino && a->maj == b->maj && a->min == b->min;
}

static bool same(const struct dsos_entry *a, const struct dsos_entry *b)
{
	return a->dso.name == b->dso.name && a->dso.kind == b->dso.kind &&
	       a->dso.guest == b->dso.guest && same_file(a, b) && same_build_id(&a->dso, &b->dso);
}

static uint64_t identity(const struct dsos_entry *entry)
{
	uint64_t hash = hash_u64((uint64_t)(uintptr_t)entry->dso.name ^ hash_u64(entry->dso.ino));

	return hash ^ hash_bytes(entry->dso.build_id, entry->dso.build_id_size);
}

/* Names are interned, so the address is enough; it is even, so the kernel's may be the odd ones. */
static uint64_t name_key(const char *name, bool kernel)
{
	return (uint64_t)(uintptr_t)name | kernel;
}

static void add_to_hashes(struct dsos *dsos, struct dsos_entry *entry)
{
	struct hash_entry *place = hash_add(&dsos->by_identity, identity(entry), NULL);
	struct hash_entry *name;

	entry->same_identity = place->pointer;
	place->pointer = entry;
	name = hash_add(&dsos->by_name, name_key(entry->dso.name, is_kernel(&entry->dso)), NULL);
	entry->same_name = name->pointer;
	name->pointer = entry;
}

static uint32_t take_id(struct dsos *dsos)
{
	if (dsos->free_count > 0)
		return dsos->free_ids[--dsos->free_count];
	grow(dsos);
	return (uint32_t)++dsos->count;
}

/* The entry that is like @wanted, made if there was none. */
static struct dso *keep(struct dsos *dsos, const struct dsos_entry *wanted)
{
	struct hash_entry *place = hash_find(&dsos->by_identity, identity(wanted));
	struct dsos_entry *entry = place ? place->pointer : NULL;

	while (entry && !same(entry, wanted))
		entry = entry->same_identity;
	if (entry) {
		entry->dso.deleted |= wanted->dso.deleted;
		return &entry->dso;
	}
	entry = xnew(struct dsos_entry);
	*entry = *wanted;
	add_to_hashes(dsos, entry);
	entry->dso.id = take_id(dsos);
	dsos->items[entry->dso.id - 1] = entry;
	return &entry->dso;
}

static void set_build_id(struct dso *dso, const uint8_t *build_id, size_t size)
{
	dso->build_id_size = (uint8_t)(size < sizeof(dso->build_id) ? size : sizeof(dso->build_id));
	if (dso->build_id_size)
		memcpy(dso->build_id, build_id, dso->build_id_size);
}

static const char *base_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash && slash[1] ? slash + 1 : name;
}

static bool is_anonymous(const char *name)
{
	return strcmp(name, "//anon") == 0 || str_after(name, "/dev/zero") ||
	       str_after(name, "/anon_hugepage") || strcmp(name, "[heap]") == 0 ||
	       str_after(name, "[stack") || str_after(name, "/SYSV");
}

static void name_jit(struct dsos *dsos, struct dsos_entry *entry, uint32_t pid)
{
	char text[64];

	entry->dso.in_memory = true;
	entry->dso.jit_pid = pid;
	(void)snprintf(text, sizeof(text), "/tmp/perf-%u.map", pid);
	entry->dso.name = strings_keep(&dsos->names, text);
	(void)snprintf(text, sizeof(text), "[JIT] tid %u", pid);
	entry->dso.short_name = strings_keep(&dsos->names, text);
}

/* Memory without a file: no inode, since each piece has its own; code in it comes from a JIT. */
static void name_anonymous(struct dsos *dsos, struct dsos_entry *entry, const char *name,
			   const struct dsos_file *file)
{
	entry->dso.kind = DSO_ANON;
	entry->dso.in_memory = true;
	if (file->executable) {
		name_jit(dsos, entry, file->pid);
	} else {
		entry->dso.name = strings_keep(&dsos->names, name);
		entry->dso.short_name = strings_keep(&dsos->names, base_name(name));
	}
}

/* The file that a JIT compiler writes, and maps a page of as code, so that recorders notice. */
static uint32_t dump_pid_of(const char *base)
{
	const char *digits = str_after(base, "jit-");
	uint32_t pid = 0;

	if (!digits)
		return 0;
	for (; *digits >= '0' && *digits <= '9'; digits++) {
		if (pid > UINT32_MAX / 10 - 1)
			return 0;
		pid = pid * 10 + (uint32_t)(*digits - '0');
	}
	return strcmp(digits, ".dump") == 0 ? pid : 0;
}

static void name_file(struct dsos *dsos, struct dsos_entry *entry, const char *name,
		      const struct dsos_file *file)
{
	size_t size = strlen(name);

	entry->dso.kind = strcmp(name, "[vdso]") == 0 ? DSO_VDSO : DSO_USER;
	if (ends_with(name, size, DSO_DELETED)) {
		entry->dso.deleted = true;
		size -= strlen(DSO_DELETED);
	}
	entry->dso.name =
		strings_text(&dsos->names, strings_intern_bytes(&dsos->names, name, size));
	entry->dso.short_name = strings_keep(&dsos->names, base_name(entry->dso.name));
	entry->dso.in_memory = str_after(name, "/memfd:") || str_after(name, "[anon:");
	entry->dso.dump_pid = dump_pid_of(entry->dso.short_name);
	entry->dso.ino = file->ino;
	entry->maj = file->maj;
	entry->min = file->min;
	set_build_id(&entry->dso, file->build_id, file->build_id_size);
}

const struct dso *dsos_add_user(struct dsos *dsos, const struct dsos_file *file)
{
	struct dsos_entry entry = { 0 };

	if (is_anonymous(file->name))
		name_anonymous(dsos, &entry, file->name, file);
	else
		name_file(dsos, &entry, file->name, file);
	return keep(dsos, &entry);
}

/* One for each dump: of a number that is used again, or runs another program, there are several. */
const struct dso *dsos_add_code(struct dsos *dsos, uint32_t pid, const struct dso *dump)
{
	const struct dsos_entry *file = dsos->items[dump->id - 1];
	struct dsos_entry entry = {
		.dso.kind = DSO_JITDUMP,
		.dso.ino = dump->ino,
		.maj = file->maj,
		.min = file->min,
	};

	name_jit(dsos, &entry, pid);
	return keep(dsos, &entry);
}

/* "/lib/modules/6.1/kernel/net/xt-mark.ko.xz" is "[xt_mark]": what the module calls itself. */
static const char *module_short_name(struct dsos *dsos, const char *name)
{
	const char *base = base_name(name), *end = strstr(base, ".ko");
	_cleanup_(str_done) struct str text = { 0 };

	if (base[0] == '[' || !end)
		return base;
	str_addf(&text, "[%.*s]", (int)(end - base), base);
	for (char *c = text.text; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return strings_keep(&dsos->names, text.text);
}

const struct dso *dsos_add_kernel(struct dsos *dsos, const struct dsos_file *file, bool guest)
{
	struct dsos_entry entry = { .dso.guest = guest };
	const char *bracket = strchr(file->name, ']');

	if ((str_after(file->name, "[kernel.") || str_after(file->name, "[guest.kernel.")) &&
	    bracket) { /* behind the bracket stands the symbol that pgoff is the address of */
		size_t size = (size_t)(bracket + 1 - file->name);

		entry.dso.kind = DSO_KERNEL;
		entry.dso.name = strings_text(&dsos->names,
					      strings_intern_bytes(&dsos->names, file->name, size));
		entry.dso.short_name = entry.dso.name;
		if (bracket[1]) {
			entry.dso.reference_symbol = strings_keep(&dsos->names, bracket + 1);
			entry.dso.reference_addr = file->pgoff;
		}
	} else {
		entry.dso.kind = DSO_MODULE;
		entry.dso.name = strings_keep(&dsos->names, file->name);
		entry.dso.short_name = module_short_name(dsos, entry.dso.name);
	}
	set_build_id(&entry.dso, file->build_id, file->build_id_size);
	return keep(dsos, &entry);
}

const struct dso *dsos_add_ksymbol(struct dsos *dsos, const char *name, bool bpf)
{
	struct dsos_entry entry = { .dso.kind = bpf ? DSO_BPF : DSO_OOL };

	entry.dso.name = entry.dso.short_name = strings_keep(&dsos->names, name);
	return keep(dsos, &entry);
}

void dsos_set_build_id(struct dsos *dsos, const char *name, bool kernel, const uint8_t *build_id,
		       size_t size)
{
	struct dsos_build_id *told;

	if (dsos->build_id_count == dsos->build_id_capacity)
		dsos->build_ids =
			xgrow(dsos->build_ids, &dsos->build_id_capacity, sizeof(*dsos->build_ids));
	told = &dsos->build_ids[dsos->build_id_count++];
	*told = (struct dsos_build_id){
		.kernel = kernel,
		.size = (uint8_t)(size < sizeof(told->bytes) ? size : sizeof(told->bytes)),
	};
	if (told->size)
		memcpy(told->bytes, build_id, told->size);
	size = strlen(name);
	if (!kernel && ends_with(name, size, DSO_DELETED))
		size -= strlen(DSO_DELETED);
	told->name = strings_text(&dsos->names, strings_intern_bytes(&dsos->names, name, size));
}

/* Gives a build-id to the youngest dso of that name, if its mapping told none. */
static void give_build_id(const struct dsos *dsos, const struct hash *modules,
			  const struct dsos_build_id *told)
{
	struct hash_entry *name = hash_find(&dsos->by_name, name_key(told->name, told->kernel));
	struct dsos_entry *entry;

	if (!name && told->kernel)
		name = hash_find(modules, name_key(told->name, true));
	entry = name ? name->pointer : NULL;
	if (entry && entry->dso.build_id_size == 0)
		set_build_id(&entry->dso, told->bytes, told->size);
}

void dsos_settle(struct dsos *dsos)
{
	struct hash modules = { 0 }; /* by short name: so the file calls those it has no path of */

	for (size_t i = 0; i < dsos->count; i++) {
		struct dsos_entry *entry = dsos->items[i], *older;

		if (!entry)
			continue;
		older = entry->same_name;
		if (older && entry->dso.kind == DSO_USER)
			entry->dso.shared_name = older->dso.shared_name = true;
		if (entry->dso.kind == DSO_MODULE)
			hash_add(&modules, name_key(entry->dso.short_name, true), NULL)->pointer =
				entry;
	}
	for (size_t i = 0; i < dsos->build_id_count; i++)
		give_build_id(dsos, &modules, &dsos->build_ids[i]);
	hash_done(&modules);
}

const struct dso *dsos_at(const struct dsos *dsos, uint32_t id)
{
	if (id < 1 || id > dsos->count || !dsos->items[id - 1])
		return NULL;
	return &dsos->items[id - 1]->dso;
}

const struct dso *dsos_kernel(const struct dsos *dsos)
{
	for (uint32_t id = 1; id <= dsos->count; id++) {
		const struct dso *dso = dsos_at(dsos, id);

		if (dso && dso->kind == DSO_KERNEL && !dso->guest)
			return dso;
	}
	return NULL;
}

static void give_up_id(struct dsos *dsos, uint32_t id)
{
	free(dsos->items[id - 1]);
	dsos->items[id - 1] = NULL;
	if (dsos->free_count == dsos->free_capacity)
		dsos->free_ids =
			xgrow(dsos->free_ids, &dsos->free_capacity, sizeof(*dsos->free_ids));
	dsos->free_ids[dsos->free_count++] = id;
}

/* The same text in another table. */
static void move_text(struct strings *to, const char **text)
{
	if (*text)
		*text = strings_keep(to, *text);
}

void dsos_forget(struct dsos *dsos, const struct hash *kept)
{
	struct strings names = { 0 };

	hash_done(&dsos->by_identity);
	hash_done(&dsos->by_name);
	dsos->by_identity = dsos->by_name = (struct hash){ 0 };
	for (size_t i = 0; i < dsos->count; i++) {
		struct dsos_entry *entry = dsos->items[i];

		if (!entry)
			continue;
		if (!hash_find(kept, entry->dso.id)) {
			give_up_id(dsos, entry->dso.id);
			continue;
		}
		move_text(&names, &entry->dso.name);
		move_text(&names, &entry->dso.short_name);
		move_text(&names, &entry->dso.reference_symbol);
		add_to_hashes(dsos, entry);
	}
	for (size_t i = 0; i < dsos->build_id_count; i++)
		move_text(&names, &dsos->build_ids[i].name);
	strings_done(&dsos->names);
	dsos->names = names;
}

void dsos_done(struct dsos *dsos)
{
	for (size_t i = 0; i < dsos->count; i++)
		free(dsos->items[i]);
	free(dsos->free_ids);
	strings_done(&dsos->names);
	hash_done(&dsos->by_identity);
	hash_done(&dsos->by_name);
	free(dsos->items);
	free(dsos->build_ids);
	*dsos = (struct dsos){ 0 };
}
