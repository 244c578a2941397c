/* header-json.c - see header-json.h. */
#include "view/header-json.h"

#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/bpfinfo.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/keptnames.h"
#include "view/event-json.h"
#include "view/machine-json.h"
#include "view/recording-json.h"

static int add_sample_time(struct json *json, const struct machine_json_section *section)
{
	struct feature_sample_time time;
	int r = feature_sample_time_decode(section->bytes, section->size, section->foreign, &time);

	if (r < 0)
		return r;
	json_u64(json, "first_sample_ns", time.first_ns);
	json_u64(json, "last_sample_ns", time.last_ns);
	return 0;
}

static int add_clock_resolution(struct json *json, const struct machine_json_section *section)
{
	uint64_t resolution_ns;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &resolution_ns);

	if (r < 0)
		return r;
	json_u64(json, "clock_resolution_ns", resolution_ns);
	return 0;
}

static int add_clock(struct json *json, const struct machine_json_section *section)
{
	struct feature_clock_data clock;
	int r = feature_clock_data_decode(section->bytes, section->size, section->foreign, &clock);

	if (r < 0)
		return r;
	json_begin(json, "clock");
	json_u64(json, "id", clock.clockid);
	json_u64(json, "time_ns", clock.clock_ns);
	json_u64(json, "time_of_day_ns", clock.tod_ns);
	json_end(json);
	return 0;
}

static int add_folder_version(struct json *json, const struct machine_json_section *section)
{
	uint64_t version;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &version);

	if (r < 0)
		return r;
	json_u64(json, "folder_version", version);
	return 0;
}

static int add_compression(struct json *json, const struct machine_json_section *section)
{
	struct feature_compressed compressed;
	int r = feature_compressed_decode(section->bytes, section->size, section->foreign,
					  &compressed);

	if (r < 0)
		return r;
	json_begin(json, "compression");
	json_u64(json, "type", compressed.type);
	json_u64(json, "level", compressed.level);
	json_u64(json, "ratio", compressed.ratio);
	json_end(json);
	return 0;
}

static void add_program(struct json *json, const struct bpfinfo_program *program)
{
	json_begin(json, NULL);
	json_u64(json, "id", program->id);
	json_hex(json, "tag", program->tag, sizeof(program->tag));
	json_begin_list(json, "functions");
	for (size_t i = 0; i < program->count; i++) {
		json_begin(json, NULL);
		json_text(json, "name", program->functions[i].name);
		json_addr(json, "addr", program->functions[i].addr);
		json_u64(json, "size", program->functions[i].size);
		json_end(json);
	}
	json_end_list(json);
	json_end(json);
}

static int add_programs(struct json *json, const struct machine_json_section *section)
{
	struct bpfinfo_btfs btfs = { 0 };
	struct bpfinfo_programs programs;
	size_t size;
	const void *bytes = datafile_feature(section->file, FEATURE_BPF_BTF, &size);
	int r;

	/* Without types, functions have no names of their own. */
	if (bytes)
		(void)bpfinfo_btfs_decode(bytes, size, section->foreign, section->arena, &btfs);
	r = bpfinfo_programs_decode(section->bytes, section->size, section->foreign, &btfs,
				    section->arena, &programs);
	if (r < 0)
		return r;
	json_begin_list(json, "bpf_programs");
	for (size_t i = 0; i < programs.count; i++)
		add_program(json, &programs.items[i]);
	json_end_list(json);
	return 0;
}

static int add_kept_names(struct json *json, const struct machine_json_section *section)
{
	size_t objects, symbols;

	int r = keptnames_count(section->bytes, section->size, section->foreign, &objects,
				&symbols);

	if (r < 0)
		return r;
	json_begin(json, "kept_names");
	json_u64(json, "objects", objects);
	json_u64(json, "symbols", symbols);
	json_end(json);
	return 0;
}

static machine_json_adder *const adders[FEATURE_PERF_END] = {
	[FEATURE_CPU_TOPOLOGY] = machine_json_topology,
	[FEATURE_NUMA_TOPOLOGY] = machine_json_numa,
	[FEATURE_CACHE] = machine_json_caches,
	[FEATURE_MEM_TOPOLOGY] = machine_json_memory,
	[FEATURE_HYBRID_TOPOLOGY] = machine_json_hybrid,
	[FEATURE_CPU_DOMAIN_INFO] = machine_json_domains,
	[FEATURE_PMU_MAPPINGS] = machine_json_pmus,
	[FEATURE_CPU_PMU_CAPS] = machine_json_cpu_caps,
	[FEATURE_PMU_CAPS] = machine_json_caps,
	[FEATURE_E_MACHINE] = machine_json_e_machine,
	[FEATURE_CLN_SIZE] = machine_json_cache_line,
	[FEATURE_SAMPLE_TIME] = add_sample_time,
	[FEATURE_CLOCKID] = add_clock_resolution,
	[FEATURE_CLOCK_DATA] = add_clock,
	[FEATURE_DIR_FORMAT] = add_folder_version,
	[FEATURE_COMPRESSED] = add_compression,
	[FEATURE_BPF_PROG_INFO] = add_programs,
};

static machine_json_adder *adder_of(unsigned feature)
{
	if (feature == FEATURE_STROBE_NAMES)
		return add_kept_names;
	return feature < FEATURE_PERF_END ? adders[feature] : NULL;
}

/* A pipe's features end with a record of the first number that its recorder did not know. */
static bool is_there(const struct datafile *file, unsigned feature)
{
	size_t size;

	if (!datafile_feature(file, feature, &size))
		return false;
	return size > 0 || !datafile_header(file)->pipe || !feature_has_body(feature);
}

static void add_features(struct json *json, const struct datafile *file)
{
	json_begin_list(json, "features");
	for (unsigned feature = 0; feature < DATAFILE_FEATURES; feature++) {
		if (is_there(file, feature) && feature_name(feature))
			json_text(json, NULL, feature_name(feature));
	}
	json_end_list(json);
}

static void add_file(struct json *json, const struct datafile *file)
{
	const struct datafile_header *header = datafile_header(file);

	json_begin(json, "file");
	json_bool(json, "pipe", header->pipe);
	json_bool(json, "foreign", header->foreign);
	json_bool(json, "compressed", header->compressed);
	json_u64(json, "version", header->version);
	json_u64(json, "size", header->file_size);
	if (!header->pipe) {
		json_u64(json, "data_offset", header->data_offset);
		json_u64(json, "data_size", header->data_size);
		json_u64(json, "feature_offset", header->feature_offset);
	}
	json_end(json);
}

/* False if it is damaged. */
static bool add_section(struct json *json, const struct datafile *file, unsigned feature)
{
	struct arena arena = { 0 };
	struct machine_json_section section = {
		.file = file,
		.foreign = datafile_header(file)->foreign,
		.arena = &arena,
	};
	int r;

	section.bytes = datafile_feature(file, feature, &section.size);
	r = adder_of(feature)(json, &section);
	arena_done(&arena);
	return r == 0;
}

static void add_sections(struct json *json, const struct datafile *file)
{
	bool damaged[DATAFILE_FEATURES] = { false };

	for (unsigned feature = 0; feature < DATAFILE_FEATURES; feature++) {
		if (adder_of(feature) && is_there(file, feature))
			damaged[feature] = !add_section(json, file, feature);
	}
	json_begin_list(json, "damaged_features");
	for (unsigned feature = 0; feature < DATAFILE_FEATURES; feature++) {
		if (damaged[feature])
			json_text(json, NULL, feature_name(feature));
	}
	json_end_list(json);
}

static void add_events(struct json *json, const struct events *events)
{
	json_begin_list(json, "events");
	for (size_t i = 0; i < events_count(events); i++) {
		json_begin(json, NULL);
		event_json_add(json, events_at(events, i));
		json_end(json);
	}
	json_end_list(json);
}

void header_json_recording(struct json *json, const struct datafile *file, bool whole)
{
	json_begin(json, "recording");
	recording_json_basics(json, file);
	if (whole) {
		add_file(json, file);
		add_features(json, file);
		add_sections(json, file);
		add_events(json, datafile_events(file));
	}
	json_end(json);
}

void header_json_print(const struct datafile *file, FILE *out)
{
	struct str text = { 0 };
	struct json json = { .out = &text };

	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.header/1");
	header_json_recording(&json, file, true);
	json_end(&json);
	str_add_char(&text, '\n');
	(void)fwrite(text.text, 1, text.size, out);
	str_done(&text);
}
