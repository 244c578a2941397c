/* resolver-data.c - which data the instruction at a place reads or writes: resolver_data(). */
#include "base/mem.h"
#include "base/str.h"
#include "model/timeline.h"
#include "object/data-accesses.h"
#include "object/data-types.h"
#include "symbol/resolver-state.h"

/* Under the object's lock. */
static struct data_accesses *accesses_of(struct resolver *resolver, struct object *object,
					 const struct dso *dso, const struct cfi *cfi)
{
	const struct elf_file *code;

	if (object->data_searched)
		return object->data;
	object->data_searched = true;
	code = resolver_code_file(resolver, object, dso);
	if (code)
		object->data =
			data_accesses_new(code, resolver_debuginfo(resolver, object, dso), cfi);
	return object->data;
}

static void tell(struct data_accesses *accesses, const struct data_access *access,
		 struct resolver_data *ret_data)
{
	ret_data->kind = access->kind;
	if (access->kind != DATA_ACCESS_TYPE)
		return;
	ret_data->offset = access->offset;
	str_add(&ret_data->type, access->type->name);
	data_accesses_add_field(accesses, access, &ret_data->field);
}

void resolver_data(struct resolver *resolver, const struct place *place,
		   struct resolver_data *ret_data)
{
	struct data_accesses *accesses;
	struct object *object;
	const struct cfi *cfi;

	*ret_data = (struct resolver_data){ 0 };
	if (!place->map)
		return;
	object = resolver_load(resolver, place->map->dso);
	cfi = resolver_object_cfi(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	accesses = accesses_of(resolver, object, place->map->dso, cfi);
	if (accesses) {
		struct data_access access =
			data_accesses_find(accesses, place->object_addr - object->names.moved_by);

		tell(accesses, &access, ret_data);
	}
	pthread_mutex_unlock(&object->lock);
}

void resolver_data_done(struct resolver_data *data)
{
	str_done(&data->type);
	str_done(&data->field);
}
