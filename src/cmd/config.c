/* config.c - "strobe config": what the files of settings say, and changes to them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/settings-edit.h"
#include "base/settings.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/known-settings.h"
#include "cmd/preset.h"
#include "cmd/remark.h"

struct config {
	bool list, system, user, unset;
};

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_FLAG, 'l', "list", NULL, FIELD(list),
	  "Show all settings (the same as without SETTING)", .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "system", NULL, FIELD(system),
	  "Only /etc/perfconfig: show it, or change it", .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "user", NULL, FIELD(user),
	  "Only your own files: show them, or change yours", .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "unset", NULL, FIELD(unset),
	  "Take the settings that are named out of the file", .flags = OPT_NO_NEGATE },
	{ .kind = OPT_END },
};

static void print(const struct setting *setting)
{
	printf("%s=%s\n", setting->name, setting->value);
}

static int check_value(const char *name, const char *value, struct strobe_err *err)
{
	int r;

	if (!*value) {
		err_set(err, -EINVAL, "'%s=' has no value", name);
		return err_hint(err, -EINVAL, "'strobe config --unset %s' takes it away", name);
	}
	r = known_settings_check(name, value, err);
	if (r == 0)
		remark("'%s' is written, but nothing reads it", name);
	return r < 0 ? r : 0;
}

static int check_word(const struct config *c, const char *word, struct strobe_err *err)
{
	const char *equals = strchr(word, '=');
	_cleanup_(freep) char *name = xstrndup(word, strcspn(word, "="));
	int r = 0;

	/* What is only shown may have any name that a file can have. */
	if (equals || c->unset || !strchr(name, '.') || name[0] == '.')
		r = settings_check_name(name, err);
	if (r == 0 && equals && c->unset)
		r = err_set(err, -EINVAL, "--unset takes names alone, not '%s'", word);
	return r == 0 && equals ? check_value(name, equals + 1, err) : r;
}

static int check_words(const struct config *c, int count, const char **words,
		       struct strobe_err *err)
{
	int r = 0;

	if (c->unset && count == 0)
		return err_set(err, -EINVAL, "--unset wants the name of a setting");
	for (int i = 0; r == 0 && i < count; i++)
		r = check_word(c, words[i], err);
	return r;
}

/* A folder for each part of the path that has none. */
static void make_folders(const char *path)
{
	_cleanup_(freep) char *folder = xstrdup(path);

	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(folder, 0700);
		*slash = '/';
	}
}

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		bytes += done;
		size -= (size_t)done;
	}
	return true;
}

/* All of the file or nothing: it is written beside the old one, and then takes its place. */
static int replace(const char *path, const struct str *text, struct strobe_err *err)
{
	_cleanup_(str_done) struct str name = { 0 };
	_cleanup_(closep) int fd = -1;
	struct stat status;
	mode_t mode = 0600;

	if (stat(path, &status) == 0)
		mode = status.st_mode & 07777;
	str_addf(&name, "%s.XXXXXX", path);
	fd = mkostemp(name.text, O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "cannot write the settings to '%s'", path);
	if (write_all(fd, text->text, text->size) && fchmod(fd, mode) == 0 &&
	    rename(name.text, path) == 0)
		return 0;
	(void)err_errno(err, "cannot write the settings to '%s'", path);
	(void)unlink(name.text);
	return err ? err->code : -EIO;
}

/* Without a value: takes it out. */
static int change(const char *path, const char *name, const char *value, struct strobe_err *err)
{
	_cleanup_(str_done) struct str old = { 0 }, new = { 0 };
	/* A link stays one. */
	_cleanup_(freep) char *real = realpath(path, NULL);
	struct stat status;
	int r;

	if (!real && !value)
		return 0;
	if (!real)
		make_folders(path);
	else if (stat(real, &status) == 0 && !S_ISREG(status.st_mode))
		return err_set(err, -EINVAL, "'%s' is no file to write settings to", path);
	r = real ? settings_read(real, &old, err) : 0;
	if (r < 0)
		return r;
	if (value)
		settings_edit(str_text(&old), old.size, name, value, &new);
	else
		settings_edit_unset(str_text(&old), old.size, name, &new);
	return replace(real ? real : path, &new, err);
}

static int find_output(enum preset_files files, struct str *ret_path, struct strobe_err *err)
{
	if (preset_output(files, ret_path))
		return 0;
	err_set(err, -ENOENT, "there is no folder for your settings");
	return err_hint(err, -ENOENT, "set HOME or XDG_CONFIG_HOME");
}

/* SECTION.NAME=VALUE */
static int write_word(enum preset_files files, const char *word, struct strobe_err *err)
{
	const char *equals = strchr(word, '=');
	_cleanup_(freep) char *name = xstrndup(word, (size_t)(equals - word));
	_cleanup_(str_done) struct str path = { 0 };
	int r = find_output(files, &path, err);

	return r < 0 ? r : change(path.text, name, equals + 1, err);
}

/* @setting is what holds now; it may come from a file that is not ours to change. */
static int unset(enum preset_files files, const char *name, const struct setting *setting,
		 struct strobe_err *err)
{
	_cleanup_(str_done) struct str path = { 0 };
	int r = find_output(files, &path, err);

	if (r < 0)
		return r;
	if (!setting)
		return err_set(err, -ENOENT, "'%s' is not set", name);
	if (strcmp(setting->path, path.text) == 0)
		return change(path.text, name, NULL, err);
	err_set(err, -ENOENT, "'%s' is not set in '%s'", name, path.text);
	return err_hint(err, -ENOENT, "it stands in '%s', line %u", setting->path, setting->line);
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { 0 };
	int first = opt_parse_mixed(options, argc, argv, &c, err), r;
	enum preset_files files = PRESET_ALL;
	const struct settings *settings;

	if (first < 0)
		return first;
	if (c.system && c.user)
		return cmd_usage(
			err_set(err, -EINVAL, "--system and --user: one of them is too many"));
	if (c.list && first < argc)
		return cmd_usage(err_set(err, -EINVAL, "--list takes no '%s'", argv[first]));
	r = check_words(&c, argc - first, argv + first, err);
	if (r < 0)
		return cmd_usage(r);
	if (c.system || c.user)
		files = c.system ? PRESET_SYSTEM : PRESET_USER;
	settings = preset_settings(files);
	for (size_t i = 0; first == argc && i < settings->count; i++)
		print(&settings->items[i]);
	for (int i = first; r == 0 && i < argc; i++) {
		const struct setting *setting = settings_find(settings, argv[i]);

		if (c.unset)
			r = unset(files, argv[i], setting, err);
		else if (strchr(argv[i], '='))
			r = write_word(files, argv[i], err);
		else if (setting)
			print(setting);
	}
	return r;
}

const struct cmd cmd_config = {
	.name = "config",
	.summary = "Show and change settings",
	.usage = "[SECTION.NAME[=VALUE]...]",
	.options = options,
	.run = run,
};
