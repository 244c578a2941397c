/* fields-check.c - see fields-check.h. */
#include "analyze/fields-check.h"

#include <errno.h>

#include "analyze/fields.h"
#include "analyze/sortkey.h"
#include "base/err.h"
#include "object/insn.h"

int fields_check_latency(const char *name, struct strobe_err *err)
{
	err_set(err, -ENODATA, "'%s' needs to know when threads ran", name);
	return err_hint(err, -ENODATA, "record with --switch-events");
}

/* Instructions per cycle are known by branch stacks, whatever samples are told apart by. */
static bool tells_ipc(const struct sortkey *key, const struct fields_options *options)
{
	return key->id == SORTKEY_IPC_LBR && options->branch_history;
}

int fields_check_key(const struct sortkey *key, const struct fields_options *options,
		     struct strobe_err *err)
{
	if (key->of_history && !options->branch_history) {
		err_set(err, -EINVAL, "'%s' is about branches in call chains", key->name);
		return err_hint(err, -EINVAL, "add --branch-history");
	}
	if (key->of_branch && !tells_ipc(key, options) && !options->branches) {
		err_set(err, -EINVAL, "'%s' needs branch stacks", key->name);
		return err_hint(err, -EINVAL, "record with -b; see --branch-stack");
	}
	if (key->id == SORTKEY_IPC_LBR && options->stream)
		return err_set(err, -EINVAL,
			       "'%s' needs to read all branches first, not as they come",
			       key->name);
	if (key->of_memory && !options->memory) {
		err_set(err, -EINVAL, "'%s' is about accesses to memory", key->name);
		return err_hint(err, -EINVAL, "add --mem-mode");
	}
	if (key->of_data && !insn_is_there())
		return err_set(err, -EINVAL,
			       "'%s' needs to read instructions, and this strobe was built without "
			       "a disassembler",
			       key->name);
	if (key->id == SORTKEY_PARALLELISM && !options->latency)
		return fields_check_latency(key->name, err);
	return 0;
}

int fields_check_class(enum measure measure, bool is_field, const struct fields_options *options,
		       struct strobe_err *err)
{
	const char *name = measure_name(measure);

	if (!options->memory) {
		err_set(err, -EINVAL, "'%s' is about accesses to memory", name);
		return err_hint(err, -EINVAL, "add --mem-mode");
	}
	if (!is_field) {
		err_set(err, -EINVAL, "'%s' is several columns, and nothing to sort by", name);
		return err_hint(err, -EINVAL, "-F +%s adds them", name);
	}
	return 0;
}
