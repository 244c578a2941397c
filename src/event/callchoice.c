/* callchoice.c - see callchoice.h. */
#include "event/callchoice.h"

#include <string.h>

#include "base/glob.h"
#include "base/str.h"
#include "base/suggest.h"
#include "format/callspec.h"

/* Calls that the headers name otherwise than the kernel's tracepoints. */
static const struct {
	const char *word, *name;
} aliases[] = {
	{ "newfstat", "fstat" },         { "newlstat", "lstat" },      { "newstat", "stat" },
	{ "newuname", "uname" },         { "sendfile64", "sendfile" }, { "umount", "umount2" },
	{ "fstatat", "newfstatat" },     { "pread", "pread64" },       { "pwrite", "pwrite64" },
	{ "sigaction", "rt_sigaction" }, { "select", "pselect6" },
};

static bool matches(const char *word, unsigned group, const struct callspec *spec)
{
	return group ? (spec->groups & group) != 0 : glob_match(word, spec->name);
}

static bool add_matching(struct callchoice *choice, const char *word, unsigned group)
{
	bool any = false;

	for (enum callabi abi = 0; abi < CALLABI_COUNT; abi++)
		for (unsigned i = 0; i < CALLCOPY_CALLS; i++) {
			const struct callspec *spec = callspec_find(abi, i);

			if (!spec || !matches(word, group, spec))
				continue;
			choice->named[abi][i] = true;
			any = true;
		}
	return any;
}

bool callchoice_add(struct callchoice *choice, const char *word)
{
	const char *plain = str_after(word, "%");
	unsigned group = callspec_group(plain ? plain : word);

	if (plain && !group)
		return false;
	if (!add_matching(choice, word, group)) {
		size_t i = 0, count = sizeof(aliases) / sizeof(*aliases);

		while (i < count && strcmp(aliases[i].word, word) != 0)
			i++;
		if (i == count || !add_matching(choice, aliases[i].name, 0))
			return false;
	}
	choice->is_named = true;
	return true;
}

const char *callchoice_nearest(const char *word)
{
	struct suggest suggest = { .typed = word };

	for (enum callabi abi = 0; abi < CALLABI_COUNT; abi++)
		for (unsigned i = 0; i < CALLCOPY_CALLS; i++) {
			const struct callspec *spec = callspec_find(abi, i);

			if (spec)
				suggest_try(&suggest, spec->name);
		}
	return suggest.name;
}

bool callchoice_wants(const struct callchoice *choice, enum callabi abi, uint64_t number)
{
	const uint64_t x32_bit = 0x40000000;

	if (!choice->is_named)
		return true;
	if (abi == CALLABI_X86_64)
		number &= ~x32_bit;
	if (number >= CALLCOPY_CALLS)
		return choice->is_inverse;
	return choice->named[abi][number] != choice->is_inverse;
}
