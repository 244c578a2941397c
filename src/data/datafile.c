/* datafile.c - see datafile.h. */
#include "data/datafile.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"
#include "data/eventnames.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/fileheader.h"
#include "data/filemap.h"
#include "data/normalize.h"
#include "data/normalizer.h"
#include "data/parts.h"
#include "data/survey.h"
#include "data/walk.h"

struct record_feature {
	struct perf_event_header header;
	uint64_t feature;
	uint8_t body[];
};

struct feature_body {
	const uint8_t *bytes; /* NULL: there is none */
	size_t size;
};

struct datafile {
	struct filemap map;    /* the file; of a folder, the one with the header */
	struct parts parts;    /* of a folder, the others */
	struct filemap normal; /* its records once more, where they had to be turned */
	struct datafile_header header;
	struct datafile_damage damage;
	struct events *events;
	struct feature_body features[DATAFILE_FEATURES];
	/* Records: their offsets are from begin to end, each a multiple of 8, and lie as far behind
	 * bytes as behind origin. */
	const uint8_t *bytes;
	uint64_t origin, begin, end;
	uint64_t *stretches; /* where they begin, in order; NULL: not known but of the first */
	size_t stretch_count;
	uint64_t telling_end; /* behind here no record tells of the file; see collect_records() */
	bool is_window, is_told; /* see datafile_slide() */
	struct arena kept;       /* features of a window */
	struct str names;        /* FEATURE_STROBE_NAMES of a pipe, all of its records */
};

/* The ids that an entry of the attrs points to, aligned and in host order. */
static uint64_t *load_ids(const struct datafile *file, struct fileheader_section section,
			  size_t *ret_count)
{
	size_t count = 0;
	uint64_t *ids;

	if (fileheader_section_fits(section, file->map.size))
		count = (size_t)(section.size / sizeof(*ids));
	ids = xcalloc(count ? count : 1, sizeof(*ids));
	if (count)
		memcpy(ids, file->map.bytes + section.offset, count * sizeof(*ids));
	for (size_t i = 0; file->header.foreign && i < count; i++)
		ids[i] = __builtin_bswap64(ids[i]);
	*ret_count = count;
	return ids;
}

static void load_attr(struct datafile *file, const uint8_t *entry, size_t attr_size)
{
	_cleanup_(freep) uint64_t *ids = NULL;
	struct fileheader_section section;
	struct attr attr;
	size_t id_count;

	if (attr_decode(entry, attr_size, file->header.foreign, &attr) < 0)
		return;
	memcpy(&section, entry + attr_size, sizeof(section));
	if (file->header.foreign) {
		section.offset = __builtin_bswap64(section.offset);
		section.size = __builtin_bswap64(section.size);
	}
	ids = load_ids(file, section, &id_count);
	(void)events_add(file->events, &attr, ids, id_count);
}

static void load_attrs(struct datafile *file, const struct fileheader *header)
{
	struct fileheader_section attrs = header->attrs;
	size_t entry_size = (size_t)header->attr_size;

	if (attrs.offset > file->map.size ||
	    entry_size < ATTR_SIZE_MIN + sizeof(struct fileheader_section))
		return;
	if (attrs.size > file->map.size - attrs.offset)
		attrs.size = file->map.size - attrs.offset;
	for (uint64_t i = 0; i < attrs.size / entry_size; i++)
		load_attr(file, file->map.bytes + attrs.offset + i * entry_size,
			  entry_size - sizeof(struct fileheader_section));
}

static struct fileheader_section table_entry(const struct datafile *file, uint64_t offset)
{
	struct fileheader_section section = { UINT64_MAX, 0 };

	if (offset > file->map.size || file->map.size - offset < sizeof(section))
		return section;
	memcpy(&section, file->map.bytes + offset, sizeof(section));
	if (file->header.foreign) {
		section.offset = __builtin_bswap64(section.offset);
		section.size = __builtin_bswap64(section.size);
	}
	return section;
}

/* The table of sections lies behind the data, one entry for each bit that is set. */
static void load_features(struct datafile *file, const struct fileheader *header)
{
	uint64_t offset = file->header.feature_offset;

	for (unsigned i = 0; i < DATAFILE_FEATURES; i++) {
		if (!fileheader_has(header, i))
			continue;

		struct fileheader_section section = table_entry(file, offset);

		offset += sizeof(section);
		if (fileheader_section_fits(section, file->map.size))
			file->features[i] = (struct feature_body){ file->map.bytes + section.offset,
								   (size_t)section.size };
		else
			file->damage.feature_count++;
	}
}

/*
 * A killed recorder leaves a data size of 0, with the bits of the features that it was going to
 * write. A recording without records is told by the first section, which then lies right
 * behind the table, or in front of where records would be.
 */
static bool is_unfinished(const struct datafile *file, const struct fileheader *header)
{
	uint64_t bits = 0, first;

	if (header->pipe || header->data.size != 0 || header->data.offset >= file->map.size)
		return false;
	for (size_t i = 0; i < 4; i++)
		bits += (uint64_t)__builtin_popcountll(header->features[i]);
	first = table_entry(file, header->data.offset).offset;
	return bits == 0 ||
	       (first >= header->data.offset &&
		first != header->data.offset + bits * sizeof(struct fileheader_section));
}

static void find_records(struct datafile *file, const struct fileheader *header)
{
	uint64_t size = file->map.size;

	file->bytes = file->map.bytes;
	if (header->pipe) {
		file->begin = header->size;
		file->end = size;
		return;
	}
	file->begin = header->data.offset < size ? header->data.offset : size;
	file->end = size;
	if (file->header.unfinished)
		return;
	if (header->data.size < size - file->begin)
		file->end = file->begin + header->data.size;
	else
		file->damage.missing_size = header->data.size - (size - file->begin);
}

static void load_header(struct datafile *file, const struct fileheader *header)
{
	file->header = (struct datafile_header){
		.pipe = header->pipe,
		.foreign = header->foreign,
		.version = header->version,
		.attr_size = (uint32_t)header->attr_size,
		.data_offset = header->data.offset,
		.data_size = header->data.size,
		.feature_offset = header->data.offset + header->data.size,
		.file_size = file->map.size,
		.captured_on = file->map.changed_on,
	};
	file->header.unfinished = is_unfinished(file, header);
}

/* True if the records can be used where they lie; else they are walked again to be turned. */
static bool is_normal(struct datafile *file)
{
	struct survey survey;

	if (file->parts.count)
		return false;
	if (file->header.foreign || file->begin % 8)
		return file->begin == file->end;
	survey_take(file->bytes, file->begin, file->end, &survey);
	if (!survey.is_normal) {
		free(survey.stretches);
		return false;
	}
	file->damage.unknown_count = survey.unknown_count;
	file->damage.skipped_count += survey.skipped_count;
	file->damage.ignored_size += survey.ignored_size;
	file->telling_end = survey.telling_end;
	file->end = survey.end;
	file->stretches = survey.stretches;
	file->stretch_count = survey.stretch_count;
	return true;
}

static int turn_records(struct datafile *file, struct strobe_err *err)
{
	_cleanup_(freep) struct normalize_span *spans =
		xcalloc(1 + file->parts.count, sizeof(*spans));
	struct normalize_input input = {
		.spans = spans,
		.span_count = 1 + file->parts.count,
		.foreign = file->header.foreign,
		.events = file->header.pipe ? NULL : file->events,
	};
	int rc;

	spans[0] = (struct normalize_span){ file->bytes + file->begin,
					    (size_t)(file->end - file->begin) };
	for (size_t i = 0; i < file->parts.count; i++)
		spans[1 + i] = (struct normalize_span){ file->parts.items[i].map.bytes,
							file->parts.items[i].map.size };
	file->damage.unknown_count = 0;
	rc = normalize(&input, &file->normal, &file->damage, &file->header.compressed, err);
	if (rc < 0)
		return rc;
	file->bytes = file->normal.bytes;
	file->begin = 0;
	file->end = file->telling_end = file->normal.size;
	return 0;
}

/* What a window tells is told once, and goes with its record. */
static void keep_feature(struct datafile *file, struct feature_body *feature)
{
	uint8_t *kept;

	if (!file->is_window)
		return;
	kept = arena_alloc(&file->kept, feature->size + 1);
	memcpy(kept, feature->bytes, feature->size);
	feature->bytes = kept;
}

static void collect_feature(struct datafile *file, const struct perf_event_header *header)
{
	const struct record_feature *record = (const void *)header;

	if (header->size < sizeof(*record) || record->feature >= DATAFILE_FEATURES)
		return;
	file->features[record->feature] =
		(struct feature_body){ record->body, header->size - sizeof(*record) };
	keep_feature(file, &file->features[record->feature]);
}

const void *datafile_names(const struct record *record, size_t *ret_size)
{
	const struct record_event_update *update = (const void *)record->header;

	if (record->header->type != RECORD_EVENT_UPDATE ||
	    !record_fits(record->header, sizeof(*update)) || update->kind != RECORD_UPDATE_NAMES)
		return NULL;
	*ret_size = record->header->size - sizeof(*update);
	return update->body;
}

static void collect_names(struct datafile *file, const struct record *record)
{
	size_t size;
	const void *body = datafile_names(record, &size);

	if (!body)
		return;
	str_add_bytes(&file->names, body, size);
	file->features[FEATURE_STROBE_NAMES] =
		(struct feature_body){ (const uint8_t *)file->names.text, file->names.size };
}

static void collect_payload(struct datafile *file, const struct record *record, unsigned feature)
{
	size_t size;
	const void *bytes = datafile_payload(file, record, &size);

	if (!bytes || file->features[feature].bytes)
		return;
	file->features[feature] = (struct feature_body){ bytes, size };
	keep_feature(file, &file->features[feature]);
}

/* What a pipe tells by records of what a file tells in its header. */
static void collect_record(struct datafile *file, const struct record *record)
{
	switch (record->header->type) {
	case RECORD_HEADER_ATTR:
		if (events_add_record(file->events, record->header) < 0)
			file->damage.skipped_count++;
		break;
	case RECORD_EVENT_UPDATE:
		(void)events_update(file->events, record->header);
		collect_names(file, record);
		break;
	case RECORD_HEADER_FEATURE:
		collect_feature(file, record->header);
		break;
	case RECORD_HEADER_TRACING_DATA:
		collect_payload(file, record, FEATURE_TRACING_DATA);
		break;
	default:
		break;
	}
}

static void collect_records(struct datafile *file)
{
	struct datafile_cursor cursor = datafile_begin(file);
	struct record record;

	while (cursor.offset < file->telling_end && datafile_next(&cursor, &record))
		collect_record(file, &record);
}

static void apply_names(struct datafile *file)
{
	const struct feature_body *names = &file->features[FEATURE_EVENT_DESC];
	const struct feature_body *groups = &file->features[FEATURE_GROUP_DESC];

	if (names->bytes &&
	    eventnames_describe(file->events, names->bytes, names->size, file->header.foreign) < 0)
		file->damage.feature_count++;
	if (groups->bytes &&
	    eventnames_group(file->events, groups->bytes, groups->size, file->header.foreign) < 0)
		file->damage.feature_count++;
}

static int load(struct datafile *file, const char *name, struct strobe_err *err)
{
	struct fileheader header;
	int rc = fileheader_parse(file->map.bytes, file->map.size, name, &header, err);

	if (rc < 0)
		return rc;
	file->events = events_new();
	load_header(file, &header);
	load_attrs(file, &header);
	if (!header.pipe && !file->header.unfinished)
		load_features(file, &header);
	find_records(file, &header);
	if (!header.pipe)
		apply_names(file);
	if (!is_normal(file)) {
		rc = turn_records(file, err);
		if (rc < 0)
			return rc;
	}
	collect_records(file);
	if (header.pipe)
		apply_names(file);
	return 0;
}

int datafile_open(const char *path, struct datafile **ret_file, struct strobe_err *err)
{
	_cleanup_(datafile_closep) struct datafile *file = xnew(struct datafile);
	int rc = filemap_open(path, &file->map, err);

	if (rc == 0 && strcmp(path, "-") != 0)
		rc = parts_open(path, &file->parts, err);
	if (rc == 0)
		rc = load(file, path, err);
	if (rc < 0)
		return rc;
	*ret_file = take(file);
	return 0;
}

int datafile_open_fd(int fd, const char *name, struct datafile **ret_file, struct strobe_err *err)
{
	_cleanup_(datafile_closep) struct datafile *file = xnew(struct datafile);
	int rc = filemap_open_fd(fd, name, &file->map, err);

	if (rc == 0)
		rc = load(file, name, err);
	if (rc < 0)
		return rc;
	*ret_file = take(file);
	return 0;
}

int datafile_open_rest(int fd, const char *name, const void *begun, size_t begun_size,
		       struct datafile **ret_file, struct strobe_err *err)
{
	_cleanup_(datafile_closep) struct datafile *file = xnew(struct datafile);
	int rc = filemap_open_rest(fd, name, begun, begun_size, &file->map, err);

	if (rc == 0)
		rc = load(file, name, err);
	if (rc < 0)
		return rc;
	*ret_file = take(file);
	return 0;
}

void datafile_close(struct datafile *file)
{
	if (!file)
		return;
	events_free(file->events);
	filemap_done(&file->normal);
	parts_done(&file->parts);
	filemap_done(&file->map);
	arena_done(&file->kept);
	str_done(&file->names);
	free(file->stretches);
	free(file);
}

struct datafile *datafile_new_window(bool foreign)
{
	struct datafile *file = xnew(struct datafile);

	file->header = (struct datafile_header){ .pipe = true, .foreign = foreign, .version = 2 };
	file->events = events_new();
	file->is_window = true;
	return file;
}

/* Recorders tell what there is to be told before these. */
static bool ends_telling(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE || type == RECORD_FINISHED_ROUND ||
	       type == RECORD_FINISHED_INIT;
}

void datafile_slide(struct datafile *file, const uint8_t *bytes, uint64_t begin, uint64_t end)
{
	struct datafile_cursor cursor = { file, file->end };
	struct record record;

	file->bytes = bytes;
	file->origin = file->begin = begin;
	file->end = end;
	file->header.file_size = end;
	while (!file->is_told && datafile_next(&cursor, &record)) {
		if (ends_telling(record.header->type))
			datafile_end_telling(file);
		else
			collect_record(file, &record);
	}
}

void datafile_end_telling(struct datafile *file)
{
	if (!file->is_told)
		apply_names(file);
	file->is_told = true;
}

bool datafile_is_told(const struct datafile *file)
{
	return !file->is_window || file->is_told;
}

struct datafile_damage *datafile_window_damage(struct datafile *file)
{
	return &file->damage;
}

const struct datafile_header *datafile_header(const struct datafile *file)
{
	return &file->header;
}

const struct events *datafile_events(const struct datafile *file)
{
	return file->events;
}

const struct datafile_damage *datafile_damage(const struct datafile *file)
{
	return &file->damage;
}

const void *datafile_feature(const struct datafile *file, unsigned feature, size_t *ret_size)
{
	if (feature >= DATAFILE_FEATURES || !file->features[feature].bytes)
		return NULL;
	*ret_size = file->features[feature].size;
	return file->features[feature].bytes;
}

struct datafile_cursor datafile_begin(const struct datafile *file)
{
	return (struct datafile_cursor){ file, file->begin };
}

size_t datafile_stretch_count(const struct datafile *file)
{
	return file->stretches ? file->stretch_count : 1;
}

uint64_t datafile_stretch(const struct datafile *file, size_t i)
{
	if (i >= datafile_stretch_count(file))
		return file->end;
	return file->stretches ? file->stretches[i] : file->begin;
}

static const struct perf_event_header *header_at(const struct datafile *file, uint64_t offset)
{
	return (const void *)(file->bytes + (offset - file->origin));
}

struct record datafile_record(const struct datafile *file, uint64_t offset)
{
	return (struct record){ header_at(file, offset), offset };
}

/* The bytes were checked when the file was opened; it may have changed under our feet since. */
bool datafile_next(struct datafile_cursor *cursor, struct record *ret_record)
{
	const struct datafile *file = cursor->file;
	uint64_t left = file->end - cursor->offset, step;

	if (left < sizeof(struct perf_event_header))
		return false;

	const struct perf_event_header *header = header_at(file, cursor->offset);
	struct perf_event_header head = *header;

	if (head.size < sizeof(head) || head.size > left)
		return false;
	__builtin_prefetch((const void *)((uintptr_t)header + WALK_AHEAD));
	*ret_record = (struct record){ header, cursor->offset };
	/* A payload of another size, of AUXTRACE, was written with zeros behind it. */
	step = bytes_round_up(head.size);
	if (head.type >= RECORD_HEADER_ATTR) /* no record of the kernel's has a payload */
		step += bytes_round_up(walk_payload_size((const uint8_t *)header, &head, false));
	cursor->offset = step < left ? cursor->offset + step : file->end;
	return true;
}

const void *datafile_payload(const struct datafile *file, const struct record *record,
			     size_t *ret_size)
{
	const struct perf_event_header *header = record->header;
	uint64_t size = walk_payload_size((const uint8_t *)header, header, false);
	uint64_t offset = record->offset + bytes_round_up(header->size);

	if (size == 0 || offset > file->end || size > file->end - offset)
		return NULL;
	*ret_size = (size_t)size;
	return file->bytes + (offset - file->origin);
}
