/* callitems.c - see callitems.h. */
#include "format/callitems.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"

static uint64_t number_at(const uint8_t *raw, size_t at, bool foreign)
{
	uint64_t value;

	memcpy(&value, raw + at, sizeof(value));
	return bytes_u64(value, foreign);
}

/* What lies behind the tracepoint's own @size bytes. */
static void take_items(const uint8_t *raw, size_t raw_size, size_t size, bool foreign,
		       struct callitems *items)
{
	uint32_t mark;

	if (foreign || raw_size < size + sizeof(mark))
		return;
	memcpy(&mark, raw + size, sizeof(mark));
	if ((mark & CALLCOPY_MARK_MASK) != CALLCOPY_MARK)
		return;
	items->has_mark = true;
	items->is_32 = mark & CALLCOPY_IS_32;
	items->is_full = mark & CALLCOPY_IS_FULL;
	items->items = raw + size + sizeof(mark);
	items->size = raw_size - size - sizeof(mark);
}

int callitems_enter(const void *raw, size_t size, bool foreign, struct callitems *ret_items)
{
	if (size < CALLCOPY_ENTER_SIZE)
		return -EBADMSG;
	*ret_items = (struct callitems){ .number = number_at(raw, 8, foreign) };
	for (size_t i = 0; i < CALLCOPY_ARGS; i++)
		ret_items->args[i] = number_at(raw, 16 + 8 * i, foreign);
	take_items(raw, size, CALLCOPY_ENTER_SIZE, foreign, ret_items);
	return 0;
}

int callitems_exit(const void *raw, size_t size, bool foreign, struct callitems *ret_items)
{
	if (size < CALLCOPY_EXIT_SIZE)
		return -EBADMSG;
	*ret_items = (struct callitems){
		.number = number_at(raw, 8, foreign),
		.result = (int64_t)number_at(raw, 16, foreign),
	};
	take_items(raw, size, CALLCOPY_EXIT_SIZE, foreign, ret_items);
	return 0;
}

bool callitems_next(const struct callitems *items, size_t *at, struct callitem *ret_item)
{
	size_t left = items->size - *at, padding;

	if (left < sizeof(ret_item->head))
		return false;
	memcpy(&ret_item->head, items->items + *at, sizeof(ret_item->head));
	left -= sizeof(ret_item->head);
	if (ret_item->head.size > left)
		return false;
	ret_item->bytes = items->items + *at + sizeof(ret_item->head);
	left -= ret_item->head.size;
	padding = bytes_round_up(ret_item->head.size) - ret_item->head.size;
	*at = items->size - (left < padding ? 0 : left - padding);
	return true;
}

bool callitems_find(const struct callitems *items, unsigned arg, enum callcopy_what what,
		    struct callitem *ret_item)
{
	for (size_t at = 0; callitems_next(items, &at, ret_item);)
		if (ret_item->head.arg == arg && ret_item->head.what == what)
			return true;
	return false;
}

bool callitems_part(const struct callitems *items, unsigned arg, uint32_t number,
		    struct callitem *ret_item)
{
	for (size_t at = 0; callitems_next(items, &at, ret_item);)
		if (ret_item->head.arg == arg && ret_item->head.what == CALLCOPY_PART &&
		    ret_item->head.more == number)
			return true;
	return false;
}
