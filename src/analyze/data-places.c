/* data-places.c - see data-places.h. */
#include "analyze/data-places.h"

#include <stdlib.h>

#include "analyze/place-memo.h"
#include "analyze/profile.h"
#include "analyze/sites.h"
#include "symbol/resolve.h"

struct data_places {
	struct profile *profile;
	struct place_memo memo; /* of struct data_place */
};

static const struct data_place unknown = { .type = "(unknown)", .field = "" };

struct data_places *data_places_new(struct profile *profile)
{
	struct data_places *places = xnew(struct data_places);

	places->profile = profile;
	place_memo_init(&places->memo);
	return places;
}

void data_places_forget(struct data_places *places)
{
	place_memo_forget(&places->memo);
}

void data_places_free(struct data_places *places)
{
	if (!places)
		return;
	place_memo_done(&places->memo);
	free(places);
}

const struct data_place *data_places_none(void)
{
	return &unknown;
}

static const struct data_place *make(struct place_memo *memo, const struct resolver_data *found)
{
	struct data_place *data;
	const char *type = str_text(&found->type);

	if (found->kind == DATA_ACCESS_UNKNOWN)
		return &unknown;
	if (found->kind == DATA_ACCESS_STACK)
		type = "(stack operation)";
	else if (found->kind == DATA_ACCESS_CANARY)
		type = "(stack canary)";
	data = arena_alloc(&memo->arena, sizeof(*data));
	*data = (struct data_place){
		.type = strings_keep(&memo->texts, type),
		.field = strings_keep(&memo->texts, str_text(&found->field)),
		.offset = found->offset,
		.is_type = found->kind == DATA_ACCESS_TYPE,
	};
	return data;
}

const struct data_place *data_places_find(struct data_places *places, const struct place *place)
{
	struct place_memo *memo = &places->memo;
	const struct data_place *data;
	struct resolver_data found;

	if (!place->map)
		return &unknown;
	data = place_memo_find(memo, place);
	if (data)
		return data;
	resolver_data(profile_resolver(places->profile), place, &found);
	place_memo_lock(memo);
	data = place_memo_known(memo, place);
	if (!data)
		data = place_memo_keep(memo, place, make(memo, &found));
	place_memo_unlock(memo);
	resolver_data_done(&found);
	return data;
}

void data_places_settle(struct data_places *places, const struct sites *sites)
{
	place_memo_settle(&places->memo, sites);
}

const struct data_place *data_places_at(struct data_places *places, uint32_t site)
{
	struct place_memo *memo = &places->memo;
	const struct data_place *data = place_memo_at(memo, site);

	if (!data) {
		data = data_places_find(places, sites_place(memo->sites, site));
		place_memo_tell(memo, site, data);
	}
	return data;
}
