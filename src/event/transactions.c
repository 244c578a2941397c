/* transactions.c - see transactions.h. */
#include "event/transactions.h"

#include <errno.h>

#include "base/err.h"
#include "base/str.h"
#include "kernel/pmu.h"

/* A group, since one is set beside the other; elision is told by those CPUs that have it. */
int transactions_add_events(const char *root, struct str *text, struct strobe_err *err)
{
	if (!pmu_names_event(root, "cpu", "cycles-t") || !pmu_names_event(root, "cpu", "tx-start"))
		return err_set(err, -ENODEV, "this CPU has no transactional memory events");
	str_add(text, "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/");
	if (pmu_names_event(root, "cpu", "el-start") && pmu_names_event(root, "cpu", "cycles-ct"))
		str_add(text, ",cpu/el-start/,cpu/cycles-ct/");
	str_add(text, "}");
	return 0;
}
