/* advice.c - see advice.h. */
#include "cmd/advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "cmd/debug-package.h"

void advice_add(struct advice *advice, const char *format, ...)
{
	_cleanup_(str_done) struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	grow(advice);
	advice->items[advice->count++] = arena_strdup(&advice->arena, str_text(&text));
}

void advice_done(struct advice *advice)
{
	free(advice->items);
	arena_done(&advice->arena);
}

/* Servers of debug information, by what os-release(5) calls a distribution. */
static const char *server_of(const char *id)
{
	static const struct {
		const char *id, *url;
	} servers[] = {
		{ "debian", "https://debuginfod.debian.net" },
		{ "ubuntu", "https://debuginfod.ubuntu.com" },
		{ "fedora", "https://debuginfod.fedoraproject.org" },
		{ "centos", "https://debuginfod.centos.org" },
		{ "arch", "https://debuginfod.archlinux.org" },
		{ "opensuse", "https://debuginfod.opensuse.org" },
	};

	for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
		if (str_after(id, servers[i].id))
			return servers[i].url;
	}
	return NULL;
}

static const char *distribution_server(void)
{
	_cleanup_(fclosep) FILE *file = fopen("/etc/os-release", "re");
	_cleanup_(freep) char *line = NULL;
	const char *url = NULL;
	size_t size = 0;

	while (file && !url && getline(&line, &size, file) > 0) {
		const char *id = str_after(line, "ID=");

		if (id)
			url = server_of(id + strspn(id, "\"'"));
	}
	return url ? url : "https://debuginfod.elfutils.org";
}

/* What a package manager has put there. */
static bool is_of_distribution(const char *path)
{
	return (str_after(path, "/usr/") && !str_after(path, "/usr/local/")) ||
	       str_after(path, "/lib") || str_after(path, "/bin/") || str_after(path, "/sbin/");
}

void advice_add_debug_file(struct advice *advice, const char *path, bool has_build_id)
{
	_cleanup_(str_done) struct str package = { 0 };

	if (!has_build_id || !is_of_distribution(path)) {
		advice_add(advice, "compile and link it with -g, and do not strip it");
		return;
	}
	debug_package_add(&package, path);
	if (package.size > 0)
		advice_add(advice, "apt install %s", package.text);
	else
		advice_add(advice, "install the package of its debug information");
	if (!getenv("DEBUGINFOD_URLS"))
		advice_add(advice,
			   "or set DEBUGINFOD_URLS=%s, from where it is fetched by its build-id",
			   distribution_server());
}

void advice_add_other_file(struct advice *advice)
{
	advice_add(advice, "what lies there now is not what ran: record again, or keep a copy of "
			   "the file and name its folder by --symfs");
}

void advice_add_missing_file(struct advice *advice)
{
	advice_add(advice, "copy the file from where it was recorded, and name its folder by "
			   "--symfs");
}
