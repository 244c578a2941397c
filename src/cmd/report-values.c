/* report-values.c - see report-values.h. */
#include "cmd/report-values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/filter.h"
#include "base/err.h"
#include "base/str.h"

int report_values_percent(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	double *percent = field;

	if (!str_to_double(arg, percent) || *percent > 100)
		return err_set(err, -EINVAL, "'%s' is no percentage", arg);
	return 0;
}

int report_values_percentage(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	bool *relative = field;

	if (strcmp(arg, "relative") != 0 && strcmp(arg, "absolute") != 0) {
		err_set(err, -EINVAL, "'%s' is no kind of percentage", arg);
		return err_hint(err, -EINVAL, "relative or absolute");
	}
	*relative = strcmp(arg, "relative") == 0;
	return 0;
}

int report_values_color(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	bool *color = field;

	if (strcmp(arg, "always") != 0 && strcmp(arg, "never") != 0 && strcmp(arg, "auto") != 0) {
		err_set(err, -EINVAL, "'%s' does not say when to color", arg);
		return err_hint(err, -EINVAL, "always, never or auto");
	}
	*color = strcmp(arg, "auto") == 0 ? isatty(STDOUT_FILENO) : strcmp(arg, "always") == 0;
	return 0;
}

int report_values_pretty(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	bool *raw = field;

	if (strcmp(arg, "normal") != 0 && strcmp(arg, "raw") != 0) {
		err_set(err, -EINVAL, "'%s' is no way to print counts of threads", arg);
		return err_hint(err, -EINVAL, "normal or raw");
	}
	*raw = strcmp(arg, "raw") == 0;
	return 0;
}

int report_values_branches(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	int *branches = field;

	*branches = !negated;
	return 0;
}

/* Numbers with commas between them; any may be missing. */
int report_values_widths(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	enum { WIDEST = 10000 };
	const char **widths = field, *rest = arg;
	struct str_part part;

	while (str_split(&rest, ',', &part)) {
		uint64_t width = 0;

		for (size_t i = 0; i < part.size && width <= WIDEST; i++) {
			if (part.text[i] < '0' || part.text[i] > '9')
				return err_set(err, -EINVAL, "'%s' is no list of widths", arg);
			width = width * 10 + (uint64_t)(part.text[i] - '0');
		}
		if (width > WIDEST)
			return err_set(err, -EINVAL, "'%s': no column is wider than %d", arg,
				       WIDEST);
	}
	*widths = arg;
	return 0;
}

/* A number with ns, us, ms or s behind it. */
int report_values_quantum(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	uint64_t *quantum_ns = field;
	char *end;
	uint64_t number = strtoull(arg, &end, 10);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (end > arg && number > 0 && number < UINT64_MAX / 1000000000 &&
		    strcmp(end, units[i].unit) == 0) {
			*quantum_ns = number * units[i].ns;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "'%s' is no length of time: a number and ns, us, ms or s",
		       arg);
}

int report_values_parallelism(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_ids(field, arg, true, "numbers of threads", err);
}
