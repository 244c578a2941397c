#include "kernel/pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/str.h"
#include "kernel/folder.h"

enum {
	FILE_MAX = 4096, /* sysfs shows a page at most */
	FIELD_COUNT = 5,
};

#define DEVICES "/sys/bus/event_source/devices"

static char *path_of(const char *root, const char *pmu, const char *rest)
{
	struct str path = { 0 };

	str_addf(&path, "%s" DEVICES, root ? root : "");
	if (pmu)
		str_addf(&path, "/%s", pmu);
	if (rest)
		str_addf(&path, "/%s", rest);
	return str_take(&path);
}

/* The file's text without blanks at its end; NULL where it cannot be read. */
static char *read_text(const char *path)
{
	char bytes[FILE_MAX + 1];
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	size_t size;

	if (!file)
		return NULL;
	size = fread(bytes, 1, FILE_MAX, file);
	while (size > 0 && strchr(" \t\n", bytes[size - 1]))
		size--;
	bytes[size] = '\0';
	return xstrdup(bytes);
}

static char *read_pmu_text(const char *root, const char *pmu, const char *rest)
{
	_cleanup_(freep) char *path = path_of(root, pmu, rest);

	return read_text(path);
}

/* "0-7", "32": adds the bits to *bits; false if it is not that. */
static bool add_bits(struct str_part part, uint64_t *bits)
{
	char text[32];
	unsigned low, high, i;
	int end = 0;

	if (part.size >= sizeof(text))
		return false;
	memcpy(text, part.text, part.size);
	text[part.size] = '\0';
	if (sscanf(text, "%u-%u%n", &low, &high, &end) != 2 || text[end]) {
		if (sscanf(text, "%u%n", &low, &end) != 1 || text[end])
			return false;
		high = low;
	}
	if (high > 63 || low > high)
		return false;
	for (i = low; i <= high; i++)
		*bits |= UINT64_C(1) << i;
	return true;
}

static bool parse_format(const char *text, struct pmu_format *format)
{
	static const char *const fields[FIELD_COUNT] = { "config:", "config1:", "config2:",
							 "config3:", "config4:" };
	struct str_part part;

	for (unsigned i = 0; i < FIELD_COUNT; i++) {
		const char *rest = str_after(text, fields[i]);

		if (!rest)
			continue;
		format->field = i;
		format->bits = 0;
		while (str_split(&rest, ',', &part))
			if (!add_bits(part, &format->bits))
				return false;
		return true;
	}
	return false;
}

static void load_formats(const char *root, struct pmu *pmu)
{
	_cleanup_(freep) char *path = path_of(root, pmu->name, "format");
	_cleanup_(folder_names_done) struct folder_names names = { 0 };

	(void)folder_list(path, &names);
	for (size_t i = 0; i < names.count; i++) {
		_cleanup_(freep) char *file = NULL, *text = NULL;
		struct pmu_format format = { 0 };
		struct str where = { 0 };

		str_addf(&where, "%s/%s", path, names.items[i]);
		file = str_take(&where);
		text = read_text(file);
		if (!text || !parse_format(text, &format))
			continue;
		if (pmu->format_count == pmu->format_capacity)
			pmu->formats =
				xgrow(pmu->formats, &pmu->format_capacity, sizeof(*pmu->formats));
		format.name = xstrdup(names.items[i]);
		pmu->formats[pmu->format_count++] = format;
	}
}

/* What the file DIR/NAME says; NULL if it is not there. */
static char *read_in(const char *dir, const char *name)
{
	_cleanup_(str_done) struct str path = { 0 };

	str_addf(&path, "%s/%s", dir, name);
	return read_text(str_text(&path));
}

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);

	return size > end_size && !strcmp(text + size - end_size, end);
}

/* An event's own file; the others say more about the event they are named after. */
static bool is_event_file(const char *name)
{
	return !ends_with(name, ".unit") && !ends_with(name, ".scale") &&
	       !ends_with(name, ".per-pkg") && !ends_with(name, ".snapshot");
}

/* What the file NAME.END beside an event's own says; NULL if there is none. */
static char *read_beside(const char *dir, const char *name, const char *end)
{
	_cleanup_(str_done) struct str file = { 0 };

	str_addf(&file, "%s.%s", name, end);
	return read_in(dir, str_text(&file));
}

/* What the other files named after it say of an event: "energy-pkg.scale". */
static void load_details(const char *dir, struct pmu_event *event)
{
	_cleanup_(freep) char *scale = read_beside(dir, event->name, "scale");
	_cleanup_(freep) char *package = read_beside(dir, event->name, "per-pkg");
	_cleanup_(freep) char *snapshot = read_beside(dir, event->name, "snapshot");

	if (!scale || !str_to_double(scale, &event->scale))
		event->scale = 0;
	event->unit = read_beside(dir, event->name, "unit");
	event->per_package = package && !strcmp(package, "1");
	event->is_snapshot = snapshot && !strcmp(snapshot, "1");
}

static void load_events(const char *root, struct pmu *pmu)
{
	_cleanup_(freep) char *path = path_of(root, pmu->name, "events");
	_cleanup_(folder_names_done) struct folder_names names = { 0 };

	(void)folder_list(path, &names);
	for (size_t i = 0; i < names.count; i++) {
		struct pmu_event *event;
		char *text;

		if (!is_event_file(names.items[i]))
			continue;
		text = read_in(path, names.items[i]);
		if (!text)
			continue;
		if (pmu->event_count == pmu->event_capacity)
			pmu->events =
				xgrow(pmu->events, &pmu->event_capacity, sizeof(*pmu->events));
		event = &pmu->events[pmu->event_count++];
		*event = (struct pmu_event){
			.name = take(names.items[i]),
			.text = text,
		};
		load_details(path, event);
	}
}

/* Core PMUs are called "cpu" (of s390 "cpum_cf"), or say which CPUs are theirs. */
static bool is_core_name(const char *root, const char *name, bool *ret_hybrid)
{
	_cleanup_(freep) char *cpus = path_of(root, name, "cpus");

	*ret_hybrid = access(cpus, F_OK) == 0;
	return *ret_hybrid || !strcmp(name, "cpu") || !strcmp(name, "cpum_cf");
}

int pmu_load(const char *root, const char *name, struct pmu **ret_pmu, struct strobe_err *err)
{
	_cleanup_(pmu_freep) struct pmu *pmu = NULL;
	_cleanup_(freep) char *text = NULL, *precise = NULL;
	uint64_t type, level;

	if (strchr(name, '/') || name[0] == '.' || !name[0])
		return -ENOENT;
	text = read_pmu_text(root, name, "type");
	if (!text)
		return -ENOENT;
	if (!str_to_u64(text, &type) || type > UINT32_MAX)
		return err_set(err, -EIO, "PMU '%s' has no valid type: '%s'", name, text);
	pmu = xnew(struct pmu);
	pmu->name = xstrdup(name);
	pmu->type = (uint32_t)type;
	pmu->is_core = is_core_name(root, name, &pmu->is_hybrid);
	pmu->cpus = read_pmu_text(root, name, pmu->is_hybrid ? "cpus" : "cpumask");
	precise = read_pmu_text(root, name, "caps/max_precise");
	if (precise && str_to_u64(precise, &level) && level <= 3)
		pmu->precise = (unsigned)level;
	load_formats(root, pmu);
	load_events(root, pmu);
	*ret_pmu = take(pmu);
	return 0;
}

void pmu_free(struct pmu *pmu)
{
	if (!pmu)
		return;
	for (size_t i = 0; i < pmu->format_count; i++)
		free(pmu->formats[i].name);
	for (size_t i = 0; i < pmu->event_count; i++) {
		free(pmu->events[i].name);
		free(pmu->events[i].text);
		free(pmu->events[i].unit);
	}
	free(pmu->formats);
	free(pmu->events);
	free(pmu->cpus);
	free(pmu->name);
	free(pmu);
}

const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->format_count; i++)
		if (!strcmp(pmu->formats[i].name, name))
			return &pmu->formats[i];
	return NULL;
}

const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->event_count; i++)
		if (!strcasecmp(pmu->events[i].name, name))
			return &pmu->events[i];
	return NULL;
}

int pmu_format_value(const struct pmu_format *format, uint64_t value, uint64_t *ret_bits)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < 64; i++) {
		if (!(format->bits & UINT64_C(1) << i))
			continue;
		if (value & 1)
			bits |= UINT64_C(1) << i;
		value >>= 1;
	}
	if (value)
		return -ERANGE;
	*ret_bits = bits;
	return 0;
}

/*
 * "_12" behind the name of a PMU, or "_3a00", at least three hexadecimal digits: the number, or the
 * address, of one of several alike. How long that is; 0: there is none.
 */
static size_t suffix_size(const char *name, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	size_t count = 0;
	bool is_decimal = true;

	while (count < size && strchr(digits, name[size - 1 - count])) {
		is_decimal &= name[size - 1 - count] <= '9';
		count++;
	}
	if (count == 0 || count + 1 >= size || name[size - 1 - count] != '_')
		return 0;
	return is_decimal || count > 2 ? count + 1 : 0;
}

size_t pmu_stem_size(const char *name)
{
	size_t size = strlen(name);

	return size - suffix_size(name, size);
}

/* "imc" and "uncore_imc" both mean "uncore_imc_0" and its brothers. */
static bool is_instance_of(const char *name, const char *pattern)
{
	const char *plain = str_after(name, "uncore_");
	size_t size = strlen(pattern), stem_size = pmu_stem_size(name);

	if (stem_size == size && !strncmp(name, pattern, size))
		return true;
	if (!plain)
		return false;
	stem_size -= (size_t)(plain - name);
	return !strcmp(plain, pattern) || (stem_size == size && !strncmp(plain, pattern, size));
}

bool pmu_is_meant(const char *name, const char *pattern)
{
	return is_instance_of(name, pattern) || glob_match(pattern, name);
}

void pmu_list(const char *root, struct folder_names *ret_names)
{
	_cleanup_(freep) char *path = path_of(root, NULL, NULL);

	(void)folder_list(path, ret_names);
}

bool pmu_is_core(const char *root, const char *name)
{
	bool is_hybrid;

	return is_core_name(root, name, &is_hybrid);
}

void pmu_list_events(const char *root, const char *name, struct folder_names *ret_names)
{
	_cleanup_(freep) char *path = path_of(root, name, "events");
	_cleanup_(folder_names_done) struct folder_names all = { 0 };

	*ret_names = (struct folder_names){ 0 };
	(void)folder_list(path, &all);
	for (size_t i = 0; i < all.count; i++)
		if (is_event_file(all.items[i]))
			folder_names_add(ret_names, &all.items[i]);
}

bool pmu_names_event(const char *root, const char *name, const char *event)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 };

	pmu_list_events(root, name, &names);
	for (size_t i = 0; i < names.count; i++)
		if (!strcasecmp(names.items[i], event))
			return true;
	return false;
}
