/* stat-where.c - see stat-where.h. */
#include "view/stat-where.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"

static bool adds_cpus(enum stat_by by)
{
	return by != STAT_BY_ALL && by != STAT_BY_CPU && by != STAT_BY_THREAD;
}

void stat_where_add_name(struct str *out, const struct stat_place *place)
{
	size_t begin = out->size;

	switch (place->by) {
	case STAT_BY_ALL:
		break;
	case STAT_BY_CPU:
		str_addf(out, "CPU%d", place->cpu);
		break;
	case STAT_BY_SOCKET:
		str_addf(out, "S%d", place->socket);
		break;
	case STAT_BY_DIE:
		str_addf(out, "S%d-D%d", place->socket, place->die);
		break;
	case STAT_BY_CLUSTER:
		str_addf(out, "S%d-D%d-CLS%d", place->socket, place->die, place->cluster);
		break;
	case STAT_BY_CACHE:
		str_addf(out, "S%d-D%d-L%d-ID%d", place->socket, place->die, place->cache_level,
			 place->cache);
		break;
	case STAT_BY_CORE:
		str_addf(out, "S%d-D%d-C%d", place->socket, place->die, place->core);
		break;
	case STAT_BY_NODE:
		str_addf(out, "N%d", place->node);
		break;
	case STAT_BY_THREAD:
		str_add(out, place->thread->comm);
		str_one_line(out, begin);
		str_addf(out, "-%d", (int)place->thread->tid);
		break;
	}
}

/* What each kind of place looks like. */
static const struct layout {
	size_t width; /* of the name, filled up */
	const char *title, *csv_title, *json_key;
} layouts[] = {
	[STAT_BY_ALL] = { 0, "", "", NULL },
	[STAT_BY_CPU] = { 10, "CPU       ", "cpu,", "cpu" },
	[STAT_BY_SOCKET] = { 6, "socket cpus", "socket,cpus,", "socket" },
	[STAT_BY_DIE] = { 12, "die          cpus", "die,cpus,", "die" },
	[STAT_BY_CLUSTER] = { 16, "cluster          cpus", "cluster,cpus,", "cluster" },
	[STAT_BY_CACHE] = { 16, "cache            cpus", "cache,cpus,", "cache" },
	[STAT_BY_CORE] = { 15, "core            cpus", "core,cpus,", "core" },
	[STAT_BY_NODE] = { 6, "node   cpus", "node,cpus,", "node" },
	[STAT_BY_THREAD] = { 25, "            comm-pid     ", "comm-pid,", "thread" },
};

size_t stat_where_width(enum stat_by by)
{
	if (by == STAT_BY_ALL)
		return 0;
	return layouts[by].width + 1 + (adds_cpus(by) ? 5 : 0);
}

const char *stat_where_title(enum stat_by by)
{
	return layouts[by].title;
}

const char *stat_where_csv_title(enum stat_by by)
{
	return layouts[by].csv_title;
}

void stat_where_add_text(struct str *out, const struct stat_place *place)
{
	_cleanup_(str_done) struct str name = { 0 };

	if (place->by == STAT_BY_ALL)
		return;
	if (place->by == STAT_BY_THREAD) {
		str_addf(&name, "%16s", place->thread->comm);
		str_one_line(&name, 0);
		str_addf(out, "%s-%-8d ", str_text(&name), (int)place->thread->tid);
		return;
	}
	stat_where_add_name(&name, place);
	str_addf(out, "%-*s ", (int)layouts[place->by].width, str_text(&name));
	if (adds_cpus(place->by))
		str_addf(out, "%4u ", place->cpu_count);
}

void stat_where_add_csv(struct str *out, const struct stat_place *place, const char *separator)
{
	if (place->by == STAT_BY_ALL)
		return;
	stat_where_add_name(out, place);
	str_add(out, separator);
	if (adds_cpus(place->by))
		str_addf(out, "%u%s", place->cpu_count, separator);
}

void stat_where_add_json(struct str *out, const struct stat_place *place)
{
	_cleanup_(str_done) struct str name = { 0 };

	if (place->by == STAT_BY_ALL)
		return;
	if (place->by == STAT_BY_CPU)
		str_addf(&name, "%d", place->cpu);
	else
		stat_where_add_name(&name, place);
	str_addf(out, "\"%s\" : ", layouts[place->by].json_key);
	json_text(&(struct json){ .out = out }, NULL, str_text(&name));
	str_add(out, ", ");
	if (adds_cpus(place->by))
		str_addf(out, "\"aggregate-number\" : %u, ", place->cpu_count);
}
