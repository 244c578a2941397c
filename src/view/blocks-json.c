/* blocks-json.c - see blocks-json.h. */
#include "view/blocks-json.h"

#include "analyze/blocks.h"
#include "analyze/sources.h"
#include "base/json.h"
#include "model/timeline.h"
#include "view/place-json.h"
#include "view/report-text.h"

static void add_end(struct json *json, const char *name, const struct place *place,
		    const struct source *source)
{
	json_begin(json, name);
	json_addr(json, "addr", place->addr);
	json_u64(json, "offset", place->object_addr - place->function->start);
	json_text(json, "srcline", source->line);
	json_end(json);
}

static void add_block(struct json *json, const struct blocks_event *event,
		      const struct block *block)
{
	const struct map *map = block->end.map;

	json_begin(json, NULL);
	json_double(json, "percent", blocks_percent(event, block));
	json_u64(json, "cycles", block->cycles);
	json_u64(json, "branches", block->count);
	json_double(json, "average_percent", blocks_average_percent(event, block));
	json_u64(json, "average_cycles", blocks_average(block));
	json_text(json, "symbol", block->end.function->name);
	place_json_dso(json, "dso", map, map->dso->short_name);
	add_end(json, "begin", &block->begin, block->begin_source);
	add_end(json, "end", &block->end, block->end_source);
	json_end(json);
}

void blocks_json_add(struct json *json, const struct blocks_event *event,
		     const struct report_text *text)
{
	json_u64(json, "cycles", event->cycles);
	json_begin_list(json, "blocks");
	for (size_t i = 0; i < event->count; i++) {
		if (blocks_percent(event, &event->items[i]) >= text->percent_limit)
			add_block(json, event, &event->items[i]);
	}
	json_end_list(json);
}
