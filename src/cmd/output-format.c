/* output-format.c - see output-format.h. */
#include "cmd/output-format.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

int output_format_take(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	enum output_format *format = field;

	if (strcmp(arg, "text") == 0) {
		*format = OUTPUT_FORMAT_TEXT;
	} else if (strcmp(arg, "json") == 0) {
		*format = OUTPUT_FORMAT_JSON;
	} else {
		err_set(err, -EINVAL, "'%s' is no format", arg);
		return err_hint(err, -EINVAL, "text or json");
	}
	return 0;
}
