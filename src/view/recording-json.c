/* recording-json.c - see recording-json.h. */
#include "view/recording-json.h"

#include <stdint.h>

#include "analyze/profile.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/machine.h"
#include "data/datafile.h"
#include "data/feature.h"

static void add_text(struct json *json, const struct datafile *file, const char *name,
		     enum feature feature)
{
	const char *text;
	size_t size;
	const void *bytes = datafile_feature(file, feature, &size);

	if (bytes && feature_string_decode(bytes, size, datafile_header(file)->foreign, &text) == 0)
		json_text(json, name, text);
}

static void add_cpus(struct json *json, const struct datafile *file)
{
	struct feature_nrcpus cpus;
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_NRCPUS, &size);

	if (!bytes || feature_nrcpus_decode(bytes, size, datafile_header(file)->foreign, &cpus) < 0)
		return;
	json_u64(json, "cpus_online", cpus.online);
	json_u64(json, "cpus_available", cpus.available);
}

static void add_memory(struct json *json, const struct datafile *file)
{
	uint64_t size_kb;
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_TOTAL_MEM, &size);

	if (bytes && feature_u64_decode(bytes, size, datafile_header(file)->foreign, &size_kb) == 0)
		json_u64(json, "memory_kb", size_kb);
}

static void add_cmdline(struct json *json, const struct datafile *file)
{
	struct arena arena = { 0 };
	struct machine_list words;
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_CMDLINE, &size);

	if (bytes && feature_cmdline_decode(bytes, size, datafile_header(file)->foreign, &arena,
					    &words) == 0)
		json_texts(json, "cmdline", words.items, words.count);
	arena_done(&arena);
}

void recording_json_basics(struct json *json, const struct datafile *file)
{
	const struct datafile_header *header = datafile_header(file);

	if (!header->pipe)
		json_i64(json, "captured_on", header->captured_on);
	add_text(json, file, "hostname", FEATURE_HOSTNAME);
	add_text(json, file, "os_release", FEATURE_OSRELEASE);
	add_text(json, file, "recorder_version", FEATURE_VERSION);
	add_text(json, file, "arch", FEATURE_ARCH);
	add_text(json, file, "cpu_description", FEATURE_CPUDESC);
	add_text(json, file, "cpuid", FEATURE_CPUID);
	add_cpus(json, file);
	add_memory(json, file);
	add_cmdline(json, file);
}

void recording_json_losses(struct json *json, const char *name, const struct profile *profile)
{
	const struct datafile *file = profile_file(profile);
	const struct datafile_damage *damage = datafile_damage(file);
	const struct profile_totals *totals = profile_totals(profile);

	json_begin(json, name);
	json_u64(json, "lost_records", totals->lost_count);
	json_u64(json, "lost_samples", totals->lost_samples);
	json_u64(json, "unknown_event_samples", totals->unknown_id_count);
	json_u64(json, "unknown_layout_samples", totals->unknown_layout_count);
	json_u64(json, "damaged_samples", profile_damaged_samples(profile));
	json_u64(json, "damaged_records", totals->damaged_count);
	json_u64(json, "unreadable_records", damage->skipped_count);
	json_u64(json, "unknown_records", damage->unknown_count);
	json_u64(json, "damaged_sections", damage->feature_count);
	json_u64(json, "unread_bytes", damage->ignored_size);
	json_u64(json, "missing_bytes", damage->missing_size);
	json_bool(json, "unfinished", datafile_header(file)->unfinished);
	json_end(json);
}
