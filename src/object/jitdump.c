/* jitdump.c - see jitdump.h. */
#include "object/jitdump.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"

enum {
	MAGIC = 0x4A695444, /* "JiTD" */
	VERSION = 1,
	FLAG_TICKS = 1,
	WINDOW_SIZE = 1 << 17,
	NAME_MAX_SIZE = 1 << 16,
	LINES_SHIFT = 64,         /* size of an ELF header */
	TABLE_MAX_SIZE = 1 << 26, /* of a DEBUG or UNWIND record */
};

enum code_record_type { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE, CODE_UNWINDING_INFO };

struct raw_header {
	uint32_t magic, version, size, machine, pad, pid;
	uint64_t time, flags;
};

struct raw_prefix {
	uint32_t type, size; /* size: of the whole record */
	uint64_t time;
};

struct raw_load { /* then the name, and the code */
	struct raw_prefix prefix;
	uint32_t pid, tid;
	uint64_t vma, addr, size, index;
};

struct raw_move {
	struct raw_prefix prefix;
	uint32_t pid, tid;
	uint64_t vma, old_addr, new_addr, size, index;
};

struct raw_debug { /* then lines, each with a name */
	struct raw_prefix prefix;
	uint64_t addr, count;
};

struct raw_line {
	uint64_t addr;
	uint32_t line, discriminator;
};

struct raw_unwind { /* then the bytes */
	struct raw_prefix prefix;
	uint64_t size, header_size, mapped_size;
};

struct jitdump {
	struct jitdump_header header;
	uint64_t size;        /* of the file, as it was last */
	uint64_t at;          /* of the next record */
	uint64_t debug_at;    /* of what is about the code that comes next; or 0 */
	uint64_t unwind_at;   /* the same */
	uint64_t damaged;     /* records */
	bool has_early_lines; /* some line is of the first bytes of code, see jitdump_lines() */
	bool ends;            /* behind here nothing makes sense */
	uint8_t *window;      /* a part of the file */
	uint64_t window_at;   /* its offset */
	size_t window_filled; /* bytes */
};

size_t jitdump_read(int fd, uint64_t offset, void *buffer, size_t size)
{
	uint8_t *bytes = buffer;
	size_t have = 0;

	if (offset > INT64_MAX - size)
		return 0;
	while (have < size) {
		ssize_t n = pread(fd, bytes + have, size - have, (off_t)(offset + have));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	return have;
}

/* At least @size bytes of the file, which are at most those of the window; NULL if they are not
 * there. */
static const uint8_t *look_at(struct jitdump *dump, int fd, uint64_t offset, size_t size)
{
	if (offset < dump->window_at || offset - dump->window_at > dump->window_filled ||
	    dump->window_filled - (offset - dump->window_at) < size) {
		dump->window_at = offset;
		dump->window_filled = jitdump_read(fd, offset, dump->window, WINDOW_SIZE);
	}
	if (offset - dump->window_at + size > dump->window_filled)
		return NULL;
	return dump->window + (offset - dump->window_at);
}

static int read_header(struct jitdump *dump, int fd, const char *name, struct strobe_err *err)
{
	struct raw_header raw;
	bool foreign;

	if (jitdump_read(fd, 0, &raw, sizeof(raw)) < sizeof(raw) ||
	    (raw.magic != MAGIC && raw.magic != bytes_u32(MAGIC, true)))
		return err_set(err, -EINVAL, "'%s' is no JIT dump", name);
	foreign = raw.magic != MAGIC;
	if (bytes_u32(raw.version, foreign) != VERSION)
		return err_set(err, -EINVAL, "'%s' is a JIT dump of version %u, which is not known",
			       name, bytes_u32(raw.version, foreign));
	dump->at = bytes_u32(raw.size, foreign);
	if (dump->at < sizeof(raw))
		return err_set(err, -EINVAL, "the header of '%s' is damaged", name);
	dump->header = (struct jitdump_header){
		.foreign = foreign,
		.machine = bytes_u32(raw.machine, foreign),
		.pid = bytes_u32(raw.pid, foreign),
		.time_ns = bytes_u64(raw.time, foreign),
		.has_ticks = bytes_u64(raw.flags, foreign) & FLAG_TICKS,
	};
	return 0;
}

int jitdump_new(int fd, const char *name, struct jitdump **ret_dump, struct strobe_err *err)
{
	_cleanup_(jitdump_freep) struct jitdump *dump = xnew(struct jitdump);
	int r = read_header(dump, fd, name, err);

	if (r < 0)
		return r;
	dump->window = xcalloc(1, WINDOW_SIZE);
	*ret_dump = take(dump);
	return 0;
}

void jitdump_free(struct jitdump *dump)
{
	if (!dump)
		return;
	free(dump->window);
	free(dump);
}

const struct jitdump_header *jitdump_header(const struct jitdump *dump)
{
	return &dump->header;
}

uint64_t jitdump_damaged(const struct jitdump *dump)
{
	return dump->damaged;
}

uint64_t jitdump_rest(const struct jitdump *dump)
{
	return dump->size > dump->at ? dump->size - dump->at : 0;
}

static bool decode_load(struct jitdump *dump, int fd, const struct raw_prefix *prefix,
			struct jitdump_record *ret_record)
{
	bool foreign = dump->header.foreign;
	size_t left, name_room, name_size;
	struct raw_load raw;
	const uint8_t *bytes;

	if (prefix->size < sizeof(raw))
		return false;
	left = prefix->size - sizeof(raw);
	name_room = left < NAME_MAX_SIZE ? left : NAME_MAX_SIZE;
	bytes = look_at(dump, fd, dump->at, sizeof(raw) + name_room);
	if (!bytes)
		return false;
	memcpy(&raw, bytes, sizeof(raw));
	name_size = strnlen((const char *)bytes + sizeof(raw), name_room) + 1;
	*ret_record = (struct jitdump_record){
		.type = JITDUMP_LOAD,
		.time_ns = prefix->time,
		.pid = bytes_u32(raw.pid, foreign),
		.tid = bytes_u32(raw.tid, foreign),
		.index = bytes_u64(raw.index, foreign),
		.addr = bytes_u64(raw.addr, foreign),
		.size = bytes_u64(raw.size, foreign),
		.name = (const char *)bytes + sizeof(raw),
		.code_offset = dump->at + sizeof(raw) + name_size,
		.debug_offset = dump->debug_at,
		.unwind_offset = dump->unwind_at,
	};
	dump->debug_at = dump->unwind_at = 0;
	return name_size <= name_room && ret_record->size <= left - name_size;
}

static bool decode_move(struct jitdump *dump, int fd, const struct raw_prefix *prefix,
			struct jitdump_record *ret_record)
{
	bool foreign = dump->header.foreign;
	struct raw_move raw;
	const uint8_t *bytes;

	if (prefix->size < sizeof(raw))
		return false;
	bytes = look_at(dump, fd, dump->at, sizeof(raw));
	if (!bytes)
		return false;
	memcpy(&raw, bytes, sizeof(raw));
	*ret_record = (struct jitdump_record){
		.type = JITDUMP_MOVE,
		.time_ns = prefix->time,
		.pid = bytes_u32(raw.pid, foreign),
		.tid = bytes_u32(raw.tid, foreign),
		.index = bytes_u64(raw.index, foreign),
		.addr = bytes_u64(raw.new_addr, foreign),
		.old_addr = bytes_u64(raw.old_addr, foreign),
		.size = bytes_u64(raw.size, foreign),
	};
	return true;
}

static void note_lines(struct jitdump *dump, int fd, const struct raw_prefix *prefix)
{
	struct {
		struct raw_debug head;
		struct raw_line first;
	} raw;
	const uint8_t *bytes =
		prefix->size > sizeof(raw) ? look_at(dump, fd, dump->at, sizeof(raw)) : NULL;

	dump->debug_at = dump->at;
	if (!bytes)
		return;
	memcpy(&raw, bytes, sizeof(raw));
	if (bytes_u64(raw.first.addr, dump->header.foreign) -
		    bytes_u64(raw.head.addr, dump->header.foreign) <
	    LINES_SHIFT)
		dump->has_early_lines = true;
}

/* 1: a record for the caller; 0: one that is not; -EBADMSG: it makes no sense. */
static int decode(struct jitdump *dump, int fd, const struct raw_prefix *prefix,
		  struct jitdump_record *ret_record)
{
	switch (prefix->type) {
	case CODE_LOAD:
		return decode_load(dump, fd, prefix, ret_record) ? 1 : -EBADMSG;
	case CODE_MOVE:
		return decode_move(dump, fd, prefix, ret_record) ? 1 : -EBADMSG;
	case CODE_DEBUG_INFO:
		note_lines(dump, fd, prefix);
		return 0;
	case CODE_UNWINDING_INFO:
		dump->unwind_at = dump->at;
		return 0;
	case CODE_CLOSE:
		dump->debug_at = dump->unwind_at = 0;
		return 0;
	default: /* of a younger version */
		return 0;
	}
}

/* Whether there is that much behind where we are. */
static bool has(struct jitdump *dump, int fd, uint64_t size)
{
	struct stat status;

	if (dump->size < dump->at || dump->size - dump->at < size)
		dump->size = fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
	return dump->size >= dump->at && dump->size - dump->at >= size;
}

/* The beginning of the next record, if all of it is there. */
static bool next_prefix(struct jitdump *dump, int fd, struct raw_prefix *ret_prefix)
{
	bool foreign = dump->header.foreign;
	struct raw_prefix raw;
	const uint8_t *bytes;

	if (dump->ends || !has(dump, fd, sizeof(raw)))
		return false;
	bytes = look_at(dump, fd, dump->at, sizeof(raw));
	if (!bytes)
		return false;
	memcpy(&raw, bytes, sizeof(raw));
	*ret_prefix = (struct raw_prefix){
		.type = bytes_u32(raw.type, foreign),
		.size = bytes_u32(raw.size, foreign),
		.time = bytes_u64(raw.time, foreign),
	};
	dump->ends = ret_prefix->size < sizeof(raw);
	dump->damaged += dump->ends;
	return !dump->ends && has(dump, fd, ret_prefix->size);
}

bool jitdump_next(struct jitdump *dump, int fd, struct jitdump_record *ret_record)
{
	struct raw_prefix prefix;

	while (next_prefix(dump, fd, &prefix)) {
		int r = decode(dump, fd, &prefix, ret_record);

		dump->at += prefix.size;
		dump->damaged += r < 0;
		if (r > 0)
			return true;
	}
	return false;
}

/* A whole record, in the arena; NULL if it is not what it was. */
static const uint8_t *read_record(const struct jitdump *dump, int fd, uint64_t offset,
				  enum code_record_type type, size_t least, struct arena *arena,
				  size_t *ret_size)
{
	bool foreign = dump->header.foreign;
	struct raw_prefix prefix;
	uint8_t *bytes;
	size_t size;

	if (jitdump_read(fd, offset, &prefix, sizeof(prefix)) < sizeof(prefix))
		return NULL;
	size = bytes_u32(prefix.size, foreign);
	if (bytes_u32(prefix.type, foreign) != type || size < least || size > TABLE_MAX_SIZE ||
	    offset > dump->size || size > dump->size - offset)
		return NULL;
	bytes = arena_alloc(arena, size);
	*ret_size = size;
	return jitdump_read(fd, offset, bytes, size) == size ? bytes : NULL;
}

/* The file of a line: "\xff" stands for that of the line before. NULL if it does not end. */
static const char *file_at(const uint8_t *bytes, size_t left, const char *before)
{
	const char *file = (const char *)bytes;

	if (left == 0 || !memchr(file, '\0', left))
		return NULL;
	return before && file[0] == '\xff' && file[1] == '\0' ? before : file;
}

static int by_addr(const void *a, const void *b)
{
	const struct jitdump_line *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x > y) - (x < y);
}

/* Each is a raw_line, and a text; how many there are. */
static size_t split_lines(const uint8_t *bytes, size_t size, bool foreign,
			  struct jitdump_line *lines, size_t most)
{
	const char *file = NULL;
	size_t count = 0;

	for (; count < most && size > sizeof(struct raw_line); count++) {
		struct raw_line raw;
		const char *name = (const char *)bytes + sizeof(raw);

		memcpy(&raw, bytes, sizeof(raw));
		file = file_at((const uint8_t *)name, size - sizeof(raw), file);
		if (!file)
			break;
		lines[count] = (struct jitdump_line){
			.addr = bytes_u64(raw.addr, foreign),
			.file = file,
			.line = bytes_u32(raw.line, foreign),
		};
		size -= sizeof(raw) + strlen(name) + 1;
		bytes += sizeof(raw) + strlen(name) + 1;
	}
	return count;
}

/* They are about that code, if the record is not damaged; addresses without what was added. */
static bool place_lines(const struct jitdump *dump, const struct jitdump_record *load,
			struct jitdump_line *lines, size_t count)
{
	uint64_t added = dump->has_early_lines ? 0 : LINES_SHIFT;

	for (size_t i = 0; i < count; i++) {
		lines[i].addr -= added;
		if (lines[i].addr < load->addr || lines[i].addr - load->addr > load->size)
			return false;
	}
	return true;
}

size_t jitdump_lines(const struct jitdump *dump, int fd, const struct jitdump_record *load,
		     struct arena *arena, struct jitdump_line **ret_lines)
{
	bool foreign = dump->header.foreign;
	struct raw_debug raw;
	size_t size = 0, count;
	const uint8_t *bytes = read_record(dump, fd, load->debug_offset, CODE_DEBUG_INFO,
					   sizeof(raw), arena, &size);
	struct jitdump_line *lines;
	uint64_t most;

	if (!bytes)
		return 0;
	memcpy(&raw, bytes, sizeof(raw));
	most = (size - sizeof(raw)) / (sizeof(struct raw_line) + 1);
	if (bytes_u64(raw.count, foreign) < most)
		most = bytes_u64(raw.count, foreign);
	lines = arena_alloc(arena, (most + 1) * sizeof(*lines));
	count = split_lines(bytes + sizeof(raw), size - sizeof(raw), foreign, lines, most);
	if (count == 0 || !place_lines(dump, load, lines, count))
		return 0;
	qsort(lines, count, sizeof(*lines), by_addr);
	*ret_lines = lines;
	return count;
}

bool jitdump_unwind(const struct jitdump *dump, int fd, uint64_t unwind_offset, struct arena *arena,
		    struct jitdump_unwind *ret_unwind)
{
	bool foreign = dump->header.foreign;
	struct raw_unwind raw;
	size_t size = 0;
	const uint8_t *bytes = read_record(dump, fd, unwind_offset, CODE_UNWINDING_INFO,
					   sizeof(raw), arena, &size);

	if (!bytes)
		return false;
	memcpy(&raw, bytes, sizeof(raw));
	*ret_unwind = (struct jitdump_unwind){
		.size = bytes_u64(raw.size, foreign),
		.header_size = bytes_u64(raw.header_size, foreign),
		.mapped_size = bytes_u64(raw.mapped_size, foreign),
		.bytes = bytes + sizeof(raw),
	};
	return ret_unwind->size <= size - sizeof(raw) &&
	       ret_unwind->header_size <= ret_unwind->size;
}
