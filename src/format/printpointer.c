/* printpointer.c - see printpointer.h. */
#include "format/printpointer.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

#include <netinet/in.h>

#include "base/bytes.h"
#include "base/str.h"
#include "format/printexpr.h"
#include "format/printvalue.h"

static bool is_one_of(char letter, const char *letters)
{
	return letter && strchr(letters, letter);
}

/* Behind the 'I': "4h", "6c", "Spfsc". */
static size_t address_letters(const char *letters)
{
	size_t size = 1;

	if (letters[0] == '4')
		return size + is_one_of(letters[1], "hnbl");
	if (letters[0] == '6')
		return size + (letters[1] == 'c');
	if (letters[0] != 'S')
		return 0;
	while (is_one_of(letters[size], "pfs"))
		size++;
	size += is_one_of(letters[size], "hnbl");
	return size + (letters[size] == 'c');
}

size_t printpointer_letters(const char *letters)
{
	switch (letters[0]) {
	case 'F':
	case 'f':
	case 'S':
	case 's':
		return 1;
	case 'M':
	case 'm':
		return 1 + is_one_of(letters[1], "RF");
	case 'I':
	case 'i':
		return 1 + address_letters(letters + 1);
	case 'U':
		return 1 + is_one_of(letters[1], "LlBb");
	case 'h':
		return 1 + is_one_of(letters[1], "CDN");
	case 'b':
		return 1 + (letters[1] == 'l');
	default:
		return 0;
	}
}

static void add_bytes(struct str *text, const uint8_t *bytes, size_t size, const char *between)
{
	for (size_t i = 0; i < size; i++) {
		str_add(text, i ? between : "");
		str_add_hex(text, bytes + i, 1);
	}
}

static void add_mac(const char *letters, struct tracefields_bytes bytes, struct str *text)
{
	uint8_t mac[6];

	if (bytes.size != sizeof(mac)) {
		str_add(text, "INVALIDMAC");
		return;
	}
	for (size_t i = 0; i < sizeof(mac); i++)
		mac[i] = bytes.bytes[letters[1] == 'R' ? sizeof(mac) - 1 - i : i];
	if (letters[0] == 'm')
		add_bytes(text, mac, sizeof(mac), "");
	else
		add_bytes(text, mac, sizeof(mac), letters[1] == 'F' ? "-" : ":");
}

/* The first of four bytes is the left one, but of 'l', and of 'h' on little-endian machines. */
static void add_ip4(const char *letters, const uint8_t *bytes, struct str *text)
{
	bool reverse = letters[1] == '4' && is_one_of(letters[2], "hl");

	for (size_t i = 0; i < 4; i++) {
		unsigned part = bytes[reverse ? 3 - i : i];

		if (letters[0] == 'i')
			str_addf(text, "%s%03u", i ? "." : "", part);
		else
			str_addf(text, "%s%u", i ? "." : "", part);
	}
}

static void add_ip6(const char *letters, bool short_form, const uint8_t *bytes, struct str *text)
{
	char name[INET6_ADDRSTRLEN];

	if (short_form && inet_ntop(AF_INET6, bytes, name, sizeof(name))) {
		str_add(text, name);
		return;
	}
	for (size_t i = 0; i < 16; i += 2) {
		str_add(text, i && letters[0] == 'I' ? ":" : "");
		str_add_hex(text, bytes + i, 2);
	}
}

/* A struct sockaddr, whose first two bytes tell the kind of address. */
static void add_socket(const char *letters, struct tracefields_bytes bytes, bool foreign,
		       struct str *text)
{
	bool with_port = strchr(letters, 'p');
	struct sockaddr_in6 address = { 0 };
	uint16_t family = 0, port;

	if (bytes.size >= sizeof(struct sockaddr_in))
		memcpy(&address, bytes.bytes,
		       bytes.size < sizeof(address) ? bytes.size : sizeof(address));
	family = bytes_u16(address.sin6_family,
			   foreign); /* the recorder's; the rest is big-endian */
	port = ntohs(address.sin6_port);
	if (family == AF_INET) {
		add_ip4("I4", bytes.bytes + offsetof(struct sockaddr_in, sin_addr), text);
		if (with_port)
			str_addf(text, ":%u", port);
	} else if (family == AF_INET6 && bytes.size >= sizeof(address)) {
		str_add(text, with_port ? "[" : "");
		add_ip6("I6", letters[strlen(letters) - 1] == 'c',
			bytes.bytes + offsetof(struct sockaddr_in6, sin6_addr), text);
		if (with_port)
			str_addf(text, "]:%u", port);
	}
}

static void add_address(const char *letters, struct tracefields_bytes bytes, bool foreign,
			struct str *text)
{
	if (letters[1] == 'S')
		add_socket(letters, bytes, foreign, text);
	else if (bytes.size != (letters[1] == '4' ? 4 : 16))
		str_add(text, letters[1] == '4' ? "INVALIDIPv4" : "INVALIDIPv6");
	else if (letters[1] == '4')
		add_ip4(letters, bytes.bytes, text);
	else
		add_ip6(letters, letters[2] == 'c', bytes.bytes, text);
}

/* The first three parts are in little-endian order with 'l' and 'L'; capitals make capitals. */
static void add_uuid(const char *letters, struct tracefields_bytes bytes, struct str *text)
{
	static const uint8_t mixed[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	bool swapped = is_one_of(letters[1], "lL"), capitals = is_one_of(letters[1], "LB");

	if (bytes.size != 16) {
		str_add(text, "INVALIDUUID");
		return;
	}
	for (size_t i = 0; i < 16; i++) {
		unsigned byte = bytes.bytes[swapped ? mixed[i] : i];

		str_add(text, i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "");
		if (capitals)
			str_addf(text, "%02X", byte);
		else
			str_addf(text, "%02x", byte);
	}
}

static void add_dump(const char *letters, struct tracefields_bytes bytes, size_t length,
		     struct str *text)
{
	static const struct {
		char letter;
		const char *between;
	} forms[] = { { 'C', ":" }, { 'D', "-" }, { 'N', "" } };
	const char *between = " ";

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (letters[1] == forms[i].letter)
			between = forms[i].between;
	}
	add_bytes(text, bytes.bytes, length < bytes.size ? length : bytes.size, between);
}

static void add_pointed(const char *letters, struct tracefields_bytes bytes, size_t length,
			const struct printvalue_record *record, struct str *text)
{
	switch (letters[0]) {
	case 'M':
	case 'm':
		add_mac(letters, bytes, text);
		break;
	case 'I':
	case 'i':
		add_address(letters, bytes, record->fields->foreign, text);
		break;
	case 'U':
		add_uuid(letters, bytes, text);
		break;
	case 'h':
		add_dump(letters, bytes, length, text);
		break;
	default:
		if (bytes.size > length / 8)
			bytes.size = length / 8 + (length % 8 > 0);
		printvalue_bits(bytes, record, text);
		break;
	}
}

void printpointer_add(const char *letters, const struct printexpr *expr, size_t length,
		      const struct printvalue_record *record, struct str *text)
{
	struct tracefields_bytes bytes;
	uint64_t value;

	if (letters[0] && !is_one_of(letters[0], "FfSs")) {
		if (printvalue_bytes(expr, record, &bytes))
			add_pointed(letters, bytes, length, record, text);
		return;
	}
	value = printvalue_number(expr, record);
	if (!letters[0] && !value)
		str_add(text, "(nil)");
	else
		str_addf(text, "0x%" PRIx64, value);
}
