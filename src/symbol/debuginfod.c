/* debuginfod.c - see debuginfod.h. */
#include "symbol/debuginfod.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/thread.h"
#include "symbol/debuginfod-library.h"
#include "symbol/server-probe.h"

#define SECOND UINT64_C(1000000000)

enum {
	PROBE_MS = 1000,
	TICK_MS = 100,
	PATIENCE_S = 10, /* with nothing sent, unless DEBUGINFOD_TIMEOUT says so */
	PATIENCES = 6,   /* in all */
	BUILD_ID_MAX = 64,
};

static const char urls_name[] = "DEBUGINFOD_URLS";

/* A file that was asked for; a thread waits for it in the library. */
struct request {
	struct request *next;
	struct debuginfod *owner;
	enum debuginfod_kind kind;
	uint8_t build_id[BUILD_ID_MAX];
	int build_id_size;
	pthread_t thread;
	/* Under the owner's lock: */
	bool is_done, is_cancelled;
	int result;
	char *path;
	uint64_t got, whole, began_ns, moved_ns;
};

enum state { UNKNOWN, READY, OFF };

struct debuginfod {
	struct debuginfod_options options;
	struct debuginfod_library library;
	char *urls;
	uint64_t patience_ns;
	pthread_mutex_t lock; /* of what is below */
	pthread_cond_t changed;
	enum state state;
	uint64_t silent_ns;        /* waited for answers, all together */
	struct request *abandoned; /* their threads are to be joined */
	struct {
		struct debuginfod_client **items; /* that nobody uses now: they keep connections */
		size_t count, capacity;
	} clients;
};

static uint64_t patience_ns(void)
{
	const char *given = getenv("DEBUGINFOD_TIMEOUT");
	uint64_t seconds;

	if (given && str_to_u64(given, &seconds) && seconds > 0 && seconds < UINT32_MAX)
		return seconds * SECOND;
	return PATIENCE_S * SECOND;
}

struct debuginfod *debuginfod_new(const struct debuginfod_options *options)
{
	struct debuginfod *debuginfod;
	pthread_condattr_t attributes;
	const char *urls;

	if (getauxval(AT_SECURE))
		return NULL;
	if (options->urls)
		(void)setenv(urls_name, options->urls, 1);
	urls = getenv(urls_name);
	if (!urls || urls[strspn(urls, " ")] == '\0')
		return NULL;
	debuginfod = xnew(struct debuginfod);
	debuginfod->options = *options;
	debuginfod->urls = xstrdup(urls);
	debuginfod->patience_ns = patience_ns();
	pthread_mutex_init(&debuginfod->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&debuginfod->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return debuginfod;
}

static void request_free(struct request *request)
{
	pthread_join(request->thread, NULL);
	free(request->path);
	free(request);
}

void debuginfod_free(struct debuginfod *debuginfod)
{
	if (!debuginfod)
		return;
	while (debuginfod->abandoned) {
		struct request *request = debuginfod->abandoned;

		debuginfod->abandoned = request->next;
		request_free(request);
	}
	for (size_t i = 0; i < debuginfod->clients.count; i++)
		debuginfod->library.end(debuginfod->clients.items[i]);
	free(debuginfod->clients.items);
	pthread_cond_destroy(&debuginfod->changed);
	pthread_mutex_destroy(&debuginfod->lock);
	free(debuginfod->urls);
	free(debuginfod);
}

/* Under the lock, like all that follows until it is said otherwise. */
static void turn_off(struct debuginfod *debuginfod, const char *text)
{
	if (debuginfod->state == OFF)
		return;
	debuginfod->state = OFF;
	if (debuginfod->options.notice)
		debuginfod->options.notice(debuginfod->options.context, text,
					   "--no-debuginfod does without from the beginning");
}

struct servers {
	struct server_probe *items;
	size_t count, capacity;
	char *text; /* the urls, each ended by a NUL */
};

static void servers_done(struct servers *servers)
{
	free(servers->items);
	free(servers->text);
}

static void split(struct debuginfod *debuginfod, struct servers *servers)
{
	char *rest = servers->text = xstrdup(debuginfod->urls), *url;

	while ((url = strsep(&rest, " "))) {
		if (!*url)
			continue;
		grow(servers);
		servers->items[servers->count++] = (struct server_probe){ .url = url };
	}
}

/* Says which cannot be reached, and has the rest asked. */
static void find_servers(struct debuginfod *debuginfod)
{
	_cleanup_(servers_done) struct servers servers = { 0 };
	_cleanup_(str_done) struct str text = { 0 }, rest = { 0 };
	size_t dead_count = 0;

	split(debuginfod, &servers);
	server_probe(servers.items, servers.count, PROBE_MS);
	for (size_t i = 0; i < servers.count; i++) {
		const struct server_probe *probe = &servers.items[i];

		if (probe->result == 0) {
			str_addf(&rest, "%s%s", rest.size ? " " : "", probe->url);
			continue;
		}
		str_addf(&text, "%s'%.*s' (%s)",
			 dead_count++ ? ", " : "debuginfod servers cannot be reached: ",
			 (int)probe->host_size, probe->host, strerror(-probe->result));
	}
	if (dead_count == 0)
		return;
	if (rest.size == 0) {
		turn_off(debuginfod, text.text);
		return;
	}
	if (debuginfod->options.notice)
		debuginfod->options.notice(debuginfod->options.context, text.text, NULL);
	/* The library would wait for the others, file by file. It reads this variable alone. To
	 * replace one that is there leaves those that read the environment now with its old text.
	 */
	(void)setenv(urls_name, rest.text, 1);
}

/* Before the first question. */
static void start(struct debuginfod *debuginfod)
{
	int r = debuginfod_library_load(&debuginfod->library);

	if (r < 0) {
		turn_off(debuginfod,
			 r == -ENOENT ? "DEBUGINFOD_URLS is set, but libdebuginfod.so.1 is not "
					"installed"
				      : "DEBUGINFOD_URLS is set, but libdebuginfod.so.1 is older "
					"than 0.180");
		return;
	}
	find_servers(debuginfod);
	if (debuginfod->state == UNKNOWN)
		debuginfod->state = READY;
}

/* What a thread of ours waits for. All that the library hands back is its client, of which we know
 * nothing without the library. */
static _Thread_local struct request *waits_for;

static int on_progress(struct debuginfod_client *client, long got, long whole)
{
	struct request *request = waits_for;
	struct debuginfod *debuginfod = request->owner;
	bool is_cancelled;

	pthread_mutex_lock(&debuginfod->lock);
	if (got > 0 && (uint64_t)got != request->got) {
		request->got = (uint64_t)got;
		request->moved_ns = clock_now_ns();
	}
	request->whole = whole > 0 ? (uint64_t)whole : 0;
	is_cancelled = request->is_cancelled;
	pthread_mutex_unlock(&debuginfod->lock);
	return is_cancelled;
}

static struct debuginfod_client *take_client(struct debuginfod *debuginfod)
{
	struct debuginfod_client *client = NULL;

	pthread_mutex_lock(&debuginfod->lock);
	if (debuginfod->clients.count > 0)
		client = debuginfod->clients.items[--debuginfod->clients.count];
	pthread_mutex_unlock(&debuginfod->lock);
	if (client)
		return client;
	client = debuginfod->library.begin();
	if (client)
		debuginfod->library.set_progress(client, on_progress);
	return client;
}

static void *ask(void *context)
{
	struct request *request = context;
	struct debuginfod *debuginfod = request->owner;
	debuginfod_library_find *find = request->kind == DEBUGINFOD_EXECUTABLE
						? debuginfod->library.find_executable
						: debuginfod->library.find_debuginfo;
	struct debuginfod_client *client = take_client(debuginfod);
	int fd = -ENOMEM;
	char *path = NULL;

	waits_for = request;
	if (client)
		fd = find(client, request->build_id, request->build_id_size, &path);
	if (fd >= 0)
		(void)close(fd);
	pthread_mutex_lock(&debuginfod->lock);
	if (client) {
		grow(&debuginfod->clients);
		debuginfod->clients.items[debuginfod->clients.count++] = client;
	}
	request->result = fd < 0 ? fd : 0;
	request->path = path;
	request->is_done = true;
	pthread_cond_broadcast(&debuginfod->changed);
	pthread_mutex_unlock(&debuginfod->lock);
	return NULL;
}

static struct request *begin(struct debuginfod *debuginfod, enum debuginfod_kind kind,
			     const uint8_t *build_id, size_t size)
{
	struct request *request = xnew(struct request);

	request->owner = debuginfod;
	request->kind = kind;
	memcpy(request->build_id, build_id, size);
	request->build_id_size = (int)size;
	request->began_ns = request->moved_ns = clock_now_ns();
	/* A server that hangs up is no reason to end. */
	if (thread_start_quiet(&request->thread, ask, request) == 0)
		return request;
	free(request);
	return NULL;
}

static void report_progress(struct debuginfod *debuginfod, const struct request *request,
			    const char *name)
{
	const struct debuginfod_progress progress = { name, request->got, request->whole,
						      clock_now_ns() - request->began_ns };

	if (!debuginfod->options.progress)
		return;
	pthread_mutex_unlock(&debuginfod->lock);
	debuginfod->options.progress(debuginfod->options.context, &progress);
	pthread_mutex_lock(&debuginfod->lock);
}

/* False if it does not come any more. */
static bool wait(struct debuginfod *debuginfod, struct request *request, const char *name)
{
	while (!request->is_done) {
		uint64_t until = clock_now_ns() + TICK_MS * UINT64_C(1000000);
		struct timespec time = { (time_t)(until / SECOND), (long)(until % SECOND) };

		(void)pthread_cond_timedwait(&debuginfod->changed, &debuginfod->lock, &time);
		if (request->is_done)
			break;
		if (clock_now_ns() - request->moved_ns > debuginfod->patience_ns) {
			turn_off(debuginfod, "debuginfod servers do not answer");
			return false;
		}
		/* What is on its way may come. */
		if (debuginfod->state == OFF && request->got == 0)
			return false;
		report_progress(debuginfod, request, name);
	}
	return true;
}

/* Servers that answer slowly, each time that they have nothing. */
static void add_silence(struct debuginfod *debuginfod, const struct request *request)
{
	if (request->got > 0)
		return;
	debuginfod->silent_ns += clock_now_ns() - request->began_ns;
	if (debuginfod->silent_ns > PATIENCES * debuginfod->patience_ns)
		turn_off(debuginfod,
			 "debuginfod servers take long to answer: the rest is not asked "
			 "for");
}

/* Of what came back. */
static void judge(struct debuginfod *debuginfod, int result)
{
	_cleanup_(str_done) struct str text = { 0 };

	switch (result) {
	case 0:
	case -ENOENT:
	case -EFBIG: /* more than DEBUGINFOD_MAXSIZE permits */
		return;
	case -ENOSYS:
		turn_off(debuginfod, "DEBUGINFOD_URLS is set, but libcurl is not installed");
		return;
	case -ETIME:
	case -ETIMEDOUT:
		str_add(&text, "debuginfod servers do not answer");
		break;
	default:
		str_addf(&text, "debuginfod servers cannot be asked: %s", strerror(-result));
	}
	turn_off(debuginfod, text.text);
}

static int find(struct debuginfod *debuginfod, struct request *request, const char *name,
		struct str *ret_path)
{
	int result;

	if (!wait(debuginfod, request, name)) {
		request->is_cancelled = true;
		request->next = debuginfod->abandoned;
		debuginfod->abandoned = request;
		return -ETIMEDOUT;
	}
	result = request->result;
	judge(debuginfod, result);
	add_silence(debuginfod, request);
	if (result == 0 && request->path)
		str_add(ret_path, request->path);
	else if (result == 0)
		result = -ENOENT;
	request_free(request);
	return result;
}

int debuginfod_find(struct debuginfod *debuginfod, enum debuginfod_kind kind,
		    const uint8_t *build_id, size_t size, const char *name, struct str *ret_path)
{
	struct request *request = NULL;
	int r = -ENOTCONN;

	if (size < 2 || size > BUILD_ID_MAX)
		return -ENOENT;
	pthread_mutex_lock(&debuginfod->lock);
	if (debuginfod->state == UNKNOWN)
		start(debuginfod);
	if (debuginfod->state == READY) {
		request = begin(debuginfod, kind, build_id, size);
		r = request ? find(debuginfod, request, name, ret_path) : -EAGAIN;
	}
	pthread_mutex_unlock(&debuginfod->lock);
	if (debuginfod->options.progress && request)
		debuginfod->options.progress(debuginfod->options.context, NULL);
	return r;
}

void debuginfod_place(const struct debuginfod *debuginfod, enum debuginfod_kind kind,
		      const uint8_t *build_id, size_t size, struct str *ret_place)
{
	const char *rest = debuginfod->urls;
	struct str_part url;

	while (str_split(&rest, ' ', &url)) {
		const char *at = memchr(url.text, '@', url.size);
		const char *scheme = memmem(url.text, url.size, "://", 3);

		if (url.size == 0)
			continue;
		str_add(ret_place, ret_place->size ? " " : "");
		/* Not who asks, nor by what password. */
		if (at && scheme && scheme < at) {
			str_add_bytes(ret_place, url.text, (size_t)(scheme + 3 - url.text));
			url.size -= (size_t)(at + 1 - url.text);
			url.text = at + 1;
		}
		str_add_bytes(ret_place, url.text, url.size);
	}
	str_add(ret_place, ret_place->text[ret_place->size - 1] == '/' ? "buildid/" : "/buildid/");
	str_add_hex(ret_place, build_id, size);
	str_add(ret_place, kind == DEBUGINFOD_EXECUTABLE ? "/executable" : "/debuginfo");
}
