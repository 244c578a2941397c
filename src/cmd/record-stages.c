/* record-stages.c - see record-stages.h. */
#include "cmd/record-stages.h"

#include <linux/perf_event.h>
#include <stdint.h>

#include "cmd/mapped-files.h"
#include "cmd/record-options.h"
#include "cmd/record-unwind.h"
#include "kernel/privileges.h"
#include "stage/kept-names.h"
#include "stage/live-unwind.h"
#include "stage/stages.h"
#include "stage/told.h"

enum { KEPT_FILES_MOST = 256 };

bool record_stages_can_tell(const struct attr *attr)
{
	const uint64_t wanted = PERF_SAMPLE_TIME | PERF_SAMPLE_TID;

	return (attr->sample_type & wanted) == wanted && attr->sample_id_all;
}

static bool wants_names(const struct record_config *config)
{
	for (size_t i = 0; i < config->events.count; i++)
		if (!record_stages_can_tell(&config->events.items[i].attr))
			return false;
	return !config->no_buildid && !config->no_kept_names;
}

static struct kept_names *new_kept(const struct record_config *config, struct told *told,
				   bool only_files)
{
	const struct kept_names_options options = {
		.told = told,
		.open_file = mapped_files_open,
		.stat_file = mapped_files_stat,
		.open_folder = mapped_files_folder,
		.only_files = only_files,
	};

	return wants_names(config) ? kept_names_new(&options) : NULL;
}

static struct stage *combine(struct record_stages *stages)
{
	if (!stages->live && !stages->kept)
		return NULL;
	stages->stages = stages_new();
	stages_add(stages->stages, told_stage(stages->told));
	if (stages->live)
		stages_add(stages->stages, live_unwind_stage(stages->live));
	if (stages->kept)
		stages_add(stages->stages, kept_names_stage(stages->kept));
	return stages_stage(stages->stages);
}

struct stage *record_stages_begin(struct record_stages *stages, const struct record_config *config)
{
	stages->told = told_new();
	stages->live = record_unwind_new(config, stages->told);
	stages->kept = new_kept(config, stages->told, false);
	return combine(stages);
}

struct stage *record_stages_hold(struct record_stages *stages, const struct record_config *config)
{
	stages->told = told_new();
	stages->kept = new_kept(config, stages->told, true);
	return combine(stages);
}

int record_stages_open_held(void *context, const struct dso *dso)
{
	const struct record_stages *stages = context;

	return kept_names_open(stages->kept, dso);
}

int record_stages_open_held_tmp(void *context, pid_t pid, pid_t *ret_pid)
{
	const struct record_stages *stages = context;

	return kept_names_open_folder(stages->kept, (uint32_t)pid, ret_pid);
}

/* Who reads /proc and writes the header needs some, too. */
void record_stages_ready(const struct record_stages *stages)
{
	size_t spare;

	if (!stages->kept)
		return;
	(void)privileges_raise_files((size_t)2 * KEPT_FILES_MOST);
	spare = privileges_spare_files() / 2;
	kept_names_allow(stages->kept, spare < KEPT_FILES_MOST ? spare : KEPT_FILES_MOST);
}

void record_stages_done(struct record_stages *stages)
{
	stages_free(stages->stages);
	live_unwind_free(stages->live);
	kept_names_free(stages->kept);
	told_free(stages->told);
	*stages = (struct record_stages){ 0 };
}
