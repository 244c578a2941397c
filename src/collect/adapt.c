/* adapt.c - see adapt.h. */
#include "collect/adapt.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/notes.h"
#include "event/eventlist.h"
#include "event/softevent.h"

/* "cycles" -> "cycles:u", "cycles:P" -> "cycles:uP". */
static void add_user_modifier(struct event_spec *spec)
{
	const char *colon = strchr(spec->name, ':');
	size_t size = colon ? (size_t)(colon - spec->name) : strlen(spec->name);
	struct str name = { 0 };

	str_add_bytes(&name, spec->name, size);
	str_add(&name, ":u");
	str_add(&name, colon ? colon + 1 : "");
	free(spec->name);
	spec->name = str_take(&name);
}

/* kernel.perf_event_paranoid 2 forbids the kernel's part of own tasks. */
static bool leave_kernel_out(const struct adapt *adapt, struct event_spec *spec, bool all_cpus,
			     struct notes *notes)
{
	struct attr *attr = &spec->attr;
	/* A dummy loses nothing, and of what loses all adapt_accepted() tells. */
	bool is_told = !softevent_is_dummy(attr) && !softevent_is_kernels(attr);

	if (all_cpus || spec->is_tracepoint || attr->exclude_kernel || attr->exclude_user)
		return false;
	if (is_told && adapt->no_clock) /* the table has the names */
		notes_add(notes,
			  "no permission to watch the kernel: user space only is counted (:u)");
	else if (is_told)
		notes_add(notes,
			  "no permission to watch the kernel: '%s' counts user space only (:u)",
			  spec->name);
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	add_user_modifier(spec);
	return true;
}

static bool is_cycles(const struct event_spec *spec)
{
	/* The upper half of a hardware event's config names the PMU, of several core types. */
	return spec->attr.type == PERF_TYPE_HARDWARE &&
	       (uint32_t)spec->attr.config == PERF_COUNT_HW_CPU_CYCLES;
}

static bool use_clock(const struct adapt *adapt, struct event_spec *spec, bool all_cpus,
		      struct notes *notes)
{
	const char *clock = all_cpus ? "cpu-clock" : "task-clock";
	struct str name = { 0 };
	const char *colon;

	/* Branch stacks come from the PMU: without one there is nothing to record. */
	if (adapt->no_clock || !is_cycles(spec) || spec->attr.branch_sample_type)
		return false;
	notes_add(notes, "no hardware cycles here: using '%s' instead", clock);
	spec->attr.type = PERF_TYPE_SOFTWARE;
	spec->attr.config = all_cpus ? PERF_COUNT_SW_CPU_CLOCK : PERF_COUNT_SW_TASK_CLOCK;
	spec->is_hardware = false;
	colon = strchr(spec->name, ':');
	str_add(&name, clock);
	/* As perf names it: P is so many p's. */
	for (const char *c = colon ? colon : ""; *c; c++)
		if (*c == 'P')
			str_add_repeat(&name, 'p', spec->attr.precise_ip);
		else
			str_add_char(&name, *c);
	free(spec->name);
	spec->name = str_take(&name);
	return true;
}

static bool less_precise(struct event_spec *spec)
{
	if (!spec->max_precise || !spec->attr.precise_ip || !spec->is_hardware)
		return false;
	spec->attr.precise_ip--;
	return true;
}

/* What older kernels refuse, the youngest first. */
static const struct refusal {
	struct attr mask;   /* bits to clear */
	struct attr put;    /* bits to set instead */
	uint64_t only_with; /* PERF_SAMPLE_*: refused only together with these */
	const char *loss;   /* what the user does without; NULL: nothing that was asked for */
} refusals[] = {
	{ .mask = { .inherit = 1 }, /* with READ: Linux 6.13 */
	  .only_with = PERF_SAMPLE_READ,
	  .loss = "this kernel cannot both follow children and read groups (:S): not following" },
	{ .mask = { .defer_callchain = 1, .defer_output = 1 } }, /* Linux 6.18 */
	{ .mask = { .read_format = PERF_FORMAT_LOST } },         /* Linux 6.0 */
	{ .mask = { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT },  /* Linux 5.12 */
	  .put = { .sample_type = PERF_SAMPLE_WEIGHT } },
	{ .mask = { .build_id = 1 } },                           /* Linux 5.12 */
	{ .mask = { .sample_type = PERF_SAMPLE_CODE_PAGE_SIZE }, /* Linux 5.11 */
	  .loss = "this kernel does not tell the size of code pages" },
	{ .mask = { .sample_type = PERF_SAMPLE_DATA_PAGE_SIZE },
	  .loss = "this kernel does not tell the size of data pages" },
	{ .mask = { .cgroup = 1, .sample_type = PERF_SAMPLE_CGROUP }, /* Linux 5.7 */
	  .loss = "this kernel does not tell the cgroups of samples" },
	{ .mask = { .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX } },
	{ .mask = { .ksymbol = 1, .bpf_event = 1 } }, /* Linux 5.1 */
	{ .mask = { .namespaces = 1 },                /* Linux 4.12 */
	  .loss = "this kernel tells nothing of namespaces" },
	{ .mask = { .use_clockid = 1, .clockid = -1 }, /* Linux 4.1 */
	  .loss = "the clock asked for cannot be used here: recording with the kernel's own" },
	{ .mask = { .mmap2 = 1 } }, /* Linux 3.16 */
	{ .mask = { .exclude_guest = 1, .exclude_host = 1 } },
	{ .mask = { .sample_id_all = 1 } }, /* Linux 2.6.38 */
};

#define REFUSAL_COUNT (sizeof(refusals) / sizeof(refusals[0]))

/* True if there was something to leave out. */
static bool leave_out(struct attr *attr, const struct refusal *refusal)
{
	uint64_t *words = (uint64_t *)attr;
	const uint64_t *mask = (const uint64_t *)&refusal->mask;
	const uint64_t *put = (const uint64_t *)&refusal->put;
	bool any = false;

	if (refusal->only_with && !(attr->sample_type & refusal->only_with))
		return false;
	for (size_t i = 0; i < sizeof(*attr) / sizeof(*words); i++)
		any |= (words[i] & mask[i]) != 0;
	for (size_t i = 0; any && i < sizeof(*attr) / sizeof(*words); i++)
		words[i] = (words[i] & ~mask[i]) | put[i];
	return any;
}

/* Attempts 0 to COUNT-1 leave one field out; those after them the first one, two, three, ... */
static bool leave_field_out(struct adapt *adapt, struct event_spec *spec)
{
	if (adapt->attempt == 0)
		adapt->asked = spec->attr;
	while (adapt->attempt < 2 * REFUSAL_COUNT) {
		size_t n = adapt->attempt++;
		size_t first = n < REFUSAL_COUNT ? n : 0;
		size_t last = n < REFUSAL_COUNT ? n : n - REFUSAL_COUNT;
		bool any = false;

		spec->attr = adapt->asked;
		for (size_t i = first; i <= last; i++)
			any |= leave_out(&spec->attr, &refusals[i]);
		if (any)
			return true;
	}
	spec->attr = adapt->asked;
	return false;
}

void adapt_accepted(const struct adapt *adapt, const struct event_spec *spec, struct notes *notes)
{
	struct attr attr = spec->attr;

	if (attr.exclude_kernel && softevent_is_kernels(&attr) && adapt->no_clock)
		notes_add(notes,
			  "switches and migrations happen in the kernel, and are never counted "
			  "with :u; an ordinary user needs kernel.perf_event_paranoid 1 or "
			  "less, or CAP_PERFMON, for them");
	else if (attr.exclude_kernel && softevent_is_kernels(&attr))
		notes_add(
			notes,
			"'%s' never fires, since it happens in the kernel: without :u it does; an "
			"ordinary user needs kernel.perf_event_paranoid 1 or less, or CAP_PERFMON, "
			"for that",
			spec->name);

	for (size_t i = 0; adapt->attempt > 0 && i < REFUSAL_COUNT; i++) {
		struct attr asked = adapt->asked;

		if (refusals[i].loss && leave_out(&asked, &refusals[i]) &&
		    !leave_out(&attr, &refusals[i]))
			notes_add(notes, "%s", refusals[i].loss);
	}
}

bool adapt_event(struct adapt *adapt, struct event_spec *spec, int code, bool all_cpus,
		 struct notes *notes)
{
	switch (code) {
	case -EACCES:
	case -EPERM:
		return leave_kernel_out(adapt, spec, all_cpus, notes);
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
		return use_clock(adapt, spec, all_cpus, notes);
	case -EOPNOTSUPP:
		return less_precise(spec) || use_clock(adapt, spec, all_cpus, notes);
	case -EINVAL:
		if (less_precise(spec) || leave_field_out(adapt, spec))
			return true;
		if (!use_clock(adapt, spec, all_cpus, notes))
			return false;
		adapt->attempt = 0; /* another event, which may bear what that one did not */
		return true;
	case -E2BIG:
		return leave_field_out(adapt, spec);
	default:
		return false;
	}
}
