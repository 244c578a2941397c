/* code-line.c - see code-line.h. */
#include "analyze/code-line.h"

#include "analyze/profile.h"
#include "object/lines.h"
#include "symbol/resolve.h"

bool code_line_find(struct profile *profile, const struct place *place, struct code_line *ret_line)
{
	struct source_line line;

	if (!resolver_line(profile_resolver(profile), place, &line))
		return false;
	*ret_line = (struct code_line){ line.file, line.line };
	return true;
}
