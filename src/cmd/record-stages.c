/* record-stages.c - see record-stages.h. */
#include "cmd/record-stages.h"

#include "cmd/record-unwind.h"
#include "stage/live-unwind.h"
#include "stage/stages.h"
#include "stage/told.h"

struct stage *record_stages_begin(struct record_stages *stages, const struct record_config *config)
{
	stages->told = told_new();
	stages->live = record_unwind_new(config, stages->told);
	if (!stages->live)
		return NULL;
	stages->stages = stages_new();
	stages_add(stages->stages, told_stage(stages->told));
	stages_add(stages->stages, live_unwind_stage(stages->live));
	return stages_stage(stages->stages);
}

void record_stages_done(struct record_stages *stages)
{
	stages_free(stages->stages);
	live_unwind_free(stages->live);
	told_free(stages->told);
	*stages = (struct record_stages){ 0 };
}
