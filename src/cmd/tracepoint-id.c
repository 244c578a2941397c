/* tracepoint-id.c - see tracepoint-id.h. */
#include "cmd/tracepoint-id.h"

#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"
#include "kernel/tracefs.h"

const char *tracepoint_id_check(void *context, uint64_t id, const char *name)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(str_done) struct str system = { 0 };
	const char *rest = name;
	struct str_part part;
	uint64_t local;

	if (!name || !str_split(&rest, ':', &part) || !rest)
		return NULL;
	str_add_bytes(&system, part.text, part.size);
	if (tracefs_open(NULL, &tracefs, NULL) < 0)
		return NULL;
	if (tracefs_event_id(tracefs, str_text(&system), rest, &local) < 0 || local != id)
		return NULL;
	return name;
}

const char *tracepoint_id_name(const struct attr *attr, const char *name)
{
	return attr->type == PERF_TYPE_TRACEPOINT ? tracepoint_id_check(NULL, attr->config, name)
						  : NULL;
}
