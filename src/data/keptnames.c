/* keptnames.c - see keptnames.h. */
#include "data/keptnames.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "data/body.h"

enum {
	IS_JIT = 1,   /* of an entry */
	IS_GUESS = 1, /* of a symbol */
	ENTRY_SIZE = 44,
	SEGMENT_SIZE = 24,
	SYMBOL_SIZE = 20,
	SEGMENTS_MOST = 64, /* that are written: more than any linker makes */
};

static size_t symbol_size(const struct keptnames_symbol *symbol)
{
	return SYMBOL_SIZE + strlen(symbol->name) + 1;
}

static void put_symbol(const struct keptnames_symbol *symbol, struct body_out *out)
{
	body_put_u64(out, symbol->start);
	body_put_u64(out, symbol->size);
	body_put_u32(out, symbol->is_guess ? IS_GUESS : 0);
	body_put_bytes(out, symbol->name, strlen(symbol->name) + 1);
}

static void put_entry(const struct keptnames_object *object,
		      const struct keptnames_segment *segments,
		      const struct keptnames_symbol *symbols, size_t symbol_count, size_t size,
		      struct body_out *out)
{
	static const uint8_t ZEROS[8];
	size_t name_size = strlen(object->name) + 1, padded = bytes_round_up(size);

	body_put_u32(out, (uint32_t)(padded - sizeof(uint32_t)));
	body_put_u32(out, object->is_jit ? IS_JIT : 0);
	body_put_u64(out, object->ino);
	body_put_u32(out, (uint32_t)object->build_id_size);
	body_put_bytes(out, object->build_id, sizeof(object->build_id));
	body_put_u32(out, (uint32_t)object->segment_count);
	for (size_t i = 0; i < object->segment_count; i++) {
		body_put_u64(out, segments[i].offset);
		body_put_u64(out, segments[i].size);
		body_put_u64(out, segments[i].vaddr);
	}
	body_put_u32(out, (uint32_t)symbol_count);
	body_put_bytes(out, object->name, name_size);
	for (size_t i = 0; i < symbol_count; i++)
		put_symbol(&symbols[i], out);
	body_put_bytes(out, ZEROS, padded - size);
}

void keptnames_encode(const struct keptnames_object *object,
		      const struct keptnames_segment *segments,
		      const struct keptnames_symbol *symbols, struct body_out *out)
{
	struct keptnames_object head = *object;
	size_t rest, first = 0;

	if (head.segment_count > SEGMENTS_MOST)
		head.segment_count = SEGMENTS_MOST;
	rest = sizeof(uint32_t) + ENTRY_SIZE + head.segment_count * SEGMENT_SIZE +
	       strlen(head.name) + 1;
	while (first < head.symbol_count && rest < KEPTNAMES_RECORD) {
		size_t size = rest, last = first;

		while (last < head.symbol_count &&
		       symbol_size(&symbols[last]) <= KEPTNAMES_RECORD - size)
			size += symbol_size(&symbols[last++]);
		if (last > first)
			put_entry(&head, segments, symbols + first, last - first, size, out);
		first = last > first ? last : first + 1;
	}
}

size_t keptnames_record(const void *bytes, size_t size)
{
	struct body_in in = body_begin(bytes, size, false);
	size_t fits = 0;

	for (;;) {
		uint32_t entry = body_u32(&in);

		(void)body_bytes(&in, entry);
		if (in.bad || size - in.left > KEPTNAMES_RECORD)
			return fits;
		fits = size - in.left;
	}
}

struct keptnames_walk keptnames_begin(const void *bytes, size_t size, bool foreign)
{
	const uint8_t *at = bytes;

	return (struct keptnames_walk){ .at = at,
					.end = size > 0 ? at + size : at,
					.foreign = foreign };
}

/* A text that ends in a NUL. */
static const char *take_text(struct body_in *in)
{
	const uint8_t *nul = in->left ? memchr(in->at, '\0', in->left) : NULL;
	size_t size = nul ? (size_t)(nul - in->at) + 1 : SIZE_MAX;
	const char *text = body_bytes(in, size);

	return text ? text : "";
}

static bool take_entry(struct keptnames_walk *walk, struct body_in in,
		       struct keptnames_object *object)
{
	const uint8_t *build_id;

	object->is_jit = body_u32(&in) & IS_JIT;
	object->ino = body_u64(&in);
	object->build_id_size = body_u32(&in);
	build_id = body_bytes(&in, sizeof(object->build_id));
	if (!build_id || object->build_id_size > sizeof(object->build_id))
		return false;
	memcpy(object->build_id, build_id, object->build_id_size);
	object->segment_count = body_u32(&in);
	if (!body_has(&in, object->segment_count, SEGMENT_SIZE))
		return false;
	walk->segments = in.at;
	walk->segments_left = object->segment_count;
	(void)body_bytes(&in, object->segment_count * SEGMENT_SIZE);
	object->symbol_count = body_u32(&in);
	object->name = take_text(&in);
	if (in.bad || !body_has(&in, object->symbol_count, SYMBOL_SIZE + 1))
		return false;
	walk->symbols = in.at;
	walk->symbols_end = in.at + in.left;
	walk->symbols_left = object->symbol_count;
	return true;
}

bool keptnames_next(struct keptnames_walk *walk, struct keptnames_object *ret_object)
{
	struct body_in in = body_begin(walk->at, (size_t)(walk->end - walk->at), walk->foreign);

	for (;;) {
		uint32_t size = body_u32(&in);
		const uint8_t *bytes = body_bytes(&in, size);

		*ret_object = (struct keptnames_object){ .name = "" };
		walk->segments_left = walk->symbols_left = 0;
		if (in.bad) {
			walk->damaged |= walk->at != walk->end;
			return false;
		}
		walk->at = in.at;
		if (take_entry(walk, body_begin(bytes, size, walk->foreign), ret_object))
			return true;
		walk->damaged = true;
	}
}

bool keptnames_next_segment(struct keptnames_walk *walk, struct keptnames_segment *ret_segment)
{
	struct body_in in = body_begin(walk->segments, SEGMENT_SIZE, walk->foreign);

	if (walk->segments_left == 0)
		return false;
	walk->segments_left--;
	walk->segments += SEGMENT_SIZE;
	ret_segment->offset = body_u64(&in);
	ret_segment->size = body_u64(&in);
	ret_segment->vaddr = body_u64(&in);
	return true;
}

bool keptnames_next_symbol(struct keptnames_walk *walk, struct keptnames_symbol *ret_symbol)
{
	struct body_in in;

	if (walk->symbols_left == 0)
		return false;
	in = body_begin(walk->symbols, (size_t)(walk->symbols_end - walk->symbols), walk->foreign);
	walk->symbols_left--;
	ret_symbol->start = body_u64(&in);
	ret_symbol->size = body_u64(&in);
	ret_symbol->is_guess = body_u32(&in) & IS_GUESS;
	ret_symbol->name = take_text(&in);
	walk->symbols = in.at;
	if (in.bad) {
		walk->symbols_left = 0;
		walk->damaged = true;
	}
	return !in.bad;
}

static bool is_same(const struct keptnames_object *a, const struct keptnames_object *b)
{
	return a->ino == b->ino && a->build_id_size == b->build_id_size &&
	       memcmp(a->build_id, b->build_id, sizeof(a->build_id)) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

int keptnames_count(const void *bytes, size_t size, bool foreign, size_t *ret_objects,
		    size_t *ret_symbols)
{
	struct keptnames_walk walk = keptnames_begin(bytes, size, foreign);
	struct keptnames_object object, before = { .name = NULL };
	struct keptnames_symbol symbol;

	*ret_objects = *ret_symbols = 0;
	while (keptnames_next(&walk, &object)) {
		if (!before.name || !is_same(&object, &before))
			++*ret_objects;
		while (keptnames_next_symbol(&walk, &symbol))
			++*ret_symbols;
		before = object;
	}
	return walk.damaged ? -EBADMSG : 0;
}
