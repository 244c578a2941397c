/* event-json.c - see event-json.h. */
#include "view/event-json.h"

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/str.h"
#include "data/events.h"
#include "format/attr-bits.h"
#include "format/event-name.h"

void event_json_name(struct json *json, const struct event_desc *event)
{
	struct str name = { 0 };

	event_name_add_desc(&name, event);
	json_bytes(json, "name", str_text(&name), name.size);
	str_done(&name);
}

static void add_bits(struct json *json, const char *name, enum attr_bits_set set, uint64_t bits)
{
	const char *bit;

	json_begin_list(json, name);
	for (size_t i = 0; (bit = attr_bits_next(set, bits, &i));)
		json_text(json, NULL, bit);
	json_end_list(json);
}

/* What is 0 in most attrs stands there only if it is not. */
static void add_rare(struct json *json, const struct attr *attr)
{
	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = {
		{ "bp_type", attr->bp_type },
		{ "sample_stack_user", attr->sample_stack_user },
		{ "aux_watermark", attr->aux_watermark },
		{ "sample_max_stack", attr->sample_max_stack },
		{ "aux_sample_size", attr->aux_sample_size },
		{ "aux_action", attr->aux_action },
		{ "sig_data", attr->sig_data },
	};
	const struct {
		const char *name;
		uint64_t bits;
	} sets[] = {
		{ "config1", attr->config1 },
		{ "config2", attr->config2 },
		{ "config3", attr->config3 },
		{ "config4", attr->config4 },
		{ "sample_regs_user", attr->sample_regs_user },
		{ "sample_regs_intr", attr->sample_regs_intr },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].value)
			json_u64(json, numbers[i].name, numbers[i].value);
	}
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		if (sets[i].bits)
			json_addr(json, sets[i].name, sets[i].bits);
	}
	if (attr->branch_sample_type)
		add_bits(json, "branch_sample_type", ATTR_BITS_BRANCH_TYPE,
			 attr->branch_sample_type);
	if (attr->use_clockid)
		json_i64(json, "clockid", attr->clockid);
	if (attr->wakeup_events)
		json_u64(json, attr->watermark ? "wakeup_watermark" : "wakeup_events",
			 attr->wakeup_events);
}

static void add_flags(struct json *json, const struct attr *attr)
{
	const char *name;
	unsigned value;

	json_begin(json, "flags");
	for (size_t i = 0; (name = attr_bits_flag(attr, &i, &value));)
		json_u64(json, name, value);
	json_end(json);
}

static void add_attr(struct json *json, const struct attr *attr)
{
	json_begin(json, "attr");
	json_u64(json, "type", attr->type);
	json_u64(json, "size", attr->size);
	json_addr(json, "config", attr->config);
	json_u64(json, attr->freq ? "sample_freq" : "sample_period", attr->sample_period);
	add_bits(json, "sample_type", ATTR_BITS_SAMPLE_TYPE, attr->sample_type);
	add_bits(json, "read_format", ATTR_BITS_READ_FORMAT, attr->read_format);
	add_flags(json, attr);
	add_rare(json, attr);
	json_end(json);
}

void event_json_add(struct json *json, const struct event_desc *event)
{
	event_json_name(json, event);
	json_u64(json, "leader", event->leader);
	if (event->group_count > 1) {
		json_u64(json, "group_members", event->group_count);
		json_text(json, "group_name", event->group_name);
	}
	json_begin_list(json, "ids");
	for (size_t i = 0; i < event->id_count; i++)
		json_u64(json, NULL, event->ids[i]);
	json_end_list(json);
	if (event->unit) {
		json_text(json, "unit", event->unit);
		json_double(json, "scale", event->scale);
	}
	if (event->cpus)
		json_text(json, "cpus", event->cpus);
	add_attr(json, &event->attr);
}
