/* sample.c - see sample.h. */
#include "data/sample.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "data/attr.h"
#include "data/record.h"

/* What is left of a record: it is made of 64-bit words, and so is every field's beginning. */
struct reader {
	const uint64_t *next, *end;
};

static size_t count_bits(uint64_t type, uint64_t mask)
{
	return (size_t)__builtin_popcountll(type & mask);
}

static size_t left(const struct reader *reader)
{
	return (size_t)(reader->end - reader->next);
}

static bool get(struct reader *reader, uint64_t *ret_value)
{
	if (reader->next == reader->end)
		return false;
	*ret_value = *reader->next++;
	return true;
}

/* Two 32-bit halves in the order in which they lie in memory. */
static bool get_pair(struct reader *reader, uint32_t *ret_first, uint32_t *ret_second)
{
	uint32_t pair[2];

	if (reader->next == reader->end)
		return false;
	memcpy(pair, reader->next++, sizeof(pair));
	*ret_first = pair[0];
	*ret_second = pair[1];
	return true;
}

/* @count words; a count from input is compared with what is left before anything else. */
static bool get_words(struct reader *reader, uint64_t count, const uint64_t **ret_words)
{
	if (count > left(reader))
		return false;
	*ret_words = reader->next;
	reader->next += count;
	return true;
}

static void sample_clear(struct sample *sample, const struct attr *attr, uint16_t misc)
{
	memset(sample, 0, sizeof(*sample));
	sample->misc = misc;
	sample->pid = sample->tid = sample->cpu = UINT32_MAX;
	sample->branch_hw_index = UINT64_MAX;
	sample->period = attr->freq || attr->sample_period == 0 ? 1 : attr->sample_period;
}

static bool get_identity(struct reader *reader, uint64_t type, struct sample *s)
{
	uint32_t reserved;

	return (!(type & PERF_SAMPLE_IDENTIFIER) || get(reader, &s->id)) &&
	       (!(type & PERF_SAMPLE_IP) || get(reader, &s->ip)) &&
	       (!(type & PERF_SAMPLE_TID) || get_pair(reader, &s->pid, &s->tid)) &&
	       (!(type & PERF_SAMPLE_TIME) || get(reader, &s->time)) &&
	       (!(type & PERF_SAMPLE_ADDR) || get(reader, &s->addr)) &&
	       (!(type & PERF_SAMPLE_ID) || get(reader, &s->id)) &&
	       (!(type & PERF_SAMPLE_STREAM_ID) || get(reader, &s->stream_id)) &&
	       (!(type & PERF_SAMPLE_CPU) || get_pair(reader, &s->cpu, &reserved)) &&
	       (!(type & PERF_SAMPLE_PERIOD) || get(reader, &s->period));
}

/* Words of one value of a read: the value, its id, what it lost. */
static size_t read_stride(uint64_t format)
{
	return 1 + count_bits(format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
}

static bool get_times(struct reader *reader, uint64_t format, struct sample *s)
{
	return (!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) || get(reader, &s->read.time_enabled)) &&
	       (!(format & PERF_FORMAT_TOTAL_TIME_RUNNING) || get(reader, &s->read.time_running));
}

static bool get_read(struct reader *reader, uint64_t format, struct sample *s)
{
	uint64_t count = 1, value;

	s->read.format = format;
	if (format & PERF_FORMAT_GROUP) {
		if (!get(reader, &count) || !get_times(reader, format, s))
			return false;
		if (count > left(reader) ||
		    !get_words(reader, count * read_stride(format), &s->read.values))
			return false;
		s->read.count = count;
		return true;
	}
	s->read.values = reader->next;
	if (!get(reader, &value) || !get_times(reader, format, s) ||
	    (format & PERF_FORMAT_ID && !get(reader, &value)) ||
	    (format & PERF_FORMAT_LOST && !get(reader, &value)))
		return false;
	s->read.count = count;
	return true;
}

static bool get_callchain(struct reader *reader, struct sample *s)
{
	uint64_t count;

	if (!get(reader, &count) || !get_words(reader, count, &s->callchain))
		return false;
	s->callchain_count = count;
	return true;
}

/* A 32-bit size, so many bytes, and padding up to the next word. */
static bool get_raw(struct reader *reader, struct sample *s)
{
	const char *field = (const char *)reader->next;
	uint32_t size;

	if (!left(reader))
		return false;
	memcpy(&size, field, sizeof(size));
	if (size > left(reader) * 8 - sizeof(size))
		return false;
	s->raw = field + sizeof(size);
	s->raw_size = size;
	reader->next += (sizeof(size) + (size_t)size + 7) / 8;
	return true;
}

static bool get_branches(struct reader *reader, const struct attr *attr, struct sample *s)
{
	const uint64_t words = sizeof(struct sample_branch) / 8;
	const uint64_t *entries;
	uint64_t count;

	if (!get(reader, &count))
		return false;
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX &&
	    !get(reader, &s->branch_hw_index))
		return false;
	if (count > left(reader) || !get_words(reader, count * words, &entries))
		return false;
	if (attr->branch_sample_type & ATTR_BRANCH_COUNTERS &&
	    !get_words(reader, count, &s->branch_counters))
		return false;
	s->branches = (const struct sample_branch *)entries;
	s->branch_count = count;
	return true;
}

static bool get_regs(struct reader *reader, uint64_t mask, struct sample_regs *regs)
{
	size_t count = (size_t)__builtin_popcountll(mask);

	if (!get(reader, &regs->abi))
		return false;
	if (regs->abi == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	if (!get_words(reader, count, &regs->values)) {
		regs->abi = PERF_SAMPLE_REGS_ABI_NONE;
		return false;
	}
	regs->mask = mask;
	regs->count = count;
	return true;
}

/* The size asked for, so many bytes, and how many of them were really copied. */
static bool get_stack(struct reader *reader, struct sample *s)
{
	const uint64_t *bytes;
	uint64_t size, copied;

	if (!get(reader, &size))
		return false;
	if (size == 0)
		return true;
	if (size % 8 || !get_words(reader, size / 8, &bytes) || !get(reader, &copied))
		return false;
	s->stack = bytes;
	s->stack_size = copied < size ? copied : size;
	s->stack_room = size;
	return true;
}

static bool get_weight(struct reader *reader, uint64_t type, struct sample *s)
{
	if (!get(reader, &s->weight))
		return false;
	if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		s->weight_2 = (uint16_t)(s->weight >> 32);
		s->weight_3 = (uint16_t)(s->weight >> 48);
		s->weight = (uint32_t)s->weight;
	}
	return true;
}

static bool get_aux(struct reader *reader, struct sample *s)
{
	const uint64_t *bytes;
	uint64_t size;

	if (!get(reader, &size))
		return false;
	if (size > left(reader) * 8 || !get_words(reader, (size + 7) / 8, &bytes))
		return false;
	s->aux = bytes;
	s->aux_size = size;
	return true;
}

static bool get_user_state(struct reader *reader, const struct attr *attr, uint64_t type,
			   struct sample *s)
{
	s->registers_field = reader->next;
	if (type & PERF_SAMPLE_REGS_USER &&
	    !get_regs(reader, attr->sample_regs_user, &s->regs_user))
		return false;
	s->stack_field = reader->next;
	if (type & PERF_SAMPLE_STACK_USER && !get_stack(reader, s))
		return false;
	s->stack_end = reader->next;
	return true;
}

static bool get_stacks(struct reader *reader, const struct attr *attr, uint64_t type,
		       struct sample *s)
{
	return (!(type & PERF_SAMPLE_READ) || get_read(reader, attr->read_format, s)) &&
	       (!(type & PERF_SAMPLE_CALLCHAIN) || get_callchain(reader, s)) &&
	       (!(type & PERF_SAMPLE_RAW) || get_raw(reader, s)) &&
	       (!(type & PERF_SAMPLE_BRANCH_STACK) || get_branches(reader, attr, s)) &&
	       get_user_state(reader, attr, type, s);
}

static bool get_memory(struct reader *reader, const struct attr *attr, uint64_t type,
		       struct sample *s)
{
	const uint64_t weight = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;

	return (!(type & weight) || get_weight(reader, type, s)) &&
	       (!(type & PERF_SAMPLE_DATA_SRC) || get(reader, &s->data_src)) &&
	       (!(type & PERF_SAMPLE_TRANSACTION) || get(reader, &s->transaction)) &&
	       (!(type & PERF_SAMPLE_REGS_INTR) ||
		get_regs(reader, attr->sample_regs_intr, &s->regs_intr)) &&
	       (!(type & PERF_SAMPLE_PHYS_ADDR) || get(reader, &s->phys_addr)) &&
	       (!(type & PERF_SAMPLE_CGROUP) || get(reader, &s->cgroup)) &&
	       (!(type & PERF_SAMPLE_DATA_PAGE_SIZE) || get(reader, &s->data_page_size)) &&
	       (!(type & PERF_SAMPLE_CODE_PAGE_SIZE) || get(reader, &s->code_page_size)) &&
	       (!(type & PERF_SAMPLE_AUX) || get_aux(reader, s));
}

bool sample_is_known(const struct attr *attr)
{
	const uint64_t types = PERF_SAMPLE_WEIGHT_STRUCT * 2 - 1;
	const uint64_t formats = PERF_FORMAT_LOST * 2 - 1;
	const uint64_t branches = ATTR_BRANCH_COUNTERS * 2 - 1;
	uint64_t type = attr->sample_type;

	if (type & ~types)
		return false;
	if (type & PERF_SAMPLE_READ && attr->read_format & ~formats)
		return false;
	return !(type & PERF_SAMPLE_BRANCH_STACK) || !(attr->branch_sample_type & ~branches);
}

int sample_decode(const struct attr *attr, const struct perf_event_header *header,
		  struct sample *ret_sample)
{
	const uint64_t *words = (const void *)header;
	struct reader reader = { words + 1, words + header->size / 8 };
	uint64_t type = attr->sample_type;

	sample_clear(ret_sample, attr, header->misc);
	if (header->size < sizeof(*header))
		return -EBADMSG;
	if (!sample_is_known(attr))
		return -ENOTSUP;
	ret_sample->has = type;
	if (!get_identity(&reader, type, ret_sample) ||
	    !get_stacks(&reader, attr, type, ret_sample) ||
	    !get_memory(&reader, attr, type, ret_sample))
		return -EBADMSG;
	return 0;
}

bool sample_time(const struct attr *attr, const struct perf_event_header *header,
		 uint64_t *ret_time)
{
	const uint64_t *words = (const void *)header, type = attr->sample_type;
	size_t at = 1;

	at += (type & PERF_SAMPLE_IDENTIFIER) != 0;
	at += (type & PERF_SAMPLE_IP) != 0;
	at += (type & PERF_SAMPLE_TID) != 0;
	if (!(type & PERF_SAMPLE_TIME) || header->size / 8 <= at)
		return false;
	*ret_time = words[at];
	return true;
}

bool sample_layout(const struct attr *attr, struct sample_layout *ret_layout)
{
	static const uint64_t order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,   PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME,       PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
		PERF_SAMPLE_STREAM_ID,  PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD,
		PERF_SAMPLE_CALLCHAIN,
	};
	uint64_t left = attr->sample_type;
	struct sample_layout layout = { .size = 1 };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		uint8_t at = left & order[i] ? layout.size++ : 0;

		left &= ~order[i];
		if (order[i] == PERF_SAMPLE_IP)
			layout.ip = at;
		else if (order[i] == PERF_SAMPLE_TID)
			layout.thread = at;
		else if (order[i] == PERF_SAMPLE_TIME)
			layout.time = at;
		else if (order[i] == PERF_SAMPLE_PERIOD)
			layout.period = at;
		else if (order[i] == PERF_SAMPLE_CALLCHAIN)
			layout.chain = at;
	}
	if (left || !layout.ip || !layout.thread)
		return false;
	*ret_layout = layout;
	return true;
}

size_t sample_trailer_size(const struct attr *attr)
{
	const uint64_t fields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	return attr->sample_id_all ? 8 * count_bits(attr->sample_type, fields) : 0;
}

void sample_encode_trailer(const struct attr *attr, const struct sample *sample, void *trailer)
{
	const struct {
		uint64_t field;
		union {
			uint32_t halves[2];
			uint64_t word;
		};
	} all[] = {
		{ PERF_SAMPLE_TID, .halves = { sample->pid, sample->tid } },
		{ PERF_SAMPLE_TIME, .word = sample->time },
		{ PERF_SAMPLE_ID, .word = sample->id },
		{ PERF_SAMPLE_STREAM_ID, .word = sample->stream_id },
		{ PERF_SAMPLE_CPU, .halves = { sample->cpu, 0 } },
		{ PERF_SAMPLE_IDENTIFIER, .word = sample->id },
	};
	uint64_t *word = trailer;

	for (size_t i = 0; attr->sample_id_all && i < sizeof(all) / sizeof(all[0]); i++)
		if (attr->sample_type & all[i].field)
			*word++ = all[i].word;
}

int sample_decode_trailer(const struct attr *attr, const struct perf_event_header *header,
			  struct sample *ret_sample)
{
	const uint64_t *words = (const void *)header;
	size_t size = sample_trailer_size(attr);
	uint64_t type = attr->sample_type;
	uint32_t reserved;

	sample_clear(ret_sample, attr, header->misc);
	if (size == 0 || header->type >= RECORD_HEADER_ATTR)
		return 0;
	if (header->size < sizeof(*header) + size)
		return -EBADMSG;

	const uint64_t *end = words + header->size / 8;
	struct reader reader = { end - size / 8, end };
	struct sample *s = ret_sample;

	s->has = type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
	if (type & PERF_SAMPLE_TID)
		(void)get_pair(&reader, &s->pid, &s->tid);
	if (type & PERF_SAMPLE_TIME)
		(void)get(&reader, &s->time);
	if (type & PERF_SAMPLE_ID)
		(void)get(&reader, &s->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		(void)get(&reader, &s->stream_id);
	if (type & PERF_SAMPLE_CPU)
		(void)get_pair(&reader, &s->cpu, &reserved);
	if (type & PERF_SAMPLE_IDENTIFIER)
		(void)get(&reader, &s->id);
	return 0;
}

struct sample_read sample_read_at(const struct sample *sample, size_t i)
{
	uint64_t format = sample->read.format;
	const uint64_t *value = sample->read.values;
	const uint64_t *extra;
	struct sample_read read = { 0 };

	if (format & PERF_FORMAT_GROUP) {
		value += i * read_stride(format);
		extra = value + 1;
	} else {
		extra = value + 1 +
			count_bits(format,
				   PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	}
	read.value = *value;
	if (format & PERF_FORMAT_ID)
		read.id = *extra++;
	if (format & PERF_FORMAT_LOST)
		read.lost = *extra;
	return read;
}

const uint64_t *sample_user_chain(const struct sample *sample, size_t *ret_count)
{
	size_t first = 0, end;

	while (first < sample->callchain_count &&
	       sample->callchain[first] != (uint64_t)PERF_CONTEXT_USER)
		first++;
	if (first == sample->callchain_count) {
		*ret_count = 0;
		return NULL;
	}
	end = ++first;
	while (end < sample->callchain_count && sample->callchain[end] < (uint64_t)PERF_CONTEXT_MAX)
		end++;
	*ret_count = end - first;
	return sample->callchain + first;
}

size_t sample_kernel_chain(const struct sample *sample)
{
	size_t count;
	const uint64_t *user = sample_user_chain(sample, &count);

	return user ? (size_t)(user - sample->callchain) - 1 : sample->callchain_count;
}

void sample_add_verdict(const struct sample *sample, uint32_t verdict, struct str *out)
{
	const struct record_stack_update update = {
		.header = { .type = RECORD_EVENT_UPDATE, .size = sizeof(update) },
		.kind = RECORD_UPDATE_STACK,
		.id = sample->id,
		.time_ns = sample->time,
		.tid = sample->tid,
		.verdict = verdict,
	};

	str_add_bytes(out, &update, sizeof(update));
}

size_t sample_id_offset(const struct attr *attr)
{
	const uint64_t before =
		PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;

	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return 8;
	if (attr->sample_type & PERF_SAMPLE_ID)
		return 8 + 8 * count_bits(attr->sample_type, before);
	return 0;
}

size_t sample_trailer_id_offset(const struct attr *attr)
{
	const uint64_t from = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;

	if (!attr->sample_id_all)
		return 0;
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return 8;
	if (attr->sample_type & PERF_SAMPLE_ID)
		return 8 * count_bits(attr->sample_type, from);
	return 0;
}
