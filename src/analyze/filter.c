/* filter.c - see filter.h. */
#include "analyze/filter.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/dso.h"
#include "model/timeline.h"

#define NSEC_PER_SEC UINT64_C(1000000000)

static int add_lines(struct strings *names, const char *path, struct strobe_err *err)
{
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	_cleanup_(freep) char *line = NULL;
	size_t capacity = 0;
	ssize_t size;

	if (!file)
		return err_errno(err, "cannot read names from '%s'", path);
	while ((size = getline(&line, &capacity, file)) > 0) {
		if (line[size - 1] == '\n')
			size--;
		if (size > 0)
			strings_intern_bytes(names, line, (size_t)size);
	}
	return ferror(file) ? err_set(err, -EIO, "cannot read all of '%s'", path) : 0;
}

int filter_add_names(struct strings *names, const char *list, struct strobe_err *err)
{
	const char *path = str_after(list, "file://");
	struct str_part part;

	if (path)
		return add_lines(names, path, err);
	while (str_split(&list, ',', &part))
		strings_intern_bytes(names, part.text, part.size);
	return 0;
}

int filter_add_symbols(struct filter *filter, const char *list, struct strobe_err *err)
{
	uint32_t first = (uint32_t)filter->symbols.count;
	int r = filter_add_names(&filter->symbols, list, err);

	for (uint32_t i = first; r == 0 && i < filter->symbols.count; i++) {
		const char *name = strings_text(&filter->symbols, i);
		uint64_t addr;

		if (!str_after(name, "0x") || !str_to_u64(name, &addr))
			continue;
		grow(&filter->addrs);
		filter->addrs.items[filter->addrs.count++] = addr;
	}
	return r;
}

static int by_value(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* "7" or "3-5"; false if it is neither. */
static bool parse_ids(struct str_part part, bool ranges, uint32_t *ret_first, uint32_t *ret_last)
{
	char text[32], *end;
	unsigned long first, last;

	if (part.size == 0 || part.size >= sizeof(text) || !isdigit((unsigned char)part.text[0]))
		return false;
	memcpy(text, part.text, part.size);
	text[part.size] = '\0';
	last = first = strtoul(text, &end, 10);
	if (ranges && end[0] == '-' && isdigit((unsigned char)end[1]))
		last = strtoul(end + 1, &end, 10);
	*ret_first = (uint32_t)first;
	*ret_last = (uint32_t)last;
	return *end == '\0' && first <= last && last < UINT32_MAX;
}

int filter_add_ids(struct filter_ids *ids, const char *list, bool ranges, const char *what,
		   struct strobe_err *err)
{
	enum {
		MOST = 1 << 20
	}; /* no machine has more CPUs; keeps "0-4000000000" from filling memory */
	const char *rest = list;
	struct str_part part;
	uint32_t first, last;

	while (str_split(&rest, ',', &part)) {
		if (!parse_ids(part, ranges, &first, &last) || last - first > MOST)
			return err_set(err, -EINVAL, "'%s' is no list of %s", list, what);
		for (uint32_t id = first; id <= last; id++) {
			grow(ids);
			ids->items[ids->count++] = id;
		}
	}
	qsort(ids->items, ids->count, sizeof(*ids->items), by_value);
	return 0;
}

bool filter_has_id(const struct filter_ids *ids, uint32_t id)
{
	return bsearch(&id, ids->items, ids->count, sizeof(*ids->items), by_value);
}

/* "12.5" seconds; @text is then what follows. */
static bool parse_seconds(const char **text, uint64_t *ret_ns)
{
	char *end;
	uint64_t ns = 0, unit = NSEC_PER_SEC;

	if (!isdigit((unsigned char)**text))
		return false;
	ns = strtoull(*text, &end, 10);
	if (ns > UINT64_MAX / NSEC_PER_SEC - 1)
		return false;
	ns *= NSEC_PER_SEC;
	if (*end == '.') {
		for (end++; isdigit((unsigned char)*end); end++)
			ns += (uint64_t)(*end - '0') * (unit /= 10);
	}
	*text = end;
	*ret_ns = ns;
	return true;
}

/* "START,STOP", "START,", ",STOP" or "START". */
static bool parse_range(const char **text, struct filter_time *ret_time)
{
	*ret_time = (struct filter_time){ 0, UINT64_MAX };
	if (**text != ',' && !parse_seconds(text, &ret_time->first_ns))
		return false;
	if (**text == ',') {
		(*text)++;
		if (**text && **text != ' ' && !parse_seconds(text, &ret_time->last_ns))
			return false;
	}
	return ret_time->first_ns <= ret_time->last_ns;
}

/* "12.5%": a share of 0 to 1. */
static bool parse_percent(const char **text, double *ret_share)
{
	char *end;
	double percent;

	if (!isdigit((unsigned char)**text))
		return false;
	percent = strtod(*text, &end);
	if (*end != '%' || percent > 100)
		return false;
	*text = end + 1;
	*ret_share = percent / 100;
	return true;
}

/* "10%-20%", or "10%/2": the second tenth. "10%" is its first. */
static bool parse_share(const char **text, double *ret_first, double *ret_last)
{
	double share;

	if (!parse_percent(text, &share))
		return false;
	*ret_first = 0;
	*ret_last = share;
	if (**text == '-') {
		(*text)++;
		*ret_first = share;
		return parse_percent(text, ret_last) && *ret_first <= *ret_last;
	}
	if (**text == '/') {
		char *end;
		unsigned long which = strtoul(*text + 1, &end, 10);

		if (end == *text + 1 || which < 1 || (double)which * share > 1.0000001)
			return false;
		*text = end;
		*ret_first = share * (double)(which - 1);
		*ret_last = share * (double)which;
	}
	return true;
}

static void add_time(struct filter *filter, struct filter_time time)
{
	grow(&filter->times);
	filter->times.items[filter->times.count++] = time;
}

static bool add_shares(struct filter *filter, const char *text, uint64_t first_ns, uint64_t last_ns)
{
	double whole = (double)(last_ns - first_ns), first, last;

	for (;;) {
		if (!parse_share(&text, &first, &last))
			return false;
		add_time(filter, (struct filter_time){
					 first_ns + (uint64_t)(first * whole),
					 last >= 1 ? last_ns : first_ns + (uint64_t)(last * whole),
				 });
		if (*text == '\0')
			return true;
		if (*text++ != ',')
			return false;
	}
}

static bool add_ranges(struct filter *filter, const char *text)
{
	struct filter_time time;

	for (;;) {
		if (!parse_range(&text, &time))
			return false;
		add_time(filter, time);
		if (*text == '\0')
			return true;
		if (*text++ != ' ')
			return false;
	}
}

bool filter_times_are_shares(const char *text)
{
	return text && strchr(text, '%');
}

int filter_add_times(struct filter *filter, const char *text, uint64_t first_ns, uint64_t last_ns,
		     struct strobe_err *err)
{
	bool good;

	if (filter_times_are_shares(text) && first_ns > last_ns) {
		err_set(err, -ENODATA, "parts of the time need samples with times");
		return err_hint(err, -ENODATA, "record with -T");
	}
	good = filter_times_are_shares(text) ? add_shares(filter, text, first_ns, last_ns)
					     : add_ranges(filter, text);
	if (good)
		return 0;
	err_set(err, -EINVAL, "'%s' is no range of time", text);
	return err_hint(err, -EINVAL, "write 12.5,13 (seconds), 10%%-20%%, or 10%%/2");
}

static bool is_in_time(const struct filter *filter, uint64_t time_ns)
{
	for (size_t i = 0; i < filter->times.count; i++) {
		if (time_ns >= filter->times.items[i].first_ns &&
		    time_ns <= filter->times.items[i].last_ns)
			return true;
	}
	return filter->times.count == 0;
}

bool filter_is_empty(const struct filter *filter)
{
	return filter->comms.count + filter->dsos.count + filter->symbols.count +
		       filter->addrs.count + filter->pids.count + filter->tids.count +
		       filter->cpus.count + filter->times.count ==
	       0;
}

bool filter_drops(const struct filter *filter, const struct profile_sample *sample)
{
	if (filter->cpus.count > 0 && !filter_has_id(&filter->cpus, sample->sample.cpu))
		return true;
	return !is_in_time(filter, sample->sample.time);
}

static bool has_name(const struct strings *names, const char *name)
{
	uint32_t id;

	return strings_find(names, name, &id);
}

static bool hides_thread(const struct filter *filter, const struct profile_sample *sample)
{
	return (filter->comms.count > 0 && !has_name(&filter->comms, sample->comm)) ||
	       (filter->pids.count > 0 && !filter_has_id(&filter->pids, sample->sample.pid)) ||
	       (filter->tids.count > 0 && !filter_has_id(&filter->tids, sample->sample.tid));
}

/* Files that were deleted or remapped go by the names that are printed of them, too. */
static bool has_printed(const struct strings *names, const struct map *map)
{
	const char *suffix = map_suffix(map);

	for (uint32_t i = 0; i < names->count; i++) {
		const char *name = strings_text(names, i);
		const char *brief = str_after(name, map->dso->short_name);
		const char *whole = str_after(name, map->dso->name);

		if ((brief && strcmp(brief, suffix) == 0) || (whole && strcmp(whole, suffix) == 0))
			return true;
	}
	return false;
}

static bool has_dso(const struct filter *filter, const struct map *map)
{
	return map && (has_name(&filter->dsos, map->dso->short_name) ||
		       has_name(&filter->dsos, map->dso->name) ||
		       (map_suffix(map)[0] && has_printed(&filter->dsos, map)));
}

static bool has_addr(const struct filter *filter, const struct place *place)
{
	const struct function *function = place->function;
	uint64_t start = function ? placeinfo_function_begin(place).addr : 0;

	if (!place->map)
		return false;
	for (size_t i = 0; i < filter->addrs.count; i++) {
		uint64_t addr = filter->addrs.items[i];

		if ((function && addr == start) || place->addr == addr ||
		    (place->addr > addr && place->addr - addr < filter->addr_range))
			return true;
	}
	return false;
}

static bool has_symbol(const struct filter *filter, const struct place *place)
{
	return (place->function && has_name(&filter->symbols, place->function->name)) ||
	       has_addr(filter, place);
}

unsigned filter_hides(const struct filter *filter, const struct profile_sample *sample,
		      const struct place *place)
{
	unsigned reasons = hides_thread(filter, sample) ? FILTER_THREAD : 0;

	if (filter->dsos.count > 0 && !has_dso(filter, place->map))
		reasons |= FILTER_DSO;
	if (filter->symbols.count > 0 && !has_symbol(filter, place))
		reasons |= FILTER_SYMBOL;
	return reasons;
}

bool filter_wants_place(const struct filter *filter)
{
	return filter->dsos.count > 0 || filter->symbols.count > 0;
}

void filter_ids_done(struct filter_ids *ids)
{
	free(ids->items);
	*ids = (struct filter_ids){ 0 };
}

void filter_done(struct filter *filter)
{
	strings_done(&filter->comms);
	strings_done(&filter->dsos);
	strings_done(&filter->symbols);
	free(filter->addrs.items);
	filter_ids_done(&filter->pids);
	filter_ids_done(&filter->tids);
	filter_ids_done(&filter->cpus);
	free(filter->times.items);
	*filter = (struct filter){ 0 };
}
