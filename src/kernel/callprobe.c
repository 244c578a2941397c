/* callprobe.c - see callprobe.h. */
#include "kernel/callprobe.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/err.h"
#include "kernel/bpf/calls.h"

/* calls.bpf.c, compiled: made by the build. */
extern const unsigned char callprobe_object[];
extern const size_t callprobe_object_size;

enum { WAKE_NS = 10000000, LINKS = 5 };

struct callprobe {
	struct bpf_object *object;
	struct bpf_link *links[LINKS];
	size_t link_count;
	struct ring_buffer *ring;
	struct calls_state *state; /* shared with the programs */
	size_t state_size;
	uint64_t lost; /* that were told */
	int threads;   /* descriptor of the map; the object's */
	callprobe_take *hand_out;
	void *context;
};

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

static int explain(int code, struct strobe_err *err)
{
	if (code == -EPERM || code == -EACCES) {
		err_set(err, -EPERM, "BPF is not for this user");
		return err_hint(err, -EPERM,
				"as root: setcap cap_bpf,cap_perfmon+ep on the strobe binary");
	}
	if (code == -ENOENT || code == -ESRCH || code == -EINVAL || code == -ENOTSUP)
		return err_set(err, -ENOTSUP,
			       "the kernel does not take BPF programs for system calls: %s",
			       strerror(-code));
	return err_set(err, code, "BPF programs for system calls cannot be loaded: %s",
		       strerror(-code));
}

static struct calls_settings make_settings(const struct callprobe_options *options)
{
	struct calls_settings settings = {
		.enter_id = options->enter_id,
		.exit_id = options->exit_id,
		.enter_type = options->enter_type,
		.exit_type = options->exit_type,
		.self = (uint32_t)getpid(),
		.by_thread = options->by_thread,
		.follows = options->follows,
		.by_cpu = options->cpus != NULL,
		.by_cgroup = options->cgroup >= 0,
		.ignores = options->ignored_count > 0,
		.wants_stack = options->wants_stack,
		.wants_other = options->wants_other,
		.wake_ns = WAKE_NS,
	};

	/* Keys of files are made of addresses in the kernel, which nobody else is to know. */
	if (getrandom(&settings.secret, sizeof(settings.secret), 0) < 0)
		settings.secret = (uint64_t)getpid();
	return settings;
}

/* What the programs have as constants: the map of their read-only data. */
static int set_settings(struct callprobe *probe, const struct callprobe_options *options)
{
	struct calls_settings settings = make_settings(options);
	struct bpf_map *map = bpf_object__find_map_by_name(probe->object, ".rodata");

	return map ? bpf_map__set_initial_value(map, &settings, sizeof(settings)) : -ENOENT;
}

static int map_fd(const struct callprobe *probe, const char *name)
{
	return bpf_object__find_map_fd_by_name(probe->object, name);
}

static int fill_plans(const struct callprobe *probe, const struct callprobe_options *options)
{
	const struct callcopy_plan *plans[] = { options->wide, options->narrow };
	int fd = map_fd(probe, "plans");

	for (uint32_t i = 0; i < 2 * CALLCOPY_CALLS; i++) {
		const struct callcopy_plan *plan = &plans[i / CALLCOPY_CALLS][i % CALLCOPY_CALLS];

		/* What has no plan is 0 as it is. */
		if (plan->is_wanted && bpf_map_update_elem(fd, &i, plan, BPF_ANY) < 0)
			return -errno;
	}
	return 0;
}

static int fill_choice(const struct callprobe *probe, const struct callprobe_options *options)
{
	uint32_t one = 1, zero = 0;

	for (size_t i = 0; options->cpus && i < options->cpu_count; i++)
		if (bpf_map_update_elem(map_fd(probe, "cpus"), &options->cpus[i], &one, BPF_ANY) <
		    0)
			return -errno;
	for (size_t i = 0; i < options->ignored_count; i++)
		if (bpf_map_update_elem(map_fd(probe, "ignored"), &options->ignored[i], &one,
					BPF_ANY) < 0)
			return -errno;
	if (options->cgroup >= 0 &&
	    bpf_map_update_elem(map_fd(probe, "cgroups"), &zero, &options->cgroup, BPF_ANY) < 0)
		return -errno;
	return 0;
}

/* The counters of the programs, in memory that they and this process share. */
static int map_state(struct callprobe *probe)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory;

	probe->state_size = (sizeof(struct calls_state) + page - 1) / page * page;
	memory = mmap(NULL, probe->state_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		      map_fd(probe, ".bss"), 0);
	if (memory == MAP_FAILED)
		return -errno;
	probe->state = memory;
	return 0;
}

static int pass_on(void *context, void *record, size_t size)
{
	struct callprobe *probe = context;

	return probe->hand_out(probe->context, record, size);
}

static int load(struct callprobe *probe, const struct callprobe_options *options)
{
	LIBBPF_OPTS(bpf_object_open_opts, open_options, .object_name = "strobe_calls");
	struct bpf_map *ring;
	int r;

	probe->object =
		bpf_object__open_mem(callprobe_object, callprobe_object_size, &open_options);
	if (!probe->object)
		return -errno;
	ring = bpf_object__find_map_by_name(probe->object, "ring");
	r = ring ? bpf_map__set_max_entries(ring, (uint32_t)options->ring_size) : -ENOENT;
	if (r == 0)
		r = set_settings(probe, options);
	if (r == 0)
		r = bpf_object__load(probe->object);
	if (r == 0)
		r = fill_plans(probe, options);
	if (r == 0)
		r = fill_choice(probe, options);
	if (r == 0)
		r = map_state(probe);
	if (r < 0)
		return r;
	probe->threads = map_fd(probe, "threads");
	probe->ring = ring_buffer__new(map_fd(probe, "ring"), pass_on, probe, NULL);
	return probe->ring ? 0 : -errno;
}

static int attach(struct callprobe *probe)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, probe->object)
	{
		struct bpf_link *link = bpf_program__attach(program);

		if (!link)
			return -errno;
		probe->links[probe->link_count++] = link;
		if (probe->link_count == LINKS)
			break;
	}
	return 0;
}

int callprobe_open(const struct callprobe_options *options, struct callprobe **ret_probe,
		   struct strobe_err *err)
{
	_cleanup_(callprobe_closep) struct callprobe *probe = xnew(struct callprobe);
	int r;

	(void)libbpf_set_print(quiet);
	r = load(probe, options);
	if (r == 0)
		r = attach(probe);
	if (r < 0)
		return explain(r, err);
	*ret_probe = take(probe);
	return 0;
}

void callprobe_close(struct callprobe *probe)
{
	if (!probe)
		return;
	for (size_t i = 0; i < probe->link_count; i++)
		(void)bpf_link__destroy(probe->links[i]);
	ring_buffer__free(probe->ring);
	if (probe->state)
		(void)munmap(probe->state, probe->state_size);
	bpf_object__close(probe->object);
	free(probe);
}

int callprobe_watch(struct callprobe *probe, pid_t tid, bool waiting)
{
	uint32_t watched = waiting ? CALLS_WAITING : CALLS_WATCHED;

	return bpf_map_update_elem(probe->threads, &tid, &watched, BPF_ANY) < 0 ? -errno : 0;
}

void callprobe_turn(struct callprobe *probe, bool on)
{
	__atomic_store_n(&probe->state->on, (uint32_t)on, __ATOMIC_RELEASE);
}

int callprobe_fd(const struct callprobe *probe)
{
	return ring_buffer__epoll_fd(probe->ring);
}

uint64_t callprobe_wake_ns(void)
{
	return WAKE_NS;
}

int callprobe_read(struct callprobe *probe, callprobe_take *hand_out, void *context)
{
	int r;

	probe->hand_out = hand_out;
	probe->context = context;
	r = ring_buffer__consume(probe->ring);
	return r < 0 ? r : 0;
}

struct callprobe_loss callprobe_lost(struct callprobe *probe)
{
	struct callprobe_loss loss = { 0 };
	uint64_t lost = __atomic_load_n(&probe->state->lost, __ATOMIC_RELAXED);

	if (lost == probe->lost)
		return loss;
	loss.count = lost - probe->lost;
	loss.last_ns = __atomic_load_n(&probe->state->lost_last, __ATOMIC_RELAXED);
	loss.first_ns = __atomic_exchange_n(&probe->state->lost_first, 0, __ATOMIC_RELAXED);
	if (!loss.first_ns)
		loss.first_ns = loss.last_ns;
	probe->lost = lost;
	return loss;
}
