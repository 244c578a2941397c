/* debuginfo-advice.c - see debuginfo-advice.h. */
#include "cmd/debuginfo-advice.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "symbol/findings.h"

__attribute__((format(printf, 2, 3))) static void add(struct debuginfo_advice *advice,
						      const char *format, ...)
{
	_cleanup_(str_done) struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	grow(advice);
	advice->items[advice->count++] = arena_strdup(&advice->arena, str_text(&text));
}

void debuginfo_advice_done(struct debuginfo_advice *advice)
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

static void advise_debug_file(struct debuginfo_advice *advice, const struct findings *findings)
{
	if (findings->build_id_size == 0 || !is_of_distribution(findings->path)) {
		add(advice, "compile and link it with -g, and do not strip it");
		return;
	}
	add(advice, "install the package of its debug information");
	if (!getenv("DEBUGINFOD_URLS"))
		add(advice, "or set DEBUGINFOD_URLS=%s, from where it is fetched by its build-id",
		    distribution_server());
}

static void advise_file(struct debuginfo_advice *advice, const struct findings *findings)
{
	bool is_other = false;

	for (size_t i = 0; i < findings->tries.count; i++)
		is_other |= findings->tries.items[i].verdict == DEBUGFILE_OTHER_BUILD_ID;
	if (is_other)
		add(advice, "what lies there now is not what ran: record again, or keep a copy of "
			    "the file and name its folder by --symfs");
	else
		add(advice, "copy the file from where it was recorded, and name its folder by "
			    "--symfs");
}

void debuginfo_advice_add(struct debuginfo_advice *advice, const struct findings *findings)
{
	const struct findings_dwarf *dwarf = &findings->dwarf;

	if (!findings->path) {
		advise_file(advice, findings);
		return;
	}
	if (findings_names(findings) != FINDINGS_ALL_NAMES || !dwarf->path)
		advise_debug_file(advice, findings);
	if (dwarf->alt_name && !dwarf->alt_path)
		add(advice,
		    "put '%s' back to where its name says: what it has in common with "
		    "others is there",
		    dwarf->alt_name);
	if (dwarf->traits.split_name)
		add(advice, "keep '%s' and the like where they were built",
		    dwarf->traits.split_name);
	if (findings->frames.count == 0)
		add(advice, "compile it with -fasynchronous-unwind-tables or "
			    "-fno-omit-frame-pointer, to have call chains through it");
}
