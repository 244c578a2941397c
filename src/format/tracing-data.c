/* tracing-data.c - see tracing-data.h. */
#include "format/tracing-data.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"

static const char *take_bytes(struct tracing_data *in, uint64_t size)
{
	const char *bytes = in->at;

	if (in->bad || size > (uint64_t)(in->end - in->at)) {
		in->bad = true;
		return NULL;
	}
	in->at += size;
	return bytes;
}

static uint32_t take_u32(struct tracing_data *in)
{
	const char *bytes = take_bytes(in, 4);
	uint32_t value;

	if (!bytes)
		return 0;
	memcpy(&value, bytes, sizeof(value));
	return in->head.big_endian ? be32toh(value) : le32toh(value);
}

static uint64_t take_u64(struct tracing_data *in)
{
	const char *bytes = take_bytes(in, 8);
	uint64_t value;

	if (!bytes)
		return 0;
	memcpy(&value, bytes, sizeof(value));
	return in->head.big_endian ? be64toh(value) : le64toh(value);
}

static const char *take_string(struct tracing_data *in)
{
	const char *end = in->bad ? NULL : memchr(in->at, '\0', (size_t)(in->end - in->at));

	if (!end) {
		in->bad = true;
		return "";
	}
	return take_bytes(in, (uint64_t)(end + 1 - in->at));
}

static struct tracing_data_part take_part(struct tracing_data *in, uint64_t size)
{
	const char *text = take_bytes(in, size);

	return (struct tracing_data_part){ text, text ? (size_t)size : 0 };
}

static bool take_magic(struct tracing_data *in)
{
	static const char magic[] = "\x17\x08\x44tracing";
	const char *bytes = take_bytes(in, sizeof(magic) - 1);

	return bytes && memcmp(bytes, magic, sizeof(magic) - 1) == 0;
}

int tracing_data_begin(struct tracing_data *walk, const void *bytes, size_t size,
		       struct strobe_err *err)
{
	const char *flags;

	*walk = (struct tracing_data){ .at = bytes, .end = (const char *)bytes + size };
	if (!take_magic(walk))
		return err_set(err, -EBADMSG, "the tracepoint formats begin with no known mark");
	walk->version = take_string(walk);
	flags = take_bytes(walk, 2);
	if (flags) {
		walk->head.big_endian = flags[0] != 0;
		walk->head.long_size = (uint8_t)flags[1];
	}
	walk->head.page_size = take_u32(walk);
	(void)take_string(walk); /* "header_page" */
	(void)take_part(walk, take_u64(walk));
	(void)take_string(walk); /* "header_event" */
	(void)take_part(walk, take_u64(walk));

	walk->system = "ftrace";
	walk->formats_left = take_u32(walk);
	return 0;
}

/* Past the ftrace formats, the count of systems; past each system's formats, the next system. */
static bool next_system(struct tracing_data *walk)
{
	if (!walk->systems_counted) {
		walk->systems_left = take_u32(walk);
		walk->systems_counted = true;
	}
	if (walk->bad || walk->systems_left == 0)
		return false;
	walk->systems_left--;
	walk->system = take_string(walk);
	walk->formats_left = take_u32(walk);
	return !walk->bad;
}

bool tracing_data_next(struct tracing_data *walk, const char **ret_system,
		       struct tracing_data_part *ret_format)
{
	while (walk->formats_left == 0) {
		if (!next_system(walk))
			return false;
	}
	walk->formats_left--;
	*ret_system = walk->system;
	*ret_format = take_part(walk, take_u64(walk));
	return !walk->bad;
}

int tracing_data_end(struct tracing_data *walk, struct tracing_data_tail *ret_tail,
		     struct strobe_err *err)
{
	*ret_tail = (struct tracing_data_tail){ 0 };
	ret_tail->kallsyms = take_part(walk, take_u32(walk));
	ret_tail->printk_formats = take_part(walk, take_u32(walk));
	if (!walk->bad && strcmp(walk->version, "0.6") >= 0)
		(void)take_part(walk,
				take_u64(walk)); /* names of threads, which records tell too */
	return walk->bad ? err_set(err, -EBADMSG, "the tracepoint formats end early") : 0;
}
