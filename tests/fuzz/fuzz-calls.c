/*
 * fuzz-calls.c - any bytes as the two records of any system call of any machine.
 *
 * The first bytes choose the ABI and say how long the entry's raw bytes are; the rest is the
 * exit's.
 */
#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "format/callfiles.h"
#include "format/callvalues.h"
#include "fuzz.h"

/* Looks at all that values borrow. */
static size_t look(const struct callvalues *values)
{
	size_t sum = 0;

	for (size_t i = 0; i < values->count; i++) {
		const struct callvalue *value = &values->items[i];

		assert(value->span <= values->count - i);
		if (value->kind == CALLVALUE_TEXT)
			for (size_t at = 0; at < value->size; at++)
				sum += (unsigned char)value->text[at];
		else if (value->text)
			sum += strlen(value->text);
	}
	return sum;
}

static void take_files(struct callfiles *files, const struct callitems *items, const char **paths)
{
	struct callitem item;

	for (size_t at = 0; callitems_next(items, &at, &item);)
		if (item.head.what == CALLCOPY_FILE)
			paths[item.head.arg % CALLCASE_PATHS] = callfiles_take(files, &item);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *paths[CALLCASE_PATHS] = { 0 };
	struct callvalues values = { 0 };
	struct callfiles files = { 0 };
	struct callitems enter, exit;
	struct callcase call = { .enter = &enter, .paths = paths };
	size_t enter_size;

	if (size < 3)
		return 0;
	call.abi = bytes[0] % CALLABI_COUNT;
	enter_size = bytes[1] | (size_t)bytes[2] << 8;
	bytes += 3;
	size -= 3;
	if (enter_size > size)
		enter_size = size;
	if (callitems_enter(bytes, enter_size, false, &enter) < 0)
		return 0;
	call.spec = callspec_find(call.abi, enter.number);
	if (callitems_exit(bytes + enter_size, size - enter_size, false, &exit) == 0)
		call.exit = &exit;
	if (call.spec) {
		take_files(&files, &enter, paths);
		if (call.exit)
			take_files(&files, &exit, paths);
		callvalues_args(&values, &call, CALLVALUES_ALL);
		(void)look(&values);
		callvalues_args(&values, &call, CALLVALUES_LATE);
		(void)look(&values);
		if (call.exit)
			callvalues_result(&values, &call);
		(void)look(&values);
	}
	callvalues_done(&values);
	callfiles_done(&files);
	return 0;
}
