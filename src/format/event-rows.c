#include "format/event-rows.h"

#include <string.h>
#include <strings.h>

#include "base/str.h"

bool event_rows_in_group(const char *groups, const char *group)
{
	size_t size = strlen(group);
	struct str_part part;

	while (str_split(&groups, ',', &part))
		if (part.size == size && !strncasecmp(part.text, group, size))
			return true;
	return false;
}
