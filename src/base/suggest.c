/* suggest.c - see suggest.h. */
#include "base/suggest.h"

#include <string.h>

/* Costs in quarters of an edit. A longer text than LONGEST is no typing mistake. */
enum { EDIT = 4, CASE = 1, LONGEST = 64 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Of ASCII; what tolower() says depends on the locale. */
static char lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c;
}

static unsigned change_cost(char a, char b)
{
	if (a == b)
		return 0;
	return lower(a) == lower(b) ? CASE : EDIT;
}

/* Damerau-Levenshtein distance, each stretch edited at most once; three rows are enough. */
static unsigned distance(const char *a, const char *b)
{
	size_t a_size = strlen(a), b_size = strlen(b);
	unsigned rows[3][LONGEST + 1] = { 0 };

	for (size_t j = 0; j <= b_size; j++)
		rows[0][j] = (unsigned)j * EDIT;
	for (size_t i = 1; i <= a_size; i++) {
		unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		now[0] = (unsigned)i * EDIT;
		for (size_t j = 1; j <= b_size; j++) {
			now[j] = min(min(last[j], now[j - 1]) + EDIT,
				     last[j - 1] + change_cost(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min(now[j], before[j - 2] + EDIT);
		}
	}
	return rows[a_size % 3][b_size];
}

/* What may differ at most: a third of the longer one, one edit in any case, but not all of it. */
static unsigned limit(size_t typed_size, size_t name_size)
{
	size_t longer = typed_size > name_size ? typed_size : name_size;

	if (longer < 2)
		return CASE;
	return longer < 6 ? EDIT : (unsigned)longer / 3 * EDIT;
}

void suggest_try(struct suggest *suggest, const char *name)
{
	size_t typed_size = strlen(suggest->typed), name_size = strlen(name);
	unsigned cost;

	if (typed_size > LONGEST || name_size > LONGEST)
		return;
	cost = distance(suggest->typed, name);
	if (cost > limit(typed_size, name_size) || (suggest->name && cost >= suggest->cost))
		return;
	suggest->name = name;
	suggest->cost = cost;
}
