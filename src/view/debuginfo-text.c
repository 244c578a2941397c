/* debuginfo-text.c - see debuginfo-text.h. */
#include "view/debuginfo-text.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "symbol/findings.h"
#include "view/debuginfo-row.h"

enum { LABEL = 12 /* columns */ };

static const char *const verdicts[] = {
	[DEBUGFILE_FITS] = "fits",
	[DEBUGFILE_ABSENT] = "not there",
	[DEBUGFILE_FORBIDDEN] = "no permission to read it",
	[DEBUGFILE_UNREADABLE] = "cannot be read",
	[DEBUGFILE_NOT_ELF] = "not an ELF file",
	[DEBUGFILE_OTHER_MACHINE] = "of another machine",
	[DEBUGFILE_OTHER_BUILD_ID] = "of another build (build-id)",
	[DEBUGFILE_OTHER_CRC] = "of another build (CRC)",
	[DEBUGFILE_UNPROVEN] = "nothing tells that it fits",
	[DEBUGFILE_UNREACHABLE] = "no answer",
};

static const char *const packings[] = {
	[UNPACK_ZLIB] = ", compressed (zlib)",
	[UNPACK_ZSTD] = ", compressed (zstd)",
	[UNPACK_UNKNOWN] = ", compressed in a way that is not known",
};

/* Begins a line; the label is left out below itself. */
static void begin(struct str *text, const char *label)
{
	size_t from = text->size;

	str_addf(text, "  %s", label);
	str_add_repeat(text, ' ', 2 + LABEL - (text->size - from));
}

static void end(struct str *text, size_t from)
{
	str_one_line(text, from);
	str_add_char(text, '\n');
}

static void add_line(struct str *text, const char *label, const char *value)
{
	size_t from = text->size;

	begin(text, label);
	str_add(text, value);
	end(text, from);
}

/* Where it is, unless that is the file itself. */
static void add_place(struct str *text, const struct findings *findings, const char *path)
{
	if (strcmp(path, findings->path) != 0)
		str_addf(text, " in %s", path);
}

static void add_kept(struct str *text, const char *label, size_t count)
{
	size_t from = text->size;

	if (count == 0)
		return;
	begin(text, label);
	str_addf(text, "kept in the recording (%zu)", count);
	end(text, from);
}

static void add_tables(struct str *text, const struct findings *findings, const char *label,
		       const struct findings_tables *tables, const char *none)
{
	if (tables->count == 0)
		add_line(text, label, none);
	for (size_t i = 0; i < tables->count; i++) {
		const struct findings_table *table = &tables->items[i];
		size_t from = text->size;

		begin(text, i == 0 ? label : "");
		str_add(text, table->section);
		if (table->count)
			str_addf(text, " (%zu)", table->count);
		add_place(text, findings, table->path);
		end(text, from);
	}
}

static void add_versions(struct str *text, const struct dwarf_traits *traits)
{
	if (traits->unit_count == 0)
		str_add(text, "damaged");
	else if (traits->oldest == traits->newest)
		str_addf(text, "version %u", traits->newest);
	else
		str_addf(text, "versions %u to %u", traits->oldest, traits->newest);
}

static void add_dwarf(struct str *text, const struct findings *findings)
{
	const struct findings_dwarf *dwarf = &findings->dwarf;
	const struct dwarf_traits *traits = &dwarf->traits;
	size_t from = text->size;

	begin(text, "DWARF");
	if (!dwarf->path) {
		str_add(text, "none");
		end(text, from);
		return;
	}
	add_versions(text, traits);
	if (packings[dwarf->packing])
		str_add(text, packings[dwarf->packing]);
	add_place(text, findings, dwarf->path);
	end(text, from);
	from = text->size;
	if (dwarf->alt_name) {
		begin(text, "");
		str_addf(text, "refers to %s: ", dwarf->alt_name);
		if (dwarf->alt_path)
			str_add(text, dwarf->alt_path);
		else
			str_add(text, "missing, build-id ");
		if (!dwarf->alt_path)
			str_add_hex(text, dwarf->alt_id, dwarf->alt_id_size);
		end(text, from);
	}
	if (traits->split_count) {
		begin(text, "");
		str_addf(text, "split: %zu of %zu .dwo files are there", traits->split_found,
			 traits->split_count);
		end(text, from);
	}
}

static const char *yes_or_no(bool yes)
{
	return yes ? "yes" : "no";
}

static void add_tries(struct str *text, const struct findings *findings)
{
	for (size_t i = 0; i < findings->tries.count; i++) {
		const struct findings_try *try = &findings->tries.items[i];
		size_t from = text->size;

		begin(text, i == 0 ? "looked at" : "");
		str_addf(text, "%s: %s", try->place, verdicts[try->verdict]);
		end(text, from);
	}
}

static void add_names(struct str *text, const struct debuginfo_row *row)
{
	const struct findings_tables *tables = &row->findings->symbols;

	if (tables->count > 0 || row->kept_count == 0)
		add_tables(text, row->findings, "names", tables, "none");
	add_kept(text, tables->count > 0 ? "" : "names", row->kept_count);
}

static void add_findings(struct str *text, const struct debuginfo_row *row)
{
	const struct findings *findings = row->findings;
	const struct dwarf_traits *traits = &findings->dwarf.traits;
	_cleanup_(str_done) struct str id = { 0 };

	str_add_hex(&id, findings->build_id, findings->build_id_size);
	add_line(text, "build-id", id.size ? id.text : "none");
	if (!findings->path) {
		add_line(text, "file", findings->reason);
		add_kept(text, "names", row->kept_count);
	} else {
		add_names(text, row);
		add_tables(text, findings, "unwinding", &findings->frames, "none");
		add_dwarf(text, findings);
		add_line(text, "lines", yes_or_no(traits->has_lines));
		add_line(text, "inlines", yes_or_no(traits->has_inlines));
	}
	add_tries(text, findings);
}

void debuginfo_text_print(const struct debuginfo_row *row, FILE *out)
{
	_cleanup_(str_done) struct str text = { 0 };

	str_add(&text, row->name);
	end(&text, 0);
	if (row->findings)
		add_findings(&text, row);
	else if (row->kept_count > 0)
		add_kept(&text, "names", row->kept_count);
	else
		add_line(&text, "names", row->reason ? row->reason : "yes");
	for (size_t i = 0; i < row->advice_count; i++)
		add_line(&text, i == 0 ? "what helps" : "", row->advice[i]);
	(void)fwrite(text.text, 1, text.size, out);
}
