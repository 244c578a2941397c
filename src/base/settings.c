/* settings.c - see settings.h. */
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/settings-scan.h"
#include "base/str.h"

enum { FILE_MOST = 1024 * 1024 }; /* bytes; what is longer was not written by hand */

static char fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '-' ? '_' : c;
}

static bool is_same(const char *name, const char *other, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (fold(name[i]) != fold(other[i]) || name[i] == '\0')
			return false;
	return true;
}

bool settings_is_name(const char *name, const char *other)
{
	size_t size = strlen(name);

	return strlen(other) == size && is_same(name, other, size);
}

int settings_check_name(const char *name, struct strobe_err *err)
{
	const char *dot = strchr(name, '.');

	if (!dot || dot == name)
		return err_set(err, -EINVAL, "'%s' has no section: a setting is SECTION.NAME",
			       name);
	if (!settings_scan_is_key(name) || !settings_scan_is_key(dot + 1))
		return err_set(err, -EINVAL, "'%s' cannot be the name of a setting", name);
	return 0;
}

/* Equal names have equal hashes. */
static uint64_t hash_of(const char *name, size_t size)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < size; i++)
		hash = hash_u64(hash ^ (uint8_t)fold(name[i]));
	return hash;
}

static uint32_t find(const struct settings *settings, const char *name)
{
	uint64_t hash = hash_of(name, strlen(name));
	struct index index = settings->by_name; /* a look-up moves it */
	uint32_t at = index_first(&index, hash);

	while (at != INDEX_NONE && !settings_is_name(settings->items[at].name, name))
		at = index_next(&index, hash);
	return at;
}

const struct setting *settings_find(const struct settings *settings, const char *name)
{
	uint32_t at = find(settings, name);

	return at != INDEX_NONE ? &settings->items[at] : NULL;
}

static void index_setting(struct settings *settings, size_t i)
{
	const char *name = settings->items[i].name;

	index_add(&settings->by_name, hash_of(name, strlen(name)), (uint32_t)i);
}

static void add(struct settings *settings, const struct settings_scan *scan, const char *path)
{
	_cleanup_(str_done) struct str name = { 0 };
	struct setting *setting;
	uint32_t at;

	str_addf(&name, "%s.%s", str_text(&scan->section), str_text(&scan->key));
	at = find(settings, name.text);
	if (at != INDEX_NONE) {
		setting = &settings->items[at];
		free(setting->value);
		free(setting->path);
	} else {
		grow(settings);
		setting = &settings->items[settings->count++];
		*setting = (struct setting){ .name = str_take(&name),
					     .section_size = scan->section.size };
		index_setting(settings, settings->count - 1);
	}
	setting->value = xstrdup(str_text(&scan->value));
	setting->path = xstrdup(path);
	setting->line = scan->line;
}

/* Numbers each setting's section by when it came up; returns how many sections there are. */
static size_t number_sections(const struct settings *settings, size_t *numbers)
{
	_cleanup_(index_done) struct index by_section = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *setting = &settings->items[i];
		uint64_t hash = hash_of(setting->name, setting->section_size);
		uint32_t at = index_first(&by_section, hash);

		/* The index has the first setting of each section. */
		while (at != INDEX_NONE &&
		       !(settings->items[at].section_size == setting->section_size &&
			 is_same(settings->items[at].name, setting->name, setting->section_size)))
			at = index_next(&by_section, hash);
		if (at == INDEX_NONE)
			index_add(&by_section, hash, (uint32_t)i);
		numbers[i] = at == INDEX_NONE ? count++ : numbers[at];
	}
	return count;
}

/* Puts settings of one section together, and leaves their order as it is. */
static void group(struct settings *settings)
{
	size_t *numbers = xcalloc(settings->count + 1, sizeof(*numbers));
	size_t sections = number_sections(settings, numbers);
	size_t *next = xcalloc(sections + 1, sizeof(*next));
	struct setting *grouped = xcalloc(settings->count + 1, sizeof(*grouped));

	for (size_t i = 0; i < settings->count; i++)
		next[numbers[i] + 1]++;
	for (size_t i = 0; i < sections; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < settings->count; i++)
		grouped[next[numbers[i]]++] = settings->items[i];
	if (settings->count > 0)
		memcpy(settings->items, grouped, settings->count * sizeof(*grouped));
	free(grouped);
	free(next);
	free(numbers);
	index_done(&settings->by_name);
	for (size_t i = 0; i < settings->count; i++)
		index_setting(settings, i);
}

int settings_parse(struct settings *settings, const char *text, size_t size, const char *path,
		   struct strobe_err *err)
{
	_cleanup_(settings_scan_done) struct settings_scan scan = settings_scan_begin(text, size);

	while (settings_scan_next(&scan))
		add(settings, &scan, path);
	group(settings);
	if (scan.bad_count > 1)
		return err_set(err, -EINVAL, "'%s', line %u: this is no setting (nor are %u more)",
			       path, scan.bad_line, scan.bad_count - 1);
	if (scan.bad_count > 0)
		return err_set(err, -EINVAL, "'%s', line %u: this is no setting", path,
			       scan.bad_line);
	return 0;
}

int settings_read(const char *path, struct str *ret_text, struct strobe_err *err)
{
	/* Whoever names the file may mean a pipe or a terminal. */
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char bytes[4096];
	struct stat status;
	ssize_t size;

	if (fd < 0 || fstat(fd, &status) < 0)
		return err_errno(err, "cannot read the settings in '%s'", path);
	if (!S_ISREG(status.st_mode))
		return err_set(err, -ENOENT, "'%s' is no file", path);
	if (status.st_uid != 0 && status.st_uid != geteuid())
		return err_set(err, -EPERM, "the settings in '%s' belong to another user", path);
	str_clear(ret_text);
	while ((size = read(fd, bytes, sizeof(bytes))) > 0 && ret_text->size <= FILE_MOST)
		str_add_bytes(ret_text, bytes, (size_t)size);
	if (size < 0)
		return err_errno(err, "cannot read the settings in '%s'", path);
	/* Not the half of it: it may be about to be written back. */
	if (ret_text->size > FILE_MOST)
		return err_set(err, -EFBIG, "'%s' is too large for settings: more than 1 MiB",
			       path);
	return 0;
}

int settings_load(struct settings *settings, const char *path, struct strobe_err *err)
{
	_cleanup_(str_done) struct str text = { 0 };
	int r = settings_read(path, &text, err);

	return r < 0 ? r : settings_parse(settings, str_text(&text), text.size, path, err);
}

void settings_done(struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		free(settings->items[i].name);
		free(settings->items[i].value);
		free(settings->items[i].path);
	}
	free(settings->items);
	index_done(&settings->by_name);
	*settings = (struct settings){ 0 };
}
