#include "event/stackmode.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

uint32_t stackmode_size(uint64_t size)
{
	if (size > STACKMODE_SIZE_MAX)
		return 0;
	return (uint32_t)((size + 7) & ~UINT64_C(7));
}

static int parse_stack(const char *text, uint64_t size, struct stackmode *stackmode,
		       struct strobe_err *err)
{
	if (text && !str_to_size(text, &size))
		return err_set(err, -EINVAL, "'%s' is not a size for a stack copy", text);
	stackmode->stack_size = stackmode_size(size);
	if (!stackmode->stack_size) {
		err_set(err, -EINVAL, "a stack copy of %s bytes is not possible", text);
		return err_hint(err, -EINVAL, "1 to %d bytes are", STACKMODE_SIZE_MAX);
	}
	return 0;
}

static int parse_frames(const char *text, struct stackmode *stackmode, struct strobe_err *err)
{
	uint64_t frames = 0;

	if (!text)
		return 0;
	if (!strcmp(text, "defer")) {
		stackmode->is_deferred = true;
		return 0;
	}
	if (!str_to_u64(text, &frames) || frames == 0 || frames > UINT16_MAX)
		return err_set(err, -EINVAL, "'%s' is not a number of frames", text);
	stackmode->max_frames = (uint16_t)frames;
	return 0;
}

int stackmode_parse(const char *text, struct stackmode *ret_stackmode, struct strobe_err *err)
{
	struct stackmode stackmode = { .kind = STACKMODE_NONE };
	const char *rest = text;
	struct str_part kind;
	int r = 0;

	(void)str_split(&rest, ',', &kind);
	if (str_part_is(kind, "fp")) {
		stackmode.kind = STACKMODE_FP;
		r = parse_frames(rest, &stackmode, err);
	} else if (str_part_is(kind, "dwarf")) {
		stackmode.kind = STACKMODE_DWARF;
		r = parse_stack(rest, STACKMODE_SIZE_DEFAULT, &stackmode, err);
	} else if (str_part_is(kind, "auto")) {
		stackmode.kind = STACKMODE_AUTO;
		r = parse_stack(rest, STACKMODE_SIZE_SMALL, &stackmode, err);
	} else if (str_part_is(kind, "lbr") || str_part_is(kind, "no")) {
		if (str_part_is(kind, "lbr"))
			stackmode.kind = STACKMODE_LBR;
		if (rest)
			r = err_set(err, -EINVAL, "nothing can follow in call graph '%s'", text);
	} else {
		err_set(err, -EINVAL, "unknown call graph '%s'", text);
		r = err_hint(err, -EINVAL, "fp, dwarf[,SIZE], auto[,SIZE] or lbr");
	}
	if (r == 0)
		*ret_stackmode = stackmode;
	return r;
}
