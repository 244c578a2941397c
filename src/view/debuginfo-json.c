/* debuginfo-json.c - see debuginfo-json.h. */
#include "view/debuginfo-json.h"

#include "symbol/findings.h"
#include "view/debuginfo-row.h"

static const char *const verdicts[] = {
	[DEBUGFILE_FITS] = "fits",
	[DEBUGFILE_ABSENT] = "absent",
	[DEBUGFILE_FORBIDDEN] = "forbidden",
	[DEBUGFILE_UNREADABLE] = "unreadable",
	[DEBUGFILE_NOT_ELF] = "not-elf",
	[DEBUGFILE_OTHER_MACHINE] = "other-machine",
	[DEBUGFILE_OTHER_BUILD_ID] = "other-build-id",
	[DEBUGFILE_OTHER_CRC] = "other-crc",
	[DEBUGFILE_UNPROVEN] = "unproven",
	[DEBUGFILE_UNREACHABLE] = "unreachable",
};

static const char *const roles[] = {
	[BINARY_FILE] = "file",
	[BINARY_DEBUG] = "debug",
	[BINARY_ALT] = "common",
};

static const char *const packings[] = {
	[UNPACK_NONE] = "none", [UNPACK_ZLIB] = "zlib",       [UNPACK_ZSTD] = "zstd",
	[UNPACK_XZ] = "xz",     [UNPACK_UNKNOWN] = "unknown",
};

static const char *const names[] = {
	[FINDINGS_NO_NAMES] = "none",
	[FINDINGS_EXPORTED_NAMES] = "exported",
	[FINDINGS_ALL_NAMES] = "all",
};

static const char *named(const struct debuginfo_row *row)
{
	enum findings_names by_object = FINDINGS_ALL_NAMES;

	if (row->findings)
		by_object = findings_names(row->findings);
	else if (row->reason || row->kept_count > 0)
		by_object = FINDINGS_NO_NAMES;
	return by_object == FINDINGS_NO_NAMES && row->kept_count > 0 ? "kept" : names[by_object];
}

void debuginfo_json_begin(struct debuginfo_json *out)
{
	out->json.out = &out->text;
	json_begin(&out->json, NULL);
	json_text(&out->json, "schema", "strobe.debuginfo/1");
	json_begin_list(&out->json, "objects");
}

static void add_tables(struct json *json, const char *name, const struct findings_tables *tables,
		       bool have_counts)
{
	json_begin_list(json, name);
	for (size_t i = 0; i < tables->count; i++) {
		const struct findings_table *table = &tables->items[i];

		json_begin(json, NULL);
		json_text(json, "section", table->section);
		json_text(json, "path", table->path);
		if (have_counts)
			json_u64(json, "count", table->count);
		json_end(json);
	}
	json_end_list(json);
}

static void add_dwarf(struct json *json, const struct findings_dwarf *dwarf)
{
	const struct dwarf_traits *traits = &dwarf->traits;

	if (!dwarf->path) {
		json_null(json, "dwarf");
		return;
	}
	json_begin(json, "dwarf");
	json_text(json, "path", dwarf->path);
	json_u64(json, "oldest_version", traits->oldest);
	json_u64(json, "newest_version", traits->newest);
	json_u64(json, "units", traits->unit_count);
	json_text(json, "compression", packings[dwarf->packing]);
	json_u64(json, "split_units", traits->split_count);
	json_u64(json, "split_units_found", traits->split_found);
	if (dwarf->alt_name) {
		json_begin(json, "common");
		json_text(json, "name", dwarf->alt_name);
		json_hex(json, "build_id", dwarf->alt_id, dwarf->alt_id_size);
		json_text(json, "path", dwarf->alt_path);
		json_end(json);
	} else {
		json_null(json, "common");
	}
	json_end(json);
}

static void add_tries(struct json *json, const struct findings *findings)
{
	json_begin_list(json, "tried");
	for (size_t i = 0; i < findings->tries.count; i++) {
		const struct findings_try *try = &findings->tries.items[i];

		json_begin(json, NULL);
		json_text(json, "role", roles[try->role]);
		json_text(json, "path", try->place);
		json_text(json, "verdict", verdicts[try->verdict]);
		json_end(json);
	}
	json_end_list(json);
}

static void add_findings(struct json *json, const struct findings *findings)
{
	json_hex(json, "build_id", findings->build_id, findings->build_id_size);
	json_text(json, "path", findings->path);
	if (findings->reason)
		json_text(json, "reason", findings->reason);
	add_tables(json, "symbols", &findings->symbols, true);
	add_tables(json, "frames", &findings->frames, false);
	add_dwarf(json, &findings->dwarf);
	json_bool(json, "lines", findings->dwarf.traits.has_lines);
	json_bool(json, "inlines", findings->dwarf.traits.has_inlines);
	add_tries(json, findings);
}

void debuginfo_json_add(struct debuginfo_json *out, const struct debuginfo_row *row)
{
	struct json *json = &out->json;

	json_begin(json, NULL);
	json_text(json, "name", row->name);
	json_bool(json, "has_file", row->findings);
	json_text(json, "named", named(row));
	json_u64(json, "kept", row->kept_count);
	if (row->findings)
		add_findings(json, row->findings);
	else if (row->reason)
		json_text(json, "reason", row->reason);
	json_texts(json, "advice", row->advice, row->advice_count);
	json_end(json);
}

void debuginfo_json_end(struct debuginfo_json *out, FILE *file)
{
	json_end_list(&out->json);
	json_end(&out->json);
	str_add_char(&out->text, '\n');
	(void)fwrite(out->text.text, 1, out->text.size, file);
	str_done(&out->text);
}
