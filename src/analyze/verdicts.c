/* verdicts.c - see verdicts.h. */
#include "analyze/verdicts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbol/resolve.h"

bool verdicts_match(struct verdicts *verdicts, const regex_t *regex, uint32_t site,
		    const struct function *function)
{
	char *verdict;

	if (!function)
		return false;
	while (verdicts->count <= site) {
		grow(verdicts);
		memset(verdicts->items + verdicts->count, 0, verdicts->capacity - verdicts->count);
		verdicts->count = verdicts->capacity;
	}
	verdict = &verdicts->items[site];
	if (!*verdict)
		*verdict = regexec(regex, function->name, 0, NULL, 0) == 0 ? 'y' : 'n';
	return *verdict == 'y';
}

void verdicts_done(struct verdicts *verdicts)
{
	free(verdicts->items);
	*verdicts = (struct verdicts){ 0 };
}
