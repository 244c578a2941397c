/* insn-json.c - see insn-json.h. */
#include "view/insn-json.h"

#include <stdint.h>

#include "analyze/branch-code.h"
#include "analyze/code.h"
#include "analyze/profile.h"
#include "base/json.h"
#include "base/str.h"
#include "format/branch-flags.h"
#include "view/branch-json.h"
#include "view/insn-text.h"
#include "view/place-json.h"
#include "view/place-text.h"

static void add_insn(struct json *json, const struct insn *insn, const uint8_t *bytes,
		     const char *text, const struct insn_text_fields *fields)
{
	if (fields->length)
		json_u64(json, "size", insn->size);
	if (fields->bytes)
		json_hex(json, "bytes", bytes, insn->size);
	if (fields->text)
		json_text(json, "text", insn->size ? text : NULL);
}

void insn_json_add(struct json *json, const char *name, struct code *code,
		   const struct place *place, const struct insn_text_fields *fields)
{
	_cleanup_(str_done) struct str text = { 0 };
	uint8_t bytes[INSN_SIZE_MAX];
	struct insn insn = code_insn(code, place, bytes, &text);

	if (insn.size == 0) {
		json_null(json, name);
		return;
	}
	json_begin(json, name);
	add_insn(json, &insn, bytes, str_text(&text), fields);
	json_end(json);
}

struct branch_walk {
	struct json *json;
	const struct profile_sample *sample;
	const struct insn_text_fields *fields;
};

static const char *kind_name(enum branch_code_kind kind)
{
	switch (kind) {
	case BRANCH_CODE_FUNCTION:
		return "function";
	case BRANCH_CODE_INSN:
		return "insn";
	case BRANCH_CODE_JUMP:
		return "jump";
	case BRANCH_CODE_MISMATCH:
		return "mismatch";
	default:
		return "not_reached";
	}
}

static void add_jump(struct json *json, const struct branch_code_line *line)
{
	struct branch_flags flags = branch_flags_decode(line->branch->flags);

	json_addr(json, "to", line->branch->to);
	json_u64(json, "cycles", flags.cycles);
	json_u64(json, "cycles_so_far", line->cycle_count);
	json_u64(json, "insns", line->insn_count);
}

static void add_line(void *context, const struct branch_code_line *line)
{
	static const struct place_text_fields names = { .symbol = true, .offset = true };
	const struct branch_walk *walk = context;
	struct json *json = walk->json;
	bool is_insn = line->kind == BRANCH_CODE_INSN || line->kind == BRANCH_CODE_JUMP;

	json_begin(json, NULL);
	json_text(json, "kind", kind_name(line->kind));
	if (is_insn || line->kind == BRANCH_CODE_FUNCTION)
		json_addr(json, "addr", line->place.addr);
	if (line->kind == BRANCH_CODE_FUNCTION)
		place_json_names(json, &line->place, &names);
	if (is_insn)
		add_insn(json, &line->insn, line->bytes, line->text, walk->fields);
	if (line->kind == BRANCH_CODE_JUMP)
		add_jump(json, line);
	if (line->kind == BRANCH_CODE_JUMP && walk->fields->counters)
		branch_json_counts(json, walk->fields->counters, walk->fields->event_names,
				   walk->sample, line->number);
	json_end(json);
}

void insn_json_branches(struct json *json, const char *name, struct profile *profile,
			struct code *code, const struct profile_sample *sample, size_t max_blocks,
			const struct insn_text_fields *fields)
{
	struct branch_walk walk = { json, sample, fields };

	json_begin_list(json, name);
	if (sample->sample.branch_count > 0)
		branch_code_walk(profile, code, sample, max_blocks, add_line, &walk);
	json_end_list(json);
}
