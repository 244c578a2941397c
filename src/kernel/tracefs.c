#include "kernel/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "kernel/folder.h"

struct tracefs {
	char *path;
};

enum { CHUNK = 4096 };

static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static char *join(const char *dir, const char *rest)
{
	struct str path = { 0 };

	str_addf(&path, "%s/%s", dir, rest);
	return str_take(&path);
}

/* 0, or why the events in @place cannot be had: folders may be open where files are not. */
static int check_place(const char *place)
{
	_cleanup_(freep) char *events = join(place, "events");
	_cleanup_(freep) char *file = join(events, "header_event");

	/* By the rights that this process has and not, as access(2), by the user's. */
	if (faccessat(AT_FDCWD, events, R_OK | X_OK, AT_EACCESS) < 0)
		return -errno;
	return faccessat(AT_FDCWD, file, R_OK, AT_EACCESS) < 0 && errno == EACCES ? -EACCES : 0;
}

int tracefs_open(const char *root, struct tracefs **ret_tracefs, struct strobe_err *err)
{
	int result = -ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		_cleanup_(freep) char *place = join(root ? root : "", places[i] + 1);
		int r = check_place(place);

		if (r == 0) {
			*ret_tracefs = xnew(struct tracefs);
			(*ret_tracefs)->path = take(place);
			return 0;
		}
		if (r == -EACCES)
			result = r;
	}
	if (result == -EACCES) {
		err_set(err, result, "tracepoints in '%s' are not readable for this user",
			places[0]);
		/* What mode= says is of folders alone since Linux 5.16. */
		return err_hint(err, result,
				"as root: mount -o remount,gid=%u,mode=750 /sys/kernel/tracing",
				(unsigned)getgid());
	}
	err_set(err, result, "no tracepoints: tracefs is not mounted");
	return err_hint(err, result, "mount -t tracefs nodev /sys/kernel/tracing");
}

void tracefs_mount(void)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (check_place(places[i]) != -ENOENT)
			return;
	(void)mount("nodev", places[0], "tracefs", 0, NULL);
}

void tracefs_free(struct tracefs *tracefs)
{
	if (!tracefs)
		return;
	free(tracefs->path);
	free(tracefs);
}

const char *tracefs_path(const struct tracefs *tracefs)
{
	return tracefs->path;
}

/* A name that is one step of a path. */
static bool is_step(const char *name)
{
	return name[0] && name[0] != '.' && !strchr(name, '/');
}

int tracefs_event_id(const struct tracefs *tracefs, const char *system, const char *event,
		     uint64_t *ret_id)
{
	_cleanup_(str_done) struct str path = { 0 };
	_cleanup_(freep) char *text = NULL;
	size_t size;
	int r;

	if (!is_step(system) || !is_step(event))
		return -ENOENT;
	str_addf(&path, "events/%s/%s/id", system, event);
	r = tracefs_read(tracefs, str_text(&path), &text, &size);
	if (!text)
		return r < 0 ? r : -ENOENT;
	text[strcspn(text, "\n")] = '\0';
	return str_to_u64(text, ret_id) ? 0 : -ENOENT;
}

void tracefs_list_systems(const struct tracefs *tracefs, struct folder_names *ret_names)
{
	_cleanup_(freep) char *path = join(tracefs->path, "events");

	(void)folder_list_folders(path, ret_names);
}

void tracefs_list_events(const struct tracefs *tracefs, const char *system,
			 struct folder_names *ret_names)
{
	_cleanup_(freep) char *events = join(tracefs->path, "events");
	_cleanup_(freep) char *path = NULL;

	*ret_names = (struct folder_names){ 0 };
	if (!is_step(system))
		return;
	path = join(events, system);
	(void)folder_list_folders(path, ret_names);
}

/* The event of @system that has this id, to @name. */
static bool find_id(const struct tracefs *tracefs, const char *system, uint64_t id,
		    struct str *name)
{
	_cleanup_(folder_names_done) struct folder_names events = { 0 };
	uint64_t found = 0;

	tracefs_list_events(tracefs, system, &events);
	for (size_t i = 0; i < events.count; i++)
		if (tracefs_event_id(tracefs, system, events.items[i], &found) == 0 &&
		    found == id) {
			str_addf(name, "%s:%s", system, events.items[i]);
			return true;
		}
	return false;
}

char *tracefs_event_name(const struct tracefs *tracefs, uint64_t id)
{
	_cleanup_(folder_names_done) struct folder_names systems = { 0 };
	struct str name = { 0 };

	tracefs_list_systems(tracefs, &systems);
	for (size_t i = 0; i < systems.count; i++)
		if (find_id(tracefs, systems.items[i], id, &name))
			return str_take(&name);
	return NULL;
}

static bool leads_out(const char *path)
{
	struct str_part part;

	while (str_split(&path, '/', &part))
		if (part.size == 0 || str_part_is(part, "..") || str_part_is(part, "."))
			return true;
	return false;
}

int tracefs_read(const struct tracefs *tracefs, const char *path, char **ret_bytes,
		 size_t *ret_size)
{
	_cleanup_(str_done) struct str bytes = { 0 };
	_cleanup_(fclosep) FILE *file = NULL;
	_cleanup_(freep) char *where = NULL;
	char chunk[CHUNK];
	size_t size;

	if (leads_out(path))
		return -EINVAL;
	where = join(tracefs->path, path);
	file = fopen(where, "re");
	if (!file)
		return -errno;
	while ((size = fread(chunk, 1, sizeof(chunk), file)) > 0)
		str_add_bytes(&bytes, chunk, size);
	if (ferror(file))
		return errno ? -errno : -EIO;
	*ret_size = bytes.size;
	*ret_bytes = str_take(&bytes);
	return 0;
}
