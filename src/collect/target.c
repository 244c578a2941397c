/* target.c - see target.h. */
#include "collect/target.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

static void add_once(struct proc_ids *ids, pid_t id)
{
	for (size_t i = 0; i < ids->count; i++)
		if (ids->items[i] == id)
			return;
	proc_ids_add(ids, id);
}

void target_add(struct target *target, pid_t pid, pid_t tid)
{
	add_once(&target->roots, pid);
	add_once(&target->tids, tid);
}

void target_done(struct target *target)
{
	cpus_done(&target->cpus);
	proc_ids_done(&target->tids);
	proc_ids_done(&target->roots);
}

static int next_id(const char **rest, const char *what, pid_t *ret_id, struct strobe_err *err)
{
	struct str_part part;
	char text[16];
	uint64_t id;

	if (!str_split(rest, ',', &part))
		return 0;
	(void)snprintf(text, sizeof(text), "%.*s", (int)part.size, part.text);
	if (part.size >= sizeof(text) || !str_to_u64(text, &id) || id == 0 || id > INT32_MAX) {
		err_set(err, -EINVAL, "'%.*s' is no %s", (int)part.size, part.text, what);
		return err_hint(err, -EINVAL,
				"it is a number, and commas stand between several: 'pgrep NAME' "
				"finds it, 'ps -eL' has those of threads");
	}
	*ret_id = (pid_t)id;
	return 1;
}

int target_ids(const char *list, const char *what, struct proc_ids *ids, struct strobe_err *err)
{
	pid_t id;
	int r;

	while ((r = next_id(&list, what, &id, err)) > 0)
		proc_ids_add(ids, id);
	return r;
}

static int check_ids(const char *list, const char *what, struct strobe_err *err)
{
	pid_t id;
	int r = 1;

	while (list && r > 0)
		r = next_id(&list, what, &id, err);
	return r < 0 ? r : 0;
}

bool target_wants_threads(const struct target_request *request)
{
	return request->pids || request->tids || request->uid;
}

bool target_wants_any(const struct target_request *request)
{
	return target_wants_threads(request) || request->cpus || request->all_cpus ||
	       request->all_threads;
}

int target_check(const struct target_request *request, struct strobe_err *err)
{
	_cleanup_(cpus_done) struct cpus cpus = { 0 };
	int r = check_ids(request->pids, "process id", err);

	if (r == 0)
		r = check_ids(request->tids, "thread id", err);
	if (r == 0 && request->cpus)
		r = cpus_parse(&cpus, request->cpus, err);
	return r;
}

static int add_process(struct target *target, pid_t pid)
{
	_cleanup_(proc_ids_done) struct proc_ids threads = { 0 };
	int r = proc_threads(NULL, pid, &threads);

	for (size_t i = 0; r == 0 && i < threads.count; i++)
		target_add(target, pid, threads.items[i]);
	return r == 0 && threads.count > 0 ? 0 : -ESRCH;
}

static int add_pids(struct target *target, const char *list, struct strobe_err *err)
{
	pid_t pid = 0;
	int r;

	while ((r = next_id(&list, "process id", &pid, err)) > 0)
		if (add_process(target, pid) < 0) {
			err_set(err, -ESRCH, "no process %d", (int)pid);
			return err_hint(err, -ESRCH,
					"it has ended, or is in another PID namespace: ps -e lists "
					"those that run");
		}
	return r;
}

static int add_tids(struct target *target, const char *list, struct strobe_err *err)
{
	struct proc_task task = { 0 };
	pid_t tid = 0;
	int r;

	while ((r = next_id(&list, "thread id", &tid, err)) > 0) {
		if (proc_task(NULL, tid, &task) < 0) {
			err_set(err, -ESRCH, "no thread %d", (int)tid);
			return err_hint(err, -ESRCH,
					"it has ended, or is in another PID namespace: ps -eL "
					"lists those that run");
		}
		target_add(target, task.pid, tid);
	}
	return r;
}

static int add_all(struct target *target, struct strobe_err *err)
{
	_cleanup_(proc_ids_done) struct proc_ids pids = { 0 };
	int r = proc_pids(NULL, &pids);

	if (r < 0)
		return err_set(err, r, "cannot read /proc: %s", strerror(-r));
	for (size_t i = 0; i < pids.count; i++)
		(void)add_process(target, pids.items[i]);
	return 0;
}

static int find_uid(const char *text, uid_t *ret_uid, struct strobe_err *err)
{
	struct passwd entry, *found = NULL;
	char buffer[16384];
	uint64_t uid;

	if (str_to_u64(text, &uid) && uid < UINT32_MAX) {
		*ret_uid = (uid_t)uid;
		return 0;
	}
	if (getpwnam_r(text, &entry, buffer, sizeof(buffer), &found) != 0 || !found) {
		err_set(err, -EINVAL, "no user '%s'", text);
		return err_hint(err, -EINVAL, "a name or a number: getent passwd lists them");
	}
	*ret_uid = found->pw_uid;
	return 0;
}

static int add_user(struct target *target, const char *user, struct strobe_err *err)
{
	_cleanup_(proc_ids_done) struct proc_ids pids = { 0 };
	uid_t uid = 0;
	int r = find_uid(user, &uid, err);

	if (r < 0)
		return r;
	r = proc_pids(NULL, &pids);
	if (r < 0)
		return err_set(err, r, "cannot read /proc: %s", strerror(-r));
	for (size_t i = 0; i < pids.count; i++) {
		struct proc_task task = { 0 };

		if (proc_task(NULL, pids.items[i], &task) == 0 && task.uid == uid)
			(void)add_process(target, task.pid);
	}
	if (target->tids.count == 0) {
		err_set(err, -ESRCH, "user '%s' has no processes", user);
		return err_hint(err, -ESRCH, "ps -u %s lists them; -a watches all", user);
	}
	return 0;
}

/* The CPUs asked for must be online: the kernel refuses others with ENODEV, much later. */
static int add_cpus(struct target *target, const char *list, struct strobe_err *err)
{
	_cleanup_(cpus_done) struct cpus online = { 0 };
	int r = cpus_online(&online, NULL, err);

	if (r < 0)
		return r;
	if (!list) {
		target->cpus = online;
		online = (struct cpus){ 0 };
		return 0;
	}
	r = cpus_parse(&target->cpus, list, err);
	for (size_t i = 0; r == 0 && i < target->cpus.count; i++)
		if (!cpus_has(&online, target->cpus.items[i])) {
			r = err_set(err, -ENODEV, "CPU %d is not online", target->cpus.items[i]);
			return err_hint(err, r, "CPUs %d to %d are", online.items[0],
					online.items[online.count - 1]);
		}
	return r;
}

static int add_targets(struct target *target, const struct target_request *request,
		       struct strobe_err *err)
{
	int r = 0;

	if (request->pids)
		r = add_pids(target, request->pids, err);
	if (r == 0 && request->tids)
		r = add_tids(target, request->tids, err);
	if (r == 0 && request->uid)
		r = add_user(target, request->uid, err);
	if (r == 0 && request->all_threads)
		r = add_all(target, err);
	return r;
}

int target_resolve(const struct target_request *request, struct target *ret_target,
		   struct strobe_err *err)
{
	struct target target = { .per_thread = request->per_thread };
	bool threads = target_wants_threads(request);
	int r = add_targets(&target, request, err);

	/* -C with -p is "those threads, on those CPUs"; -C alone is -a. */
	target.all_cpus = !threads && (request->all_cpus || request->cpus);
	if (r == 0 && request->per_thread && target.all_cpus)
		r = err_set(err, -EINVAL, "--per-thread watches threads, -a and -C watch CPUs");
	if (r == 0 && request->per_thread && !request->cpus) {
		target.cpus = (struct cpus){ .items = xcalloc(1, sizeof(int)), .count = 1 };
		target.cpus.items[0] = -1;
	} else if (r == 0) {
		r = add_cpus(&target, request->cpus, err);
	}
	if (r < 0) {
		target_done(&target);
		return r;
	}
	if (target.all_cpus)
		proc_ids_add(&target.tids, -1);
	*ret_target = target;
	return 0;
}
