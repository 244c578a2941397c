#include "event/probe-term.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "event/eventlist.h"
#include "event/term-common.h"
#include "event/term.h"
#include "kernel/pmu.h"

/* The kernel reads the text where attr points, when the event is opened. */
static int set_name(const struct term *term, struct event_spec *event, struct strobe_err *err)
{
	if (!term->value || !term->value[0])
		return err_set(err, -EINVAL, "term '%s' wants a value", term->name);
	free(event->probed);
	event->probed = xstrdup(term->value);
	event->attr.config1 = (uintptr_t)event->probed;
	return 0;
}

static int set_number(const struct term *term, uint64_t max, uint64_t *ret_value,
		      struct strobe_err *err)
{
	if (!term->value)
		return err_set(err, -EINVAL, "term '%s' wants a value", term->name);
	return term_common_number(term, max, ret_value, err);
}

static int set_counter(const struct pmu *pmu, const struct term *term, struct event_spec *event,
		       struct strobe_err *err)
{
	const struct pmu_format *format = pmu_find_format(pmu, "ref_ctr_offset");
	uint64_t offset = 0, bits;
	int r = set_number(term, UINT32_MAX, &offset, err);

	if (r < 0)
		return r;
	if (!format || pmu_format_value(format, offset, &bits) < 0)
		return err_set(err, -EINVAL, "this kernel's uprobes have no 'ref_ctr'");
	event->attr.config |= bits;
	return 0;
}

bool probe_term_is_pmu(const struct pmu *pmu)
{
	return !strcmp(pmu->name, "uprobe") || !strcmp(pmu->name, "kprobe");
}

int probe_term_apply(const struct pmu *pmu, const struct term *term, struct event_spec *event,
		     struct strobe_err *err)
{
	bool is_user = !strcmp(pmu->name, "uprobe");

	if (!probe_term_is_pmu(pmu))
		return 1;
	if (!strcmp(term->name, is_user ? "path" : "func"))
		return set_name(term, event, err);
	if (!strcmp(term->name, "offset") || (!is_user && !strcmp(term->name, "addr")))
		return set_number(term, UINT64_MAX, &event->attr.config2, err);
	if (is_user && !strcmp(term->name, "ref_ctr"))
		return set_counter(pmu, term, event, err);
	return 1;
}
