/* inject-ids.c - see inject-ids.h. */
#include "cmd/inject-ids.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hits.h"
#include "analyze/profile.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/running.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "model/dso.h"
#include "model/timeline.h"
#include "object/elf-file.h"
#include "symbol/resolve.h"

static bool is_new(struct inject_ids *ids, const char *name)
{
	uint32_t count = (uint32_t)ids->names.count;

	return strings_intern(&ids->names, name) == count;
}

void inject_ids_keep(struct inject_ids *ids, const struct datafile *file)
{
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_BUILD_ID, &size);
	struct buildids_walk walk = buildids_begin(bytes, bytes ? size : 0, false);
	struct buildids_entry entry;

	while (buildids_next(&walk, &entry)) {
		(void)is_new(ids, entry.name);
		buildids_encode(&entry, &ids->body);
	}
}

static void add(struct inject_ids *ids, const char *name, const uint8_t *id, size_t size,
		uint16_t misc)
{
	struct buildids_entry entry = {
		.misc = misc, .pid = BUILDIDS_PID_KERNEL, .id_size = size, .name = name
	};

	if (size == 0 || size > sizeof(entry.id) || !is_new(ids, name))
		return;
	memcpy(entry.id, id, size);
	buildids_encode(&entry, &ids->body);
}

void inject_ids_add(struct inject_ids *ids, const char *name, const uint8_t *id, size_t size)
{
	add(ids, name, id, size, PERF_RECORD_MISC_USER);
}

static void add_vdso(struct inject_ids *ids, const struct dso *dso,
		     const struct resolver_options *running)
{
	_cleanup_(elf_file_freep) struct elf_file *image = NULL;
	const uint8_t *id = dso->build_id;
	size_t size = dso->build_id_size;

	if (size == 0 && running->same_boot && running->vdso &&
	    elf_file_from_memory(running->vdso, running->vdso_size, dso->name, &image, NULL) == 0)
		size = elf_file_build_id(image, &id);
	inject_ids_add(ids, dso->name, id, size);
}

static void add_kernel(struct inject_ids *ids, const struct dso *dso,
		       const struct resolver_options *running)
{
	if (dso->build_id_size == 0 && running->same_boot)
		add(ids, dso->name, running->running_build_id, running->running_build_id_size,
		    PERF_RECORD_MISC_KERNEL);
	else
		add(ids, dso->name, dso->build_id, dso->build_id_size, PERF_RECORD_MISC_KERNEL);
}

static void add_file(struct inject_ids *ids, const struct dso *dso)
{
	const struct file_id *id;

	if (dso->build_id_size > 0) {
		inject_ids_add(ids, dso->name, dso->build_id, dso->build_id_size);
		return;
	}
	if (dso->name[0] != '/' || dso->deleted || dso->shared_name)
		return;
	id = file_ids_of_path(&ids->files, dso->name);
	inject_ids_add(ids, dso->name, id->bytes, id->size);
}

static void add_dso(struct inject_ids *ids, const struct dso *dso,
		    const struct resolver_options *running)
{
	switch (dso->kind) {
	case DSO_KERNEL:
		add_kernel(ids, dso, running);
		break;
	case DSO_VDSO:
		add_vdso(ids, dso, running);
		break;
	case DSO_USER:
		add_file(ids, dso);
		break;
	default:
		break;
	}
}

int inject_ids_look_up(struct inject_ids *ids, const struct datafile *file, bool all,
		       struct strobe_err *err)
{
	_cleanup_(profile_freep) struct profile *profile = NULL;
	_cleanup_(freep) bool *marks = NULL;
	struct resolver_options options = { 0 };
	struct running running;
	size_t count;
	int r;

	running_describe(&running, file, &options);
	r = profile_new(file, &options, &profile, err);
	if (r < 0)
		return r;
	r = hits_find(profile, &marks);
	if (r < 0)
		return err_set(err, r, "cannot read the samples");
	count = timeline_dso_count(profile_timeline(profile));
	for (uint32_t id = 1; id <= count; id++) {
		const struct dso *dso = timeline_dso(profile_timeline(profile), id);

		if (dso && (all || marks[id]))
			add_dso(ids, dso, &options);
	}
	return 0;
}

void inject_ids_done(struct inject_ids *ids)
{
	body_done(&ids->body);
	strings_done(&ids->names);
	file_ids_done(&ids->files);
	*ids = (struct inject_ids){ 0 };
}
