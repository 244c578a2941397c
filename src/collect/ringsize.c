/* ringsize.c - see ringsize.h. */
#include "collect/ringsize.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"

enum { COPIES = 128 }; /* an eighth of a second at a usual rate */

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

size_t ringsize_default(void)
{
	size_t size = (size_t)512 * 1024;

	return size < page_size() ? page_size() : size;
}

size_t ringsize_for_copies(size_t copy_size)
{
	size_t size = ringsize_default();

	while (size < copy_size * COPIES)
		size *= 2;
	return size;
}

int ringsize_parse(const char *text, size_t *ret_size, struct strobe_err *err)
{
	size_t size = page_size(), length = strlen(text);
	uint64_t wanted;
	int r = -EINVAL;

	if (!str_to_size(text, &wanted) || wanted == 0) {
		err_set(err, r, "'%s' is no size of a ring", text);
		return err_hint(err, r, "a number of pages (128), or a size (512K, 4M)");
	}
	if (isdigit((unsigned char)text[length - 1]))
		wanted = wanted > SIZE_MAX / size ? SIZE_MAX : wanted * size;
	while (size < wanted && size <= SIZE_MAX / 4)
		size *= 2;
	if (size < wanted)
		return err_set(err, r, "a ring of '%s' is larger than any memory", text);
	*ret_size = size;
	return 0;
}
