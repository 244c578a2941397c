/* enums.c - see enums.h. */
#include "kernel/enums.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>

struct enums {
	struct btf *btf;
};

int enums_open(const char *path, struct enums **ret_enums)
{
	struct btf *btf = path ? btf__parse(path, NULL) : btf__load_vmlinux_btf();
	struct enums *enums;

	if (!btf)
		return -errno;
	enums = xnew(struct enums);
	enums->btf = btf;
	*ret_enums = enums;
	return 0;
}

void enums_close(struct enums *enums)
{
	if (!enums)
		return;
	btf__free(enums->btf);
	free(enums);
}

static void each_narrow(const struct btf *btf, const struct btf_type *type,
			void (*each)(void *, const char *, uint64_t), void *context)
{
	const struct btf_enum *items = btf_enum(type);

	for (unsigned i = 0; i < btf_vlen(type); i++)
		each(context, btf__name_by_offset(btf, items[i].name_off),
		     (uint64_t)(int64_t)items[i].val);
}

static void each_wide(const struct btf *btf, const struct btf_type *type,
		      void (*each)(void *, const char *, uint64_t), void *context)
{
	const struct btf_enum64 *items = btf_enum64(type);

	for (unsigned i = 0; i < btf_vlen(type); i++)
		each(context, btf__name_by_offset(btf, items[i].name_off),
		     btf_enum64_value(&items[i]));
}

int enums_each(const struct enums *enums, const char *name,
	       void (*each)(void *context, const char *name, uint64_t value), void *context)
{
	int id = btf__find_by_name_kind(enums->btf, name, BTF_KIND_ENUM);
	const struct btf_type *type;

	if (id < 0)
		id = btf__find_by_name_kind(enums->btf, name, BTF_KIND_ENUM64);
	if (id < 0)
		return -ENOENT;
	type = btf__type_by_id(enums->btf, (uint32_t)id);
	if (btf_is_enum64(type))
		each_wide(enums->btf, type, each, context);
	else
		each_narrow(enums->btf, type, each, context);
	return 0;
}
