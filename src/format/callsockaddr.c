/* callsockaddr.c - addresses of sockets: see callmemory.h. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "format/callmemory.h"
#include "format/calltables.h"

/* Numbers of the wire lie with their highest byte first. */
static uint64_t wire_number(const struct callmemory *memory, size_t at, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size && at + i < memory->size; i++)
		number = number << 8 | memory->bytes[at + i];
	return number;
}

static void add_number(struct callvalues *values, const char *name, uint64_t number)
{
	callvalues_add(values, CALLVALUE_UNSIGNED, name)->number = number;
}

static void add_word(struct callvalues *values, const char *name, const char *text)
{
	callvalues_add(values, CALLVALUE_WORD, name)->text = arena_strdup(&values->texts, text);
}

/* Returns how many members were added, as do the others. */
static size_t add_inet(struct callvalues *values, const struct callmemory *memory)
{
	char text[INET_ADDRSTRLEN];

	add_number(values, "sin_port", wire_number(memory, 2, 2));
	if (memory->size < 8 || !inet_ntop(AF_INET, memory->bytes + 4, text, sizeof(text)))
		return 1;
	add_word(values, "sin_addr", text);
	return 2;
}

static size_t add_inet6(struct callvalues *values, const struct callmemory *memory)
{
	char text[INET6_ADDRSTRLEN];

	add_number(values, "sin6_port", wire_number(memory, 2, 2));
	add_number(values, "sin6_flowinfo", wire_number(memory, 4, 4));
	if (memory->size < 24 || !inet_ntop(AF_INET6, memory->bytes + 8, text, sizeof(text)))
		return 2;
	add_word(values, "sin6_addr", text);
	add_number(values, "sin6_scope_id", callmemory_read(memory, 24, 4));
	return 4;
}

/* An abstract one begins with a NUL, and ends where the address does. */
static size_t add_unix(struct callvalues *values, const struct callmemory *memory)
{
	const char *path = (const char *)memory->bytes + 2;
	size_t room = memory->size - 2;
	struct callvalue *value;

	if (room == 0)
		return 0;
	value = callvalues_add(values, CALLVALUE_TEXT, "sun_path");
	value->size = path[0] ? strnlen(path, room) : room;
	value->text = path;
	value->is_cut = memory->total > memory->size && value->size == room;
	return 1;
}

static size_t add_netlink(struct callvalues *values, const struct callmemory *memory)
{
	add_number(values, "nl_pid", callmemory_read(memory, 4, 4));
	callvalues_add(values, CALLVALUE_HEX, "nl_groups")->number = callmemory_read(memory, 8, 4);
	return 2;
}

static size_t add_packet(struct callvalues *values, const struct callmemory *memory)
{
	callvalues_add(values, CALLVALUE_HEX, "sll_protocol")->number = wire_number(memory, 2, 2);
	add_number(values, "sll_ifindex", callmemory_read(memory, 4, 4));
	return 2;
}

static size_t add_bytes(struct callvalues *values, const struct callmemory *memory)
{
	struct callvalue *value = callvalues_add(values, CALLVALUE_TEXT, "sa_data");

	value->text = (const char *)memory->bytes + 2;
	value->size = memory->size - 2;
	value->is_cut = memory->total > memory->size;
	return 1;
}

void callsockaddr_add(struct callvalues *values, const char *name, const struct callmemory *memory)
{
	static const struct {
		uint64_t family;
		size_t (*add)(struct callvalues *values, const struct callmemory *memory);
	} families[] = {
		{ AF_INET, add_inet },       { AF_INET6, add_inet6 },   { AF_UNIX, add_unix },
		{ AF_NETLINK, add_netlink }, { AF_PACKET, add_packet },
	};
	uint64_t family = callmemory_read(memory, 0, 2);
	size_t at = values->count, count = 1;
	struct callvalue *value;
	bool is_known = false;

	callvalues_add(values, CALLVALUE_STRUCT, name);
	value = callvalues_add(values, CALLVALUE_NAMES, "sa_family");
	value->number = family;
	value->names = &calltables_family;
	for (size_t i = 0; !is_known && i < sizeof(families) / sizeof(*families); i++) {
		is_known = families[i].family == family;
		if (is_known)
			count += families[i].add(values, memory);
	}
	if (!is_known && memory->size > 2)
		count += add_bytes(values, memory);
	values->items[at].count = count;
}
