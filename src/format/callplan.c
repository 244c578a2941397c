/* callplan.c - see callplan.h. */
#include "format/callplan.h"

#include "format/callfcntl.h"

enum {
	ARRAY_MOST = 1024, /* bytes of arrays of structs and numbers */
	SET_SIZE = 128,    /* of fd_sets and the like */
	ADDRESS_MOST = 128,
	SIGSET_MOST = 8,
	OPTION_MOST = 64,
};

static void add_step(struct callcopy_plan *plan, const struct callcopy_step *step)
{
	if (plan->step_count < CALLCOPY_STEPS)
		plan->steps[plan->step_count++] = *step;
}

static uint32_t struct_size(const struct calltype *type, enum callabi abi)
{
	const struct calllayout *layout = type->table;

	return (uint32_t)layout->variants[callspec_layout(abi)].size;
}

/* Of one, and of all at most. */
static void size_step(const struct calltype *type, enum callabi abi,
		      const struct callplan_options *options, struct callcopy_step *step)
{
	uint16_t text_size = (uint16_t)(options->text_size < CALLCOPY_PATH_MAX ? options->text_size
									       : CALLCOPY_PATH_MAX);

	switch (type->kind) {
	case CALLTYPE_PATH:
		step->what = CALLCOPY_DO_STRING;
		step->limit = CALLCOPY_PATH_MAX;
		return;
	case CALLTYPE_STRING:
		step->what = CALLCOPY_DO_STRING;
		/* With its NUL, to see that it is whole. */
		step->limit = text_size < CALLCOPY_PATH_MAX ? text_size + 1 : text_size;
		return;
	case CALLTYPE_STRINGS:
		step->what = CALLCOPY_DO_STRINGS;
		step->size = (uint32_t)callspec_word(abi);
		step->limit = text_size < CALLCOPY_PATH_MAX ? text_size + 1 : text_size;
		return;
	case CALLTYPE_BUFFER:
		step->size = 1;
		step->limit = text_size;
		return;
	case CALLTYPE_IOVEC_DATA:
		step->what = CALLCOPY_DO_PARTS;
		step->size = struct_size(type, abi);
		step->limit = text_size;
		return;
	case CALLTYPE_MSGHDR:
		step->what = CALLCOPY_DO_MESSAGE;
		step->size = struct_size(type, abi);
		step->limit = text_size;
		return;
	case CALLTYPE_FD_PAIR:
		step->what = options->no_files ? CALLCOPY_DO_BYTES : CALLCOPY_DO_FILES;
		step->size = 8;
		step->limit = 8;
		return;
	case CALLTYPE_SOCKADDR:
		step->size = 1;
		step->limit = ADDRESS_MOST;
		return;
	case CALLTYPE_OPTION:
		step->size = 1;
		step->limit = OPTION_MOST;
		return;
	case CALLTYPE_FD_SET:
		step->counted = CALLCOPY_ONE;
		step->size = SET_SIZE;
		step->limit = SET_SIZE;
		return;
	case CALLTYPE_CPUSET:
		step->size = 1;
		step->limit = SET_SIZE;
		return;
	case CALLTYPE_SIGSET:
		step->size = 1;
		step->limit = SIGSET_MOST;
		return;
	case CALLTYPE_WAIT:
		step->size = 4;
		step->limit = 4;
		return;
	case CALLTYPE_STRUCT:
		step->size = struct_size(type, abi);
		break;
	default:
		step->size = type->size ? type->size : (uint32_t)callspec_word(abi);
		break;
	}
	step->limit = (uint16_t)(ARRAY_MOST / step->size * step->size);
}

static void count_step(const struct calltype *type, struct callcopy_step *step)
{
	step->counted = CALLCOPY_ONE;
	step->count_arg = type->count;
	switch (type->counted) {
	case CALLTYPE_ONE:
		return;
	case CALLTYPE_FIXED:
		/* One, and so many times as large. */
		step->size *= type->count;
		step->limit = (uint16_t)step->size;
		return;
	case CALLTYPE_BY_ARGUMENT:
		step->counted = CALLCOPY_BY_ARGUMENT;
		return;
	case CALLTYPE_BY_POINTED:
		step->counted = CALLCOPY_BY_POINTED;
		return;
	case CALLTYPE_BY_RESULT:
		step->counted = CALLCOPY_BY_RESULT;
		return;
	}
}

static void plan_pointed(const struct calltype *type, enum callabi abi, uint8_t arg,
			 const struct callplan_options *options, struct callcopy_plan *plan)
{
	struct callcopy_step step = { .what = CALLCOPY_DO_BYTES, .arg = arg };

	size_step(type, abi, options, &step);
	if (type->kind != CALLTYPE_FD_SET)
		count_step(type, &step);
	if (type->way != CALLTYPE_OUT)
		add_step(plan, &step);
	step.at_exit = 1;
	if (type->way != CALLTYPE_IN)
		add_step(plan, &step);
}

/* Its command, which is before it, tells what it points at. */
static void plan_fcntl(enum callabi abi, uint8_t arg, struct callcopy_plan *plan)
{
	const struct callfcntl_struct *one;

	for (size_t i = 0; (one = callfcntl_struct(i)); i++) {
		uint32_t size = (uint32_t)one->layout->variants[callspec_layout(abi)].size;
		struct callcopy_step step = { .what = CALLCOPY_DO_BYTES,
					      .arg = arg,
					      .on_arg = arg, /* the one before */
					      .limit = (uint16_t)size,
					      .size = size,
					      .on_bits = one->commands };

		add_step(plan, &step);
		step.at_exit = 1;
		step.on_bits = one->writers;
		add_step(plan, &step);
	}
}

static bool has_file(const struct calltype *type)
{
	return type->way == CALLTYPE_VALUE &&
	       (type->kind == CALLTYPE_FD || type->kind == CALLTYPE_DIRFD);
}

void callplan_make(const struct callspec *spec, enum callabi abi,
		   const struct callplan_options *options, struct callcopy_plan *ret_plan)
{
	struct callcopy_plan plan = { 0 };

	for (uint8_t i = 0; i < spec->arg_count; i++) {
		struct callcopy_step file = { .what = CALLCOPY_DO_FILE, .arg = i };

		if (has_file(&spec->args[i].type) && !options->no_files)
			add_step(&plan, &file);
		if (spec->args[i].type.kind == CALLTYPE_FCNTL)
			plan_fcntl(abi, i, &plan);
		if (spec->args[i].type.way != CALLTYPE_VALUE)
			plan_pointed(&spec->args[i].type, abi, i, options, &plan);
	}
	if (has_file(&spec->result) && !options->no_files)
		add_step(&plan, &(struct callcopy_step){ .what = CALLCOPY_DO_FILE,
							 .arg = CALLCOPY_ARGS,
							 .at_exit = 1 });
	*ret_plan = plan;
}
