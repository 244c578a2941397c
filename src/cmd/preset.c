/* preset.c - see preset.h. */
#include "cmd/preset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/settings.h"
#include "base/str.h"
#include "cmd/remark.h"

#define SYSTEM_PATH "/etc/perfconfig"

/* NULL, if it is empty or there is none. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static bool perf_path(struct str *ret_path)
{
	const char *home = variable("HOME");

	if (home)
		str_addf(ret_path, "%s/.perfconfig", home);
	return home != NULL;
}

static bool own_path(struct str *ret_path)
{
	const char *config = variable("XDG_CONFIG_HOME"), *home = variable("HOME");

	if (config)
		str_addf(ret_path, "%s/strobe/config", config);
	else if (home)
		str_addf(ret_path, "%s/.config/strobe/config", home);
	return config || home;
}

static void load(struct settings *settings, const char *path)
{
	struct strobe_err err = { 0 };
	int r = settings_load(settings, path, &err);

	/* The home folder may be somebody else's, as after su: what cannot be seen is not there. */
	if (r < 0 && r != -ENOENT && r != -ENOTDIR && access(path, F_OK) == 0)
		remark("%s", err.text);
}

static void load_all(enum preset_files files, struct settings *settings)
{
	_cleanup_(str_done) struct str perf = { 0 }, own = { 0 };
	const char *only = files == PRESET_ALL ? variable("PERF_CONFIG") : NULL;

	if (only) {
		load(settings, only);
		return;
	}
	if (files != PRESET_USER)
		load(settings, SYSTEM_PATH);
	if (files == PRESET_SYSTEM)
		return;
	if (perf_path(&perf))
		load(settings, perf.text);
	if (own_path(&own))
		load(settings, own.text);
}

const struct settings *preset_settings(enum preset_files files)
{
	/* Texts of them stay in configs. */
	static struct {
		struct settings settings;
		bool is_loaded;
	} loaded[PRESET_USER + 1];

	if (!loaded[files].is_loaded)
		load_all(files, &loaded[files].settings);
	loaded[files].is_loaded = true;
	return &loaded[files].settings;
}

bool preset_output(enum preset_files files, struct str *ret_path)
{
	const char *only = files == PRESET_ALL ? variable("PERF_CONFIG") : NULL;

	str_clear(ret_path);
	if (!only && files != PRESET_SYSTEM)
		return own_path(ret_path);
	str_add(ret_path, only ? only : SYSTEM_PATH);
	return true;
}

void preset_apply(const struct opt *table, void *config)
{
	const struct settings *settings = preset_settings(PRESET_ALL);

	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		const struct setting *s = o->key ? settings_find(settings, o->key) : NULL;
		struct strobe_err err = { 0 };

		if (s && opt_set(o, s->value, config, &err) < 0)
			remark("'%s', line %u: '%s' is left out: %s", s->path, s->line, s->name,
			       err.text);
	}
}
