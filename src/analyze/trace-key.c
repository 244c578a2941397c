/*
 * trace-key.c - see trace-key.h.
 *
 * A block, whose numbers are 32 bits in host order:
 *
 *	size, event, then for each key of the event: ORDER ROOM TEXT order-bytes text-bytes
 *
 * ORDER and TEXT are the sizes of what follows, ROOM the columns that perf gives a field of this
 * size. A field that lies outside its sample is MISSING instead of ORDER, and nothing more.
 */
#include "analyze/trace-key.h"

#include <string.h>

#include "analyze/keys.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/strings.h"
#include "format/tracepoint.h"

enum { HEAD_SIZE = 2 * sizeof(uint32_t) };
#define MISSING UINT32_MAX

/* A field in a block. */
struct value {
	const char *order, *text;
	uint32_t order_size, text_size, room;
};

static void add_u32(struct str *block, uint32_t value)
{
	str_add_bytes(block, &value, sizeof(value));
}

static uint32_t read_u32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/*
 * What stands for a field in the event's text, up to a blank: "S" in "... prev_state=S ==> ...";
 * false if nothing does.
 */
static bool find_shown(const char *text, const char *name, struct str_part *ret_shown)
{
	size_t size = strlen(name);

	for (; text; text = strchr(text, ' ')) {
		text += strspn(text, " ");
		if (strncmp(text, name, size) == 0 && text[size] == '=') {
			text += size + 1;
			*ret_shown = (struct str_part){ text, strcspn(text, " ") };
			return true;
		}
	}
	return false;
}

/* A sample that is being taken apart. */
struct taking {
	const void *raw;
	size_t raw_size;
	struct str block, text;
	struct str whole; /* the event's text; empty until it is asked for */
};

static void add_text(const struct trace_key *key, struct taking *taking)
{
	struct str_part shown;

	str_clear(&taking->text);
	if (!key->raw && !tracepoint_field_is_text(key->field)) {
		if (taking->whole.size == 0)
			tracepoint_print(key->tracepoint, taking->raw, taking->raw_size,
					 &taking->whole);
		if (find_shown(str_text(&taking->whole), key->key.name, &shown)) {
			str_add_bytes(&taking->text, shown.text, shown.size);
			return;
		}
	}
	tracepoint_field_print(key->field, taking->raw, taking->raw_size, &taking->text);
}

static void take_field(const struct trace_key *key, struct taking *taking)
{
	bool is_text = tracepoint_field_is_text(key->field);
	const void *bytes;
	size_t size, order_size;

	if (!tracepoint_field_bytes(key->field, taking->raw, taking->raw_size, &bytes, &size)) {
		add_u32(&taking->block, MISSING);
		return;
	}
	add_text(key, taking);
	order_size = is_text ? strnlen(bytes, size) : size;
	add_u32(&taking->block, (uint32_t)order_size);
	add_u32(&taking->block, (uint32_t)(is_text ? size : 2 * size + strlen("0x")));
	add_u32(&taking->block, (uint32_t)taking->text.size);
	str_add_bytes(&taking->block, bytes, order_size);
	str_add_bytes(&taking->block, str_text(&taking->text), taking->text.size);
}

const char *trace_key_take(struct trace_key *const *keys, size_t key_count, size_t event,
			   const void *raw, size_t raw_size, struct strings *kept)
{
	struct taking taking = { .raw = raw, .raw_size = raw_size };
	const char *traced = NULL;
	uint32_t size;

	add_u32(&taking.block, 0);
	add_u32(&taking.block, (uint32_t)event);
	for (size_t i = 0; i < key_count; i++) {
		if (keys[i]->event == event)
			take_field(keys[i], &taking);
	}
	if (taking.block.size > HEAD_SIZE) {
		size = (uint32_t)taking.block.size;
		memcpy(taking.block.text, &size, sizeof(size));
		traced = strings_text(kept, strings_intern_bytes(kept, taking.block.text, size));
	}
	str_done(&taking.block);
	str_done(&taking.text);
	str_done(&taking.whole);
	return traced;
}

const char *trace_key_keep(const char *traced, struct strings *kept)
{
	if (!traced)
		return NULL;
	return strings_text(kept, strings_intern_bytes(kept, traced, read_u32(traced)));
}

/* Reads the value at @at, and returns where the next one is; false in *ret_there: it is missing. */
static const char *read_value(const char *at, struct value *ret_value, bool *ret_there)
{
	uint32_t order_size = read_u32(at);

	*ret_there = order_size != MISSING;
	at += sizeof(uint32_t);
	if (!*ret_there)
		return at;
	ret_value->order_size = order_size;
	ret_value->room = read_u32(at);
	ret_value->text_size = read_u32(at + sizeof(uint32_t));
	ret_value->order = at + 2 * sizeof(uint32_t);
	ret_value->text = ret_value->order + order_size;
	return ret_value->text + ret_value->text_size;
}

/* False if the item has none: it is of another event, or was cut off. */
static bool value_of(const struct trace_key *key, const struct item *item, struct value *ret_value)
{
	const char *at = item->traced;
	bool there = false;

	if (!at || read_u32(at + sizeof(uint32_t)) != key->event)
		return false;
	at += HEAD_SIZE;
	for (size_t i = 0; i <= key->slot; i++)
		at = read_value(at, ret_value, &there);
	return there;
}

bool trace_key_is_there(const struct trace_key *key, const struct item *item)
{
	struct value value;

	return value_of(key, item, &value);
}

/* As in perf, byte by byte, the highest first. */
int trace_key_compare(const struct trace_key *key, const struct item *left,
		      const struct item *right)
{
	struct value a, b;
	bool has_a, has_b;
	int difference;

	if (left->traced == right->traced)
		return 0;
	has_a = value_of(key, left, &a);
	has_b = value_of(key, right, &b);
	if (!has_a || !has_b)
		return has_b - has_a;
	difference =
		memcmp(b.order, a.order, a.order_size < b.order_size ? a.order_size : b.order_size);
	return difference ? difference : keys_compare_u64(b.order_size, a.order_size);
}

uint64_t trace_key_hash(const struct trace_key *key, const struct item *item)
{
	struct value value;

	return value_of(key, item, &value) ? hash_bytes(value.order, value.order_size) : 0;
}

void trace_key_print(const struct trace_key *key, const struct item *item, struct str *out)
{
	struct value value;

	if (value_of(key, item, &value))
		str_add_bytes(out, value.text, value.text_size);
	else
		str_add(out, "N/A");
}

size_t trace_key_width(const struct trace_key *key, const struct item *item)
{
	struct value value;

	if (!value_of(key, item, &value))
		return strlen("N/A");
	return value.room > value.text_size ? value.room : value.text_size;
}
