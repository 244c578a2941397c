/* fuzz-formula.c - any text as the formula of a metric, and as a pattern of names. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/mem.h"
#include "format/metric-formula.h"
#include "fuzz.h"

static void calculate(const struct metric_formula *formula)
{
	size_t count = metric_formula_count(formula);
	double *values = xcalloc(count + 1, sizeof(*values)), value;

	for (size_t i = 0; i < count; i++) {
		assert(metric_formula_name(formula, i)[0]);
		values[i] = i % 3 ? (double)i : 0;
	}
	if (metric_formula_value(formula, values, &value))
		assert(isfinite(value));
	free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = xstrndup((const char *)bytes, size);
	struct metric_formula *formula = NULL;

	if (metric_formula_parse(text, &formula, NULL) == 0)
		calculate(formula);
	metric_formula_free(formula);
	(void)glob_match(text, "sched_switch");
	(void)glob_match_case("S*[a-z]_?*h", text);
	free(text);
	return 0;
}
