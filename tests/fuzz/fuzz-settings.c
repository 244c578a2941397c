/* fuzz-settings.c - any bytes as a file of settings: a changed text says what it was changed to. */
#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/settings-edit.h"
#include "base/settings.h"
#include "base/str.h"
#include "fuzz.h"

/* What is found under the name of a setting is it, and no other has its name. */
static void check_names(const struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++)
		assert(settings_find(settings, settings->items[i].name) == &settings->items[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char value[] = " a  \"#\\";
	struct settings before = { 0 }, after = { 0 };
	struct str text = { 0 };
	int r = settings_parse(&before, (const char *)bytes, size, "x", NULL);

	check_names(&before);
	/* Behind damage anything may be: an open quote, a bad header. */
	if (r == 0) {
		const struct setting *found;

		settings_edit((const char *)bytes, size, "report.key", value, &text);
		(void)settings_parse(&after, str_text(&text), text.size, "x", NULL);
		found = settings_find(&after, "report.key");
		assert(found && strcmp(found->value, value) == 0);
		assert(after.count - before.count <= 1);
	}
	settings_done(&before);
	settings_done(&after);
	str_done(&text);
	return 0;
}
