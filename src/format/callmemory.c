/* callmemory.c - see callmemory.h. */
#include "format/callmemory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/str.h"
#include "format/callnames-more.h"
#include "format/calltables.h"

enum { SETS_MOST = 1024 }; /* numbers that a set of bits is looked through for */

uint64_t callmemory_read(const struct callmemory *memory, size_t at, size_t size)
{
	uint64_t number = 0;

	if (at >= memory->size || memory->size - at < size || size > sizeof(number))
		return 0;
	memcpy(&number, memory->bytes + at, size);
	return number;
}

uint64_t callmemory_signed(uint64_t number, size_t size)
{
	unsigned shift = 64 - 8 * (unsigned)size;

	return size == 0 || size > 8 ? number : (uint64_t)((int64_t)(number << shift) >> shift);
}

static uint64_t without_more(uint64_t number, size_t size)
{
	return size == 0 || size >= 8 ? number : number & ((UINT64_C(1) << 8 * size) - 1);
}

static enum callvalue_kind kind_of(enum calltype_kind kind)
{
	switch (kind) {
	case CALLTYPE_SIGNED:
		return CALLVALUE_SIGNED;
	case CALLTYPE_HEX:
		return CALLVALUE_HEX;
	case CALLTYPE_OCTAL:
		return CALLVALUE_OCTAL;
	case CALLTYPE_FD:
	case CALLTYPE_DIRFD:
		return CALLVALUE_FD;
	case CALLTYPE_NAMES:
		return CALLVALUE_NAMES;
	case CALLTYPE_UNSIGNED:
	case CALLTYPE_LIMIT:
		return CALLVALUE_UNSIGNED;
	default:
		return CALLVALUE_POINTER;
	}
}

/* Where it is none of the table's, an int shows its sign. */
static uint64_t names_number(const struct callnames *names, uint64_t number)
{
	uint64_t narrow = without_more(number, 4);

	if (names->kind != CALLNAMES_ENUM || callnames_find(names, number))
		return number;
	if (callnames_find(names, narrow))
		return narrow;
	return callmemory_signed(number, 4);
}

void callmemory_number(struct callvalues *values, const struct calltype *type, const char *name,
		       enum callabi abi, uint64_t number)
{
	size_t size = type->size ? type->size : callspec_word(abi);
	struct callvalue *value = callvalues_add(values, kind_of(type->kind), name);

	if (type->kind == CALLTYPE_NAMES) {
		const struct callnames *names = callnames_more_find(
			values->more, callnames_of(type->table, abi), without_more(number, 4));

		value->names = names;
		value->number = names_number(names, number);
		if (names->kind == CALLNAMES_POINTER && !callnames_find(names, number))
			value->kind = CALLVALUE_POINTER;
		return;
	}
	if (value->kind == CALLVALUE_SIGNED || value->kind == CALLVALUE_FD)
		value->number = callmemory_signed(number, size);
	else
		value->number = without_more(number, size);
	if (type->kind == CALLTYPE_DIRFD && (int)value->number == AT_FDCWD) {
		value->kind = CALLVALUE_WORD;
		value->text = "AT_FDCWD";
	}
	/* RLIM_INFINITY is what the widest number of the size is. */
	if (type->kind == CALLTYPE_LIMIT && value->number == without_more(UINT64_MAX, size)) {
		value->kind = CALLVALUE_WORD;
		value->text = "RLIM_INFINITY";
	}
}

void callmemory_text(struct callvalues *values, const char *name, const struct callmemory *memory,
		     bool is_string)
{
	struct callvalue *value = callvalues_add(values, CALLVALUE_TEXT, name);

	value->text = (const char *)memory->bytes;
	value->size = is_string ? strnlen(value->text, memory->size) : memory->size;
	/* A string that was copied whole has its NUL there. */
	value->is_cut = is_string ? value->size == memory->size : memory->total > memory->size;
}

static bool is_memory_kind(enum calltype_kind kind)
{
	return kind >= CALLTYPE_PATH;
}

/* How large one of the type is in memory; 0: as large as all. */
static size_t size_of(const struct calltype *type, enum callabi abi)
{
	const struct calllayout *layout = type->table;

	if (type->kind == CALLTYPE_STRUCT || type->kind == CALLTYPE_IOVEC_DATA)
		return layout->variants[callspec_layout(abi)].size;
	if (is_memory_kind(type->kind))
		return 0;
	return type->size ? type->size : callspec_word(abi);
}

static void add_one(struct callvalues *values, const struct calltype *type, enum callabi abi,
		    const struct callmemory *memory)
{
	if (type->kind == CALLTYPE_STRUCT)
		callstruct_add(values, type, NULL, abi, memory);
	else
		callmemory_number(values, type, NULL, abi,
				  callmemory_read(memory, 0, memory->size));
}

bool callmemory_list(struct callvalues *values, const struct calltype *type, const char *name,
		     enum callabi abi, const struct callmemory *memory)
{
	size_t size = size_of(type, abi), at = values->count;
	size_t count = size ? memory->size / size : 0;

	if (count == 0 && memory->total > 0)
		return false;
	callvalues_add(values, CALLVALUE_LIST, name);
	for (size_t i = 0; i < count; i++) {
		struct callmemory part = { memory->bytes + i * size, size, size };

		add_one(values, type, abi, &part);
	}
	values->items[at].count = count;
	values->items[at].is_cut = memory->total > memory->size;
	return true;
}

/* Most masks of signals have few in them, or all but few. */
static bool is_inverse(const struct callmemory *memory, size_t bits)
{
	size_t set = 0;

	for (size_t i = 0; i < bits; i++)
		set += memory->bytes[i / 8] >> (i % 8) & 1;
	return set > bits / 2;
}

void callmemory_bits(struct callvalues *values, const char *name, const struct callmemory *memory,
		     bool are_signals)
{
	size_t limit = are_signals ? 64 : SETS_MOST;
	size_t bits = memory->size * 8 < limit ? memory->size * 8 : limit;
	size_t at = values->count, count = 0;
	bool inverse = are_signals && is_inverse(memory, bits);

	callvalues_add(values, inverse ? CALLVALUE_ALL_BUT : CALLVALUE_LIST, name);
	for (size_t i = 0; i < bits; i++) {
		struct callvalue *value;

		if ((memory->bytes[i / 8] >> (i % 8) & 1) == inverse)
			continue;
		count++;
		value = callvalues_add(values, are_signals ? CALLVALUE_NAMES : CALLVALUE_SIGNED,
				       NULL);
		value->names = are_signals ? &calltables_signal : NULL;
		value->number = are_signals ? i + 1 : i;
	}
	values->items[at].count = count;
}

/* How a child ended, or was stopped: the bits are those of wait(2). */
static void add_wait(struct callvalues *values, const char *name, const struct callmemory *memory)
{
	uint64_t status = callmemory_read(memory, 0, 4), number = status & 0x7f;
	size_t at = values->count;
	struct callvalue *value;

	callvalues_add(values, CALLVALUE_STRUCT, name);
	values->items[at].count = 1;
	if (status == 0xffff) {
		callvalues_add(values, CALLVALUE_WORD, "continued")->text = "true";
	} else if (number == 0) {
		callvalues_add(values, CALLVALUE_UNSIGNED, "exited")->number = status >> 8 & 0xff;
	} else {
		bool stopped = number == 0x7f;

		value = callvalues_add(values, CALLVALUE_NAMES, stopped ? "stopped" : "signaled");
		value->names = &calltables_signal;
		value->number = stopped ? status >> 8 & 0xff : number;
		if (!stopped && status & 0x80) {
			callvalues_add(values, CALLVALUE_WORD, "core")->text = "true";
			values->items[at].count++;
		}
	}
}

static void add_pair(struct callvalues *values, const char *name, const struct callcase *call,
		     const struct callmemory *memory)
{
	size_t count = memory->size / 4 < 2 ? memory->size / 4 : 2;

	callvalues_add(values, CALLVALUE_LIST, name)->count = count;
	for (size_t i = 0; i < count; i++) {
		struct callvalue *value = callvalues_add(values, CALLVALUE_FD, NULL);

		value->number = callmemory_signed(callmemory_read(memory, 4 * i, 4), 4);
		value->text = call->paths ? call->paths[CALLCASE_PAIR + i] : NULL;
	}
}

static bool find_part(const struct callitems *items, unsigned arg, uint32_t number,
		      struct callmemory *ret_memory)
{
	struct callitem item;

	if (!callitems_part(items, arg, number, &item))
		return false;
	ret_memory->bytes = item.bytes;
	ret_memory->size = item.head.size;
	return true;
}

static void add_pointer(struct callvalues *values, const char *name, uint64_t number)
{
	callvalues_add(values, CALLVALUE_POINTER, name)->number = number;
}

/* Texts: the pointers are what was copied, each text is a part. */
static void add_strings(struct callvalues *values, const char *name, enum callabi abi, unsigned arg,
			const struct callitems *items, const struct callmemory *memory)
{
	size_t word = callspec_word(abi), at = values->count, count = 0;
	bool ends = false;

	callvalues_add(values, CALLVALUE_LIST, name);
	for (; !ends && (count + 1) * word <= memory->size; count += !ends) {
		uint64_t pointer = callmemory_read(memory, count * word, word);
		struct callmemory part;

		ends = pointer == 0;
		if (ends)
			break;
		if (find_part(items, arg, (uint32_t)count, &part))
			callmemory_text(values, NULL, &part, true);
		else
			add_pointer(values, NULL, pointer);
	}
	values->items[at].count = count;
	values->items[at].is_cut = !ends;
}

/* iovecs, of which each part has what is at its pointer; of a read, as much as was read. */
static void add_iovecs(struct callvalues *values, const char *name, const struct callcase *call,
		       unsigned arg, const struct callitems *items, const struct callmemory *memory,
		       uint32_t first)
{
	size_t word = callspec_word(call->abi), size = 2 * word;
	size_t at = values->count, count = memory->size / size;
	uint64_t left =
		items == call->exit && items->result > 0 ? (uint64_t)items->result : UINT64_MAX;

	callvalues_add(values, CALLVALUE_LIST, name);
	for (size_t i = 0; i < count; i++) {
		uint64_t length = callmemory_read(memory, i * size + word, word);
		struct callmemory part;

		callvalues_add(values, CALLVALUE_STRUCT, NULL)->count = 2;
		if (find_part(items, arg, first + (uint32_t)i, &part)) {
			part.total = length < left ? length : left;
			callmemory_text(values, "iov_base", &part, false);
		} else {
			add_pointer(values, "iov_base", callmemory_read(memory, i * size, word));
		}
		left -= length < left ? length : left;
		callvalues_add(values, CALLVALUE_UNSIGNED, "iov_len")->number = length;
	}
	values->items[at].count = count;
	values->items[at].is_cut = memory->total > memory->size;
}

/* The parts of a message are its name (0), its iovecs (1), and what these point at (from 2 on). */
static bool add_message(struct callvalues *values, const struct calltype *type, const char *name,
			const struct callcase *call, unsigned arg, const struct callitems *items,
			const struct callmemory *memory)
{
	const struct calllayout *layout = type->table;
	const struct callmember *members = layout->variants[callspec_layout(call->abi)].members;
	size_t count = layout->variants[callspec_layout(call->abi)].count;
	uint64_t numbers[8] = { 0 };
	struct callmemory part;

	if (memory->size < layout->variants[callspec_layout(call->abi)].size || count > 8)
		return false;
	for (size_t i = 0; i < count; i++)
		numbers[i] = callmemory_read(memory, members[i].offset, members[i].size);
	callvalues_add(values, CALLVALUE_STRUCT, name)->count = count;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 && find_part(items, arg, 0, &part) && part.size >= 2) {
			part.total = numbers[1];
			callsockaddr_add(values, members[i].name, &part);
		} else if (i == 2 && find_part(items, arg, 1, &part)) {
			part.total = numbers[3] * 2 * callspec_word(call->abi);
			add_iovecs(values, members[i].name, call, arg, items, &part, 2);
		} else {
			callmemory_number(values, &members[i].type, members[i].name, call->abi,
					  numbers[i]);
		}
	}
	return true;
}

bool callmemory_add(struct callvalues *values, const struct calltype *type, const char *name,
		    const struct callcase *call, unsigned arg, const struct callitems *items,
		    const struct callmemory *memory)
{
	switch (type->kind) {
	case CALLTYPE_PATH:
	case CALLTYPE_STRING:
		callmemory_text(values, name, memory, true);
		return true;
	case CALLTYPE_BUFFER:
		callmemory_text(values, name, memory, false);
		return true;
	case CALLTYPE_STRINGS:
		add_strings(values, name, call->abi, arg, items, memory);
		return true;
	case CALLTYPE_IOVEC_DATA:
		add_iovecs(values, name, call, arg, items, memory, 0);
		return true;
	case CALLTYPE_MSGHDR:
		return add_message(values, type, name, call, arg, items, memory);
	case CALLTYPE_SOCKADDR:
		if (memory->size < 2)
			return false;
		callsockaddr_add(values, name, memory);
		return true;
	case CALLTYPE_OPTION:
		callsockopt_add(values, name, call, memory);
		return true;
	case CALLTYPE_FD_PAIR:
		add_pair(values, name, call, memory);
		return true;
	case CALLTYPE_FD_SET:
	case CALLTYPE_CPUSET:
		callmemory_bits(values, name, memory, false);
		return true;
	case CALLTYPE_SIGSET:
		callmemory_bits(values, name, memory, true);
		return true;
	case CALLTYPE_WAIT:
		add_wait(values, name, memory);
		return memory->size >= 4;
	case CALLTYPE_STRUCT:
		if (type->counted == CALLTYPE_ONE) {
			callstruct_add(values, type, name, call->abi, memory);
			return true;
		}
		return callmemory_list(values, type, name, call->abi, memory);
	default:
		return callmemory_list(values, type, name, call->abi, memory);
	}
}
