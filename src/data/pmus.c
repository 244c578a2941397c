/* pmus.c - see pmus.h. */
#include "data/pmus.h"

#include <errno.h>

#include "base/arena.h"
#include "base/machine.h"
#include "data/body.h"

/* The least bytes of an item: what a count is checked against before memory is taken. */
enum { STRING_MIN = 4, MAPPING_MIN = 4 + STRING_MIN, PMU_MIN = 4 + STRING_MIN };

int pmus_mappings_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			 struct machine_pmus *ret_pmus)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_pmus pmus = { .count = body_u32(&in) };

	if (!body_has(&in, pmus.count, MAPPING_MIN))
		return -EBADMSG;
	pmus.items = arena_alloc(arena, pmus.count * sizeof(*pmus.items));
	for (size_t i = 0; i < pmus.count; i++) {
		pmus.items[i].type = body_u32(&in);
		pmus.items[i].name = body_string(&in);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_pmus = pmus;
	return 0;
}

void pmus_mappings_encode(const struct machine_pmus *pmus, struct body_out *out)
{
	body_put_u32(out, (uint32_t)pmus->count);
	for (size_t i = 0; i < pmus->count; i++) {
		body_put_u32(out, pmus->items[i].type);
		body_put_string(out, pmus->items[i].name);
	}
}

static void read_caps(struct body_in *in, struct arena *arena, struct machine_caps *caps)
{
	uint32_t count = body_u32(in);

	if (!body_has(in, count, 2 * (size_t)STRING_MIN))
		return;
	caps->count = count;
	caps->items = arena_alloc(arena, count * sizeof(*caps->items));
	for (size_t i = 0; i < count; i++) {
		caps->items[i].name = body_string(in);
		caps->items[i].value = body_string(in);
	}
}

int pmus_cpu_caps_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			 struct machine_caps *ret_caps)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_caps caps = { .pmu = "cpu" };

	read_caps(&in, arena, &caps);
	if (in.bad)
		return -EBADMSG;
	*ret_caps = caps;
	return 0;
}

void pmus_cpu_caps_encode(const struct machine_caps *caps, struct body_out *out)
{
	body_put_u32(out, (uint32_t)caps->count);
	for (size_t i = 0; i < caps->count; i++) {
		body_put_string(out, caps->items[i].name);
		body_put_string(out, caps->items[i].value);
	}
}

int pmus_caps_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
		     struct machine_all_caps *ret_caps)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_all_caps caps = { .count = body_u32(&in) };

	if (!body_has(&in, caps.count, PMU_MIN))
		return -EBADMSG;
	caps.pmus = arena_alloc(arena, caps.count * sizeof(*caps.pmus));
	for (size_t i = 0; i < caps.count && !in.bad; i++) {
		read_caps(&in, arena, &caps.pmus[i]);
		caps.pmus[i].pmu = body_string(&in);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_caps = caps;
	return 0;
}

void pmus_caps_encode(const struct machine_all_caps *caps, struct body_out *out)
{
	body_put_u32(out, (uint32_t)caps->count);
	for (size_t i = 0; i < caps->count; i++) {
		pmus_cpu_caps_encode(&caps->pmus[i], out);
		body_put_string(out, caps->pmus[i].pmu);
	}
}
