/* sdt-probes.c - see sdt-probes.h. */
#include "symbol/sdt-probes.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "base/mem.h"
#include "base/str.h"

static void read_names(const char *path, struct strings *names)
{
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		if (line[0] != '%')
			continue;
		line[strcspn(line, "=\n")] = '\0';
		(void)strings_keep(names, line + 1);
	}
}

/* Calls @visit with DIR/NAME for each name in a folder, hidden ones left out. */
static void each_in(const char *path, void (*visit)(const char *, struct strings *),
		    struct strings *names)
{
	_cleanup_(closedirp) DIR *dir = opendir(path);
	_cleanup_(str_done) struct str below = { 0 };
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		str_clear(&below);
		str_addf(&below, "%s/%s", path, entry->d_name);
		visit(str_text(&below), names);
	}
}

static void visit_object(const char *path, struct strings *names)
{
	_cleanup_(str_done) struct str file = { 0 };

	str_addf(&file, "%s/probes", path);
	read_names(str_text(&file), names);
}

static void visit_pair(const char *path, struct strings *names)
{
	each_in(path, visit_object, names);
}

void sdt_probes_list(const char *folder, struct strings *ret_names)
{
	_cleanup_(str_done) struct str path = { 0 };

	*ret_names = (struct strings){ 0 };
	str_addf(&path, "%s/.build-id", folder);
	each_in(str_text(&path), visit_pair, ret_names);
}
