/* trace-event-text.c - see trace-event-text.h. */
#include "view/trace-event-text.h"

#include <inttypes.h>
#include <linux/perf_event.h>

#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "base/str.h"
#include "format/tracepoint.h"
#include "symbol/resolve.h"
#include "view/call-text.h"
#include "view/place-text.h"

enum { FRAME_COLUMN = 39 };

static void add_text_field(const struct tracepoint_field *field, const struct sample *sample,
			   struct str *out)
{
	struct str value = { 0 };

	tracepoint_field_print(field, sample->raw, sample->raw_size, &value);
	call_text_quoted(str_text(&value), value.size, out);
	str_done(&value);
}

static void add_number_field(const struct tracepoint_field *field, uint64_t number, struct str *out)
{
	if (tracepoint_field_is_signed(field))
		str_addf(out, "%" PRId64, (int64_t)number);
	else
		str_addf(out, "%" PRIu64, number);
}

static void add_fields(const struct call_text *text, const struct sample *sample,
		       const struct tracepoint *tracepoint, struct str *out)
{
	const struct tracepoint_field *field;
	bool any = false;

	for (size_t i = 0; (field = tracepoint_field_at(tracepoint, i)); i++) {
		bool is_text = tracepoint_field_is_text(field);
		uint64_t number = 1;
		bool is_number = !is_text && tracepoint_field_number(field, sample->raw,
								     sample->raw_size, &number);

		if (number == 0 && !text->show_zeros)
			continue;
		str_addf(out, "%s%s: ", any ? ", " : "", tracepoint_field_name(field));
		any = true;
		if (is_text)
			add_text_field(field, sample, out);
		else if (is_number)
			add_number_field(field, number, out);
		else
			tracepoint_field_print(field, sample->raw, sample->raw_size, out);
	}
}

void trace_event_text(struct call_text *text, const struct profile_sample *sample, const char *name,
		      const struct tracepoint *tracepoint, struct str *out)
{
	call_text_begin(text, sample->sample.time, UINT64_MAX, sample->sample.cpu, sample->comm,
			sample->sample.tid, out);
	str_add(out, name);
	str_add_char(out, '(');
	if (tracepoint)
		add_fields(text, &sample->sample, tracepoint, out);
	str_add(out, ")\n");
}

/* The place in its object, where it has no name. */
static void add_offset(const struct place *place, struct str *out)
{
	uint64_t offset;

	if (!place->map || !placeinfo_file_offset(place, &offset))
		offset = place->addr;
	str_addf(out, "0x%" PRIx64, offset);
}

static void add_symbol(const struct place *place, struct str *out)
{
	if (place->function)
		place_text_symbol(place, true, out);
	else
		add_offset(place, out);
}

void trace_event_text_fault(struct call_text *text, const struct profile_sample *sample,
			    bool is_major, const struct place *code, const struct place *data,
			    struct str *out)
{
	size_t begin;

	call_text_begin(text, sample->sample.time, 0, sample->sample.cpu, sample->comm,
			sample->sample.tid, out);
	str_addf(out, "%sfault [", is_major ? "maj" : "min");
	add_symbol(code, out);
	str_add(out, "] => ");
	begin = out->size;
	if (data->map) {
		str_add(out, placeinfo_path(data->map, true));
		str_add_char(out, '@');
	}
	str_one_line(out, begin);
	add_offset(data, out);
	str_addf(out, " (%c%c)\n", data->map ? 'd' : '?',
		 sample->cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.');
}

void trace_event_text_frame(const struct place *place, struct str *out)
{
	static const struct place_text_fields fields = { .dso = true };

	str_add_repeat(out, ' ', FRAME_COLUMN);
	if (place->function) {
		place_text_symbol(place, false, out);
	} else {
		str_add_char(out, '[');
		add_offset(place, out);
		str_add_char(out, ']');
	}
	place_text_dso(&fields, place, out);
	str_add_char(out, '\n');
}
