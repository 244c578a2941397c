/* record-unwind.c - see record-unwind.h. */
#include "cmd/record-unwind.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "cmd/mapped-files.h"
#include "cmd/record-options.h"
#include "cmd/record-stages.h"
#include "event/regs.h"
#include "kernel/procmem.h"
#include "kernel/vdso.h"
#include "stage/live-unwind.h"

static int open_mapping(void *context, uint32_t pid, const struct map *map)
{
	return mapped_files_open(pid, map);
}

static size_t read_memory(void *context, uint32_t pid, uint64_t addr, void *bytes, size_t size)
{
	return procmem_read((pid_t)pid, addr, bytes, size);
}

static bool wants_unwinding(const struct record_config *config)
{
	bool any = false;

	for (size_t i = 0; i < config->events.count; i++) {
		const struct attr *attr = &config->events.items[i].attr;

		if (attr->sample_type & PERF_SAMPLE_STACK_USER && !record_stages_can_tell(attr))
			return false;
		any |= (attr->sample_type & PERF_SAMPLE_STACK_USER) != 0;
	}
	return any && !config->store_stacks;
}

struct live_unwind *record_unwind_new(const struct record_config *config, const struct told *told)
{
	struct live_unwind_options options = {
		.stack = { .told = told,
			   .arch = regs_arch(REGS_HERE),
			   .max_stack = config->max_stack,
			   .open = open_mapping,
			   .read = read_memory },
		.keeps_registers = config->attrs.user_regs != 0,
	};

	if (!options.stack.arch || !wants_unwinding(config))
		return NULL;
	options.stack.vdso = vdso_image(&options.stack.vdso_size);
	return live_unwind_new(&options);
}
