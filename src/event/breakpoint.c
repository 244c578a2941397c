#include "event/breakpoint.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/eventlist.h"
#include "event/modifier.h"

/* "rwx" in any order, each once, at the start of @text; 0: none. What follows is *ret_rest. */
static uint32_t parse_access(const char *text, const char **ret_rest)
{
	static const struct {
		char letter;
		uint32_t type;
	} kinds[] = { { 'r', HW_BREAKPOINT_R },
		      { 'w', HW_BREAKPOINT_W },
		      { 'x', HW_BREAKPOINT_X } };
	uint32_t type = 0;

	for (;; text++) {
		uint32_t bit = 0;

		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			if (kinds[i].letter == *text)
				bit = kinds[i].type;
		if (!bit || type & bit)
			break;
		type |= bit;
	}
	*ret_rest = text;
	return type;
}

/* "ADDR" or "ADDR/LEN"; *ret_size is 0 where no length is given. */
static int parse_place(const char *text, uint64_t *ret_addr, uint64_t *ret_size,
		       struct strobe_err *err)
{
	_cleanup_(freep) char *addr = NULL;
	struct str_part part;
	const char *rest = text;

	(void)str_split(&rest, '/', &part);
	addr = xstrndup(part.text, part.size);
	*ret_size = 0;
	if (!str_to_u64(addr, ret_addr))
		return err_set(err, -EINVAL, "'%s' is not an address, in 'mem:%s'", addr, text);
	if (rest && (!str_to_u64(rest, ret_size) || *ret_size == 0))
		return err_set(err, -EINVAL, "'%s' is not a length, in 'mem:%s'", rest, text);
	return 0;
}

int breakpoint_parse(struct eventlist *list, const char *text, const struct modifier *group,
		     struct strobe_err *err)
{
	_cleanup_(freep) char *place = NULL;
	_cleanup_(str_done) struct str name = { 0 };
	struct modifier modifier = { 0 };
	uint32_t type = HW_BREAKPOINT_RW;
	uint64_t addr, size;
	size_t wrong;
	struct event_spec *event;
	struct str_part part;
	const char *rest = text;
	bool is_first = true;
	int r;

	(void)str_split(&rest, ':', &part);
	place = xstrndup(part.text, part.size);
	r = parse_place(place, &addr, &size, err);
	if (r < 0)
		return r;
	while (rest && str_split(&rest, ':', &part)) {
		_cleanup_(freep) char *word = xstrndup(part.text, part.size);

		const char *letters = word;
		uint32_t access = is_first ? parse_access(word, &letters) : 0;

		if (access)
			type = access;
		r = access && !*letters ? 0 : modifier_parse(letters, &modifier, &wrong, err);
		if (r < 0)
			return err_where(err, r, text,
					 (size_t)(part.text - text) + (size_t)(letters - word) +
						 wrong);
		is_first = false;
	}
	modifier_join(&modifier, group);
	if (size == 0)
		size = type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;

	str_addf(&name, "mem:%s", text);
	event = eventlist_add(list, str_text(&name));
	event->attr.type = PERF_TYPE_BREAKPOINT;
	event->attr.bp_type = type;
	event->attr.bp_addr = addr;
	event->attr.bp_len = size;
	event->attr.sample_period = 1;
	modifier_apply(&modifier, event);
	return 0;
}
