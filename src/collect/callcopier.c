/* callcopier.c - see callcopier.h. */
#include "collect/callcopier.h"

#include <string.h>

#include "base/str.h"

enum {
	SPACE = 16384, /* bytes of items of a record */
	MOST = 4096,   /* of one */
	ADDRESS_MOST = 128,
};

/* Of one call. */
struct copy {
	const struct callcopier *copier;
	const uint64_t *args;
	struct str *out;
	size_t left; /* bytes of items that there is room for */
	bool is_full;
};

static void add_item(struct copy *copy, const struct callcopy_item *head, const uint8_t *bytes)
{
	size_t padding = -head->size & 7U, size = sizeof(*head) + head->size + padding;

	if (size > copy->left) {
		copy->is_full = true;
		return;
	}
	copy->left -= size;
	str_add_bytes(copy->out, head, sizeof(*head));
	str_add_bytes(copy->out, bytes, head->size);
	str_add_repeat(copy->out, '\0', padding);
}

static size_t read_memory(const struct copy *copy, uint64_t pointer, void *bytes, size_t size)
{
	return copy->copier->read(copy->copier->context, pointer, bytes, size);
}

/* A pointer, or a long. */
static uint64_t read_word(const struct copy *copy, uint64_t pointer)
{
	uint64_t word = 0;
	size_t size = copy->copier->word;

	return read_memory(copy, pointer, &word, size) == size ? word : 0;
}

/* False: nothing of it is there. */
static bool add_bytes(struct copy *copy, uint64_t pointer, uint64_t size, struct callcopy_item head)
{
	uint8_t bytes[MOST];
	size_t got = read_memory(copy, pointer, bytes, size < MOST ? (size_t)size : MOST);

	if (got == 0 && size > 0)
		return false;
	head.size = (uint16_t)got;
	add_item(copy, &head, bytes);
	return true;
}

/* With its NUL, if that is there. A text that ends where memory does was none. */
static void add_string(struct copy *copy, uint64_t pointer, size_t limit, unsigned arg)
{
	struct callcopy_item head = { .arg = (uint8_t)arg, .what = CALLCOPY_STRING };
	uint8_t bytes[MOST];
	size_t size = limit < MOST ? limit : MOST, got = read_memory(copy, pointer, bytes, size);
	size_t length = strnlen((const char *)bytes, got);

	if (length == got && got < size)
		return;
	/* One that fills the room was cut. */
	head.size = (uint16_t)(length < got ? length + 1 : got > 1 ? got - 1 : got);
	add_item(copy, &head, bytes);
}

/* What iovecs point at: parts with numbers from @first on. */
static void add_parts(struct copy *copy, uint64_t pointer, uint64_t count, size_t limit,
		      unsigned arg, uint32_t first)
{
	size_t word = copy->copier->word;

	for (size_t i = 0; i < count && i < CALLCOPY_PARTS; i++) {
		struct callcopy_item head = { .arg = (uint8_t)arg,
					      .what = CALLCOPY_PART,
					      .more = first + (uint32_t)i };
		uint64_t base = read_word(copy, pointer + 2 * i * word);
		uint64_t size = read_word(copy, pointer + (2 * i + 1) * word);

		if (base && size)
			(void)add_bytes(copy, base, size < limit ? size : limit, head);
	}
}

static uint64_t most_parts(uint64_t count)
{
	return count < CALLCOPY_PARTS ? count : CALLCOPY_PARTS;
}

/* Its parts: the name (0), the iovecs (1), and from 2 on what these point at. */
static void add_message(struct copy *copy, uint64_t pointer, const struct callcopy_step *step)
{
	struct callcopy_item head = { .arg = step->arg,
				      .what = CALLCOPY_BYTES,
				      .more = step->size };
	size_t word = copy->copier->word;
	uint64_t name = read_word(copy, pointer),
		 name_size = (uint32_t)read_word(copy, pointer + word);
	uint64_t vector = read_word(copy, pointer + 2 * word),
		 count = read_word(copy, pointer + 3 * word);

	if (!add_bytes(copy, pointer, step->size, head))
		return;
	head = (struct callcopy_item){ .arg = step->arg, .what = CALLCOPY_PART };
	if (name && name_size)
		(void)add_bytes(copy, name, name_size < ADDRESS_MOST ? name_size : ADDRESS_MOST,
				head);
	head.more = 1;
	if (vector && count && add_bytes(copy, vector, most_parts(count) * 2 * word, head))
		add_parts(copy, vector, count, step->limit, step->arg, 2);
}

static uint64_t count_of(const struct copy *copy, const struct callcopy_step *step)
{
	int32_t count = 0;

	switch (step->counted) {
	case CALLCOPY_ONE:
		return 1;
	case CALLCOPY_BY_ARGUMENT:
		return step->count_arg < CALLCOPY_ARGS ? copy->args[step->count_arg] : 0;
	case CALLCOPY_BY_POINTED:
		if (step->count_arg < CALLCOPY_ARGS)
			(void)read_memory(copy, copy->args[step->count_arg], &count, sizeof(count));
		return count < 0 ? 0 : (uint64_t)count;
	default:
		return 0;
	}
}

static void take_counted(struct copy *copy, uint64_t pointer, const struct callcopy_step *step)
{
	struct callcopy_item head = { .arg = step->arg, .what = CALLCOPY_BYTES };
	uint64_t count = count_of(copy, step), total;

	/* As a number of things it may have been an int. */
	if ((int64_t)count < 0)
		return;
	if (__builtin_mul_overflow(count, step->size, &total) || total > UINT32_MAX)
		total = UINT32_MAX;
	head.more = (uint32_t)total;
	if (step->what == CALLCOPY_DO_BYTES)
		(void)add_bytes(copy, pointer, total < step->limit ? total : step->limit, head);
	else if (add_bytes(copy, pointer, most_parts(count) * step->size, head))
		add_parts(copy, pointer, count, step->limit, step->arg, 0);
}

/* Whether a step is for a call with these arguments. */
static bool is_meant(const struct copy *copy, const struct callcopy_step *step)
{
	uint32_t number;

	if (step->on_arg == 0 || step->on_arg > CALLCOPY_ARGS)
		return step->on_arg == 0;
	number = (uint32_t)copy->args[step->on_arg - 1];
	return number < 64 && (step->on_bits >> number & 1);
}

static void take_step(struct copy *copy, const struct callcopy_step *step)
{
	uint64_t pointer = step->arg < CALLCOPY_ARGS ? copy->args[step->arg] : 0;

	if (!pointer || step->at_exit || !is_meant(copy, step))
		return;
	switch (step->what) {
	case CALLCOPY_DO_STRING:
		add_string(copy, pointer, step->limit, step->arg);
		return;
	case CALLCOPY_DO_BYTES:
	case CALLCOPY_DO_PARTS:
		take_counted(copy, pointer, step);
		return;
	case CALLCOPY_DO_MESSAGE:
		add_message(copy, pointer, step);
		return;
	}
}

/* Calls that take an array of texts give the program another memory: what is read of it is read too
 * late. */
static bool is_exec(const struct callcopy_plan *plan)
{
	for (uint32_t i = 0; i < plan->step_count; i++)
		if (plan->steps[i].what == CALLCOPY_DO_STRINGS)
			return true;
	return false;
}

bool callcopier_enter(const struct callcopier *copier, const struct callcopy_plan *plan,
		      const uint64_t args[CALLCOPY_ARGS], struct str *out)
{
	struct copy copy = { .copier = copier, .args = args, .out = out, .left = SPACE };

	for (uint32_t i = 0; i < plan->step_count && !is_exec(plan); i++)
		take_step(&copy, &plan->steps[i]);
	return !copy.is_full;
}
