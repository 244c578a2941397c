/* keys-data.c - sort keys of the data that the sampled instruction reads or writes, by debug
 * information. */
#include "analyze/keys.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/data-places.h"
#include "base/hash.h"
#include "base/str.h"

static const struct data_place *data_of(const struct item *item)
{
	return item->spot.data;
}

static int type_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return -keys_compare_text(data_of(left)->type, data_of(right)->type);
}
static uint64_t type_hash(const struct item *item, keys_style *how)
{
	return keys_hash_text(data_of(item)->type);
}
static void type_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, data_of(item)->type);
}

static int typeoff_compare(const struct item *left, const struct item *right, keys_style *how)
{
	int r = type_compare(left, right, how);

	return r ? r : -keys_compare_u64(data_of(left)->offset, data_of(right)->offset);
}
static uint64_t typeoff_hash(const struct item *item, keys_style *how)
{
	return hash_u64(data_of(item)->offset ^ type_hash(item, how));
}
/* "struct node +0x10 (at.x)" */
static void typeoff_print(const struct item *item, struct str *out, keys_style *how)
{
	const struct data_place *data = data_of(item);

	str_add(out, data->type);
	if (data->is_type)
		str_addf(out, " +%#" PRIx64 " (%s)", data->offset,
			 data->field[0] ? data->field : "no field");
}

static uint64_t line_of(const struct item *item)
{
	return data_place_line(data_of(item));
}
static int typecln_compare(const struct item *left, const struct item *right, keys_style *how)
{
	int r = type_compare(left, right, how);

	return r ? r : -keys_compare_u64(line_of(left), line_of(right));
}
static uint64_t typecln_hash(const struct item *item, keys_style *how)
{
	return hash_u64(line_of(item) ^ type_hash(item, how));
}
static void typecln_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%s: cache-line %" PRIu64, data_of(item)->type, line_of(item));
}

const struct sortkey keys_data[] = {
	{ "type", NULL, "Data Type", SORTKEY_TYPE, KEYS_TITLED(type), .of_spot = true,
	  .of_data = true, .uncut = true },
	{ "typeoff", NULL, "Data Type Offset", SORTKEY_TYPE_OFFSET, KEYS_TITLED(typeoff),
	  .of_spot = true, .of_data = true, .uncut = true },
	{ "typecln", NULL, "Data Type Cacheline", SORTKEY_TYPE_LINE, KEYS_TITLED(typecln),
	  .of_spot = true, .of_data = true, .uncut = true },
	{ NULL },
};
