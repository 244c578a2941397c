/* tracepoint-formats.c - see tracepoint-formats.h. */
#include "collect/tracepoint-formats.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/body.h"
#include "kernel/tracefs.h"

static const char MAGIC[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
static const char VERSION[] = "0.6";

static void put_u8(struct body_out *out, uint8_t value)
{
	body_put_bytes(out, &value, sizeof(value));
}

static void put_name(struct body_out *out, const char *name, size_t size)
{
	body_put_bytes(out, name, size);
	put_u8(out, 0);
}

static bool big_endian(void)
{
	const uint16_t one = 1;

	return *(const uint8_t *)&one == 0;
}

/* A file that must be there: its size as 64 bits, and its text. */
static int put_file(const struct tracefs *tracefs, const char *path, struct body_out *out,
		    struct strobe_err *err)
{
	_cleanup_(freep) char *text = NULL;
	size_t size;
	int r = tracefs_read(tracefs, path, &text, &size);

	if (r < 0)
		return err_set(err, r, "cannot read '%s/%s': %s", tracefs_path(tracefs), path,
			       strerror(-r));
	body_put_u64(out, size);
	body_put_bytes(out, text, size);
	return 0;
}

static size_t system_size(const char *name)
{
	return strcspn(name, ":");
}

static bool same_system(const char *a, const char *b)
{
	return system_size(a) == system_size(b) && strncmp(a, b, system_size(a)) == 0;
}

/* True if no name before index @i is the same, or of the same system. */
static bool is_first(const char *const *names, size_t i, bool by_system)
{
	for (size_t before = 0; before < i; before++)
		if (by_system ? same_system(names[before], names[i])
			      : strcmp(names[before], names[i]) == 0)
			return false;
	return true;
}

static int put_format(const struct tracefs *tracefs, const char *name, struct body_out *out,
		      struct strobe_err *err)
{
	_cleanup_(str_done) struct str path = { 0 };

	if (!name[system_size(name)])
		return err_set(err, -EINVAL, "'%s' is no tracepoint", name);
	str_addf(&path, "events/%.*s/%s/format", (int)system_size(name), name,
		 name + system_size(name) + 1);
	return put_file(tracefs, str_text(&path), out, err);
}

/* name\0, count of formats, formats: of the system that names[first] is the first of. */
static int put_system(const struct tracefs *tracefs, const char *const *names, size_t count,
		      size_t first, struct body_out *out, struct strobe_err *err)
{
	uint32_t format_count = 0;

	put_name(out, names[first], system_size(names[first]));
	for (size_t i = first; i < count; i++)
		format_count += same_system(names[i], names[first]) && is_first(names, i, false);
	body_put_u32(out, format_count);
	for (size_t i = first; i < count; i++) {
		int r;

		if (!same_system(names[i], names[first]) || !is_first(names, i, false))
			continue;
		r = put_format(tracefs, names[i], out, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int put_systems(const struct tracefs *tracefs, const char *const *names, size_t count,
		       struct body_out *out, struct strobe_err *err)
{
	uint32_t system_count = 0;
	int r = 0;

	for (size_t i = 0; i < count; i++)
		system_count += is_first(names, i, true);
	body_put_u32(out, system_count);
	for (size_t i = 0; r == 0 && i < count; i++)
		if (is_first(names, i, true))
			r = put_system(tracefs, names, count, i, out, err);
	return r;
}

/* What only makes texts nicer may be missing. */
static void put_optional(const struct tracefs *tracefs, const char *path, bool wide,
			 struct body_out *out)
{
	_cleanup_(freep) char *text = NULL;
	size_t size = 0;

	if (tracefs_read(tracefs, path, &text, &size) < 0)
		size = 0;
	if (wide)
		body_put_u64(out, size);
	else
		body_put_u32(out, (uint32_t)size);
	body_put_bytes(out, text, size);
}

static void put_head(struct body_out *out)
{
	body_put_bytes(out, MAGIC, sizeof(MAGIC));
	body_put_bytes(out, VERSION, sizeof(VERSION));
	put_u8(out, big_endian());
	put_u8(out, sizeof(long));
	body_put_u32(out, (uint32_t)sysconf(_SC_PAGESIZE));
}

int tracepoint_formats_gather(const struct tracefs *tracefs, const char *const *names, size_t count,
			      void **ret_bytes, size_t *ret_size, struct strobe_err *err)
{
	_cleanup_(body_done) struct body_out out = { 0 };
	int r;

	put_head(&out);
	put_name(&out, "header_page", strlen("header_page"));
	r = put_file(tracefs, "events/header_page", &out, err);
	if (r < 0)
		return r;
	put_name(&out, "header_event", strlen("header_event"));
	r = put_file(tracefs, "events/header_event", &out, err);
	if (r < 0)
		return r;
	body_put_u32(&out, 0); /* formats of ftrace's own: perf records none of those */
	r = put_systems(tracefs, names, count, &out, err);
	if (r < 0)
		return r;
	body_put_u32(&out, 0); /* kallsyms: addresses are named from elsewhere */
	put_optional(tracefs, "printk_formats", false, &out);
	put_optional(tracefs, "saved_cmdlines", true, &out);
	*ret_size = out.size;
	*ret_bytes = take(out.bytes);
	return 0;
}
