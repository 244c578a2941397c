/* insn-text.c - see insn-text.h. */
#include "view/insn-text.h"

#include <inttypes.h>

#include "analyze/branch-code.h"
#include "analyze/branch-events.h"
#include "analyze/code.h"
#include "analyze/profile.h"
#include "base/str.h"
#include "data/events.h"
#include "format/branch-flags.h"
#include "view/source-text.h"

void insn_text_add(struct code *code, const struct place *place,
		   const struct insn_text_fields *fields, struct str *out)
{
	_cleanup_(str_done) struct str text = { 0 };
	uint8_t bytes[INSN_SIZE_MAX];
	struct insn insn = code_insn(code, place, bytes, &text);

	if (fields->length)
		str_addf(out, " ilen: %zu", insn.size);
	if (insn.size == 0)
		return;
	if (fields->bytes) {
		str_add(out, " insn:");
		for (size_t i = 0; i < insn.size; i++)
			str_addf(out, " %02x", bytes[i]);
	}
	if (fields->text)
		str_addf(out, "\t\t%s", str_text(&text));
}

struct branches {
	const struct profile_sample *sample;
	const struct insn_text_fields *fields;
	struct str *out;
};

static void add_function(const struct branches *branches, const struct place *place)
{
	struct str *out = branches->out;
	uint64_t offset = place->object_addr - place->function->start;

	str_addf(out, "\t%s", place->function->name);
	if (offset)
		str_addf(out, "+%" PRIu64, offset);
	str_add_char(out, ':');
	if (branches->fields->line) {
		str_add_char(out, '\t');
		source_text_line(branches->fields->line, place, out);
	}
	str_add_char(out, '\n');
}

/* "	0000000000401132	insn: 75 e6 " */
static void add_insn(const struct branches *branches, const struct branch_code_line *line)
{
	enum { BEFORE_BRANCH = 30 };
	struct str *out = branches->out;
	size_t begin;

	str_addf(out, "\t%016" PRIx64 "\t", line->place.addr);
	begin = out->size;
	if (line->insn.size == 0)
		str_add(out, "<bad>");
	else if (branches->fields->text)
		str_add(out, line->text);
	else
		str_add(out, "insn: ");
	for (size_t i = 0; !branches->fields->text && i < line->insn.size; i++)
		str_addf(out, "%02x ", line->bytes[i]);
	if (line->kind == BRANCH_CODE_JUMP && out->size - begin < BEFORE_BRANCH)
		str_add_repeat(out, ' ', BEFORE_BRANCH - (out->size - begin));
	if (branches->fields->length)
		str_addf(out, "\tilen: %zu", line->insn.size);
	if (line->kind == BRANCH_CODE_JUMP && branches->fields->line) {
		str_add(out, "\t srcline: ");
		source_text_line(branches->fields->line, &line->place, out);
	}
}

/* "	# br_cntr: AAB ", or with names " cycles 2 cache-misses 1 ". */
static void add_counters(const struct branches *branches, size_t branch)
{
	const char *const *names = branches->fields->event_names;
	struct str *out = branches->out;
	struct branch_event_count count;
	size_t next = 0, begin;

	str_add(out, " br_cntr: ");
	begin = out->size;
	while (branch_events_next(branches->fields->counters, branches->sample, branch, &next,
				  &count)) {
		if (names)
			str_addf(out, "%s %u", names[count.event->event->index], count.count);
		else
			str_add_repeat(out, count.event->letter, count.count);
		if (count.saturated)
			str_add_char(out, '+');
		if (names)
			str_add_char(out, ' ');
	}
	if (out->size == begin)
		str_add_char(out, '-');
	str_add_char(out, ' ');
}

/* "	# PRED 12 cycles [30] 0.50 IPC" */
static void add_branch(const struct branches *branches, const struct branch_code_line *line)
{
	struct str *out = branches->out;
	uint64_t flags = line->branch->flags;
	unsigned cycles = branch_flags_cycles(flags);

	str_add(out, branches->fields->counters ? "\t\t#" : "\t#");
	if (branches->fields->counters)
		add_counters(branches, line->number);
	str_addf(out, "%s%s%s%s", flags & BRANCH_FLAG_PREDICTED ? " PRED" : "",
		 flags & BRANCH_FLAG_MISPREDICTED ? " MISPRED" : "",
		 flags & BRANCH_FLAG_IN_TX ? " INTX" : "",
		 flags & BRANCH_FLAG_ABORT ? " ABORT" : "");
	if (cycles == 0)
		return;
	str_addf(out, " %u cycles [%" PRIu64 "]", cycles, line->cycle_count);
	if (line->insn_count)
		str_addf(out, " %.2f IPC", (double)line->insn_count / cycles);
}

static void add_line(void *context, const struct branch_code_line *line)
{
	const struct branches *branches = context;
	struct str *out = branches->out;

	switch (line->kind) {
	case BRANCH_CODE_FUNCTION:
		add_function(branches, &line->place);
		return;
	case BRANCH_CODE_MISMATCH:
		str_add(out, "\tmismatch of LBR data and executable\n");
		return;
	case BRANCH_CODE_NOT_REACHED:
		str_add(out, "\t... not reaching sample ...\n");
		return;
	case BRANCH_CODE_JUMP:
		add_insn(branches, line);
		add_branch(branches, line);
		break;
	case BRANCH_CODE_INSN:
		add_insn(branches, line);
		break;
	}
	str_add_char(out, '\n');
	if (branches->fields->code)
		source_text_code(branches->fields->code, branches->sample->sample.tid, &line->place,
				 out);
}

void insn_text_branches(struct profile *profile, struct code *code,
			const struct profile_sample *sample, size_t max_blocks,
			const struct insn_text_fields *fields, struct str *out)
{
	struct branches branches = { sample, fields, out };

	if (sample->sample.branch_count == 0)
		return;
	str_add_char(out, '\n');
	branch_code_walk(profile, code, sample, max_blocks, add_line, &branches);
}
