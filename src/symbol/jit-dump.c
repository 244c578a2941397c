/* jit-dump.c - see jit-dump.h. */
#include "symbol/jit-dump.h"

#include <elf.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/insn.h"
#include "object/jitdump.h"
#include "object/lines.h"
#include "symbol/jit-file.h"
#include "symbol/resolve.h"

struct jit_code {
	uint64_t offset, size; /* of its bytes in the dump; its name and a NUL are before them */
	uint64_t addr;         /* where it was loaded */
	uint64_t debug_offset, unwind_offset; /* or 0 */
	uint32_t name_size;
};

struct code_lines {
	struct jitdump_line *items;
	size_t count;
};

struct jit_dump {
	const struct resolver_options *options;
	bool same_clock;
	uint32_t pid;
	char *path;
	struct jitdump *reader; /* NULL: it was never opened */
	dev_t device;           /* of the file that was opened first */
	ino_t inode;
	enum reason reason; /* why it is not used */
	uint64_t unknown;   /* moves of code that nothing tells of */
	struct {            /* by offset */
		struct jit_code *items;
		size_t count, capacity;
	} codes;
	struct hash by_index; /* the number of the code that was last loaded as that */

	pthread_mutex_t lock; /* of what is below */
	struct hash lines;    /* struct code_lines, by number of the code */
	struct hash frames;   /* struct cfi, by the same; NULL: it has none */
	struct arena arena;
};

struct jit_dump *jit_dump_new(const struct resolver_options *options,
			      const struct timeline_dump *marker, bool same_clock)
{
	struct jit_dump *dump = xnew(struct jit_dump);

	dump->options = options;
	dump->same_clock = same_clock;
	dump->pid = marker->pid;
	dump->path = xstrdup(marker->dso->name);
	pthread_mutex_init(&dump->lock, NULL);
	return dump;
}

void jit_dump_free(struct jit_dump *dump)
{
	struct hash_entry *entry = NULL;

	if (!dump)
		return;
	free(dump->path);
	jitdump_free(dump->reader);
	free(dump->codes.items);
	hash_done(&dump->by_index);
	hash_done(&dump->lines);
	while ((entry = hash_next(&dump->frames, entry)))
		cfi_free(entry->pointer);
	hash_done(&dump->frames);
	arena_done(&dump->arena);
	pthread_mutex_destroy(&dump->lock);
	free(dump);
}

/* Why a file is not the one that was mapped, if it cannot be it. On the machine that recorded,
 * its inode tells. */
static enum reason foreign_reason(const struct resolver_options *options, const struct dso *marker,
				  const struct stat *status)
{
	bool is_here = !options->symfs && (options->same_boot || options->open_tmp);

	if (marker->ino != 0 && marker->ino == status->st_ino)
		return REASON_NONE;
	if (marker->deleted || marker->shared_name || (marker->ino != 0 && is_here))
		return REASON_DUMP_REPLACED;
	return REASON_NONE;
}

/* The file that was opened first, or -1: then what is known stays known. */
static int open_again(struct jit_dump *dump)
{
	enum reason reason;
	struct stat status;
	_cleanup_(closep) int fd = jit_file_open(dump->options, JIT_FILE_DUMP, dump->pid,
						 dump->path, &status, &reason);

	if (fd < 0 || status.st_dev != dump->device || status.st_ino != dump->inode)
		return -1;
	return take_fd(fd);
}

static int open_first(struct jit_dump *dump, const struct dso *marker)
{
	struct stat status;
	_cleanup_(closep) int fd = jit_file_open(dump->options, JIT_FILE_DUMP, dump->pid,
						 dump->path, &status, &dump->reason);

	if (fd < 0)
		return -1;
	dump->reason = foreign_reason(dump->options, marker, &status);
	if (!dump->reason && jitdump_new(fd, dump->path, &dump->reader, NULL) < 0)
		dump->reason = REASON_DUMP_DAMAGED;
	if (dump->reader && jitdump_header(dump->reader)->pid != marker->dump_pid) {
		jitdump_free(take(dump->reader));
		dump->reason = REASON_DUMP_OF_OTHER;
	}
	if (dump->reason)
		return -1;
	dump->device = status.st_dev;
	dump->inode = status.st_ino;
	return take_fd(fd);
}

static bool has_times(const struct jit_dump *dump)
{
	return dump->same_clock && !jitdump_header(dump->reader)->has_ticks;
}

static const struct jit_code *find_loaded(const struct jit_dump *dump, uint64_t index)
{
	const struct hash_entry *entry = hash_find(&dump->by_index, index);

	return entry ? &dump->codes.items[entry->index] : NULL;
}

static const struct jit_code *add_loaded(struct jit_dump *dump, const struct jitdump_record *record)
{
	struct jit_code *code;

	grow(&dump->codes);
	hash_add(&dump->by_index, record->index, NULL)->index = dump->codes.count;
	code = &dump->codes.items[dump->codes.count++];
	*code = (struct jit_code){
		.offset = record->code_offset,
		.size = record->size,
		.addr = record->addr,
		.debug_offset = record->debug_offset,
		.unwind_offset = record->unwind_offset,
		.name_size = (uint32_t)strlen(record->name),
	};
	return code;
}

/* Where the recording's records of the dump go. */
struct telling {
	struct timeline *timeline;
	const struct timeline_dump *marker;
	const struct dso *dso; /* of what was told; NULL: nothing */
};

static void tell(struct telling *telling, const struct jit_code *code, uint64_t addr,
		 const char *symbol, struct instant at)
{
	const struct timeline_code told = {
		.start = addr,
		.size = code->size,
		.offset = code->offset,
		.symbol = symbol,
	};
	const struct dso *dso = timeline_add_code(telling->timeline, telling->marker, &told, at);

	if (dso)
		telling->dso = dso;
}

/* Its name is in the dump alone. */
static void tell_move(struct jit_dump *dump, int fd, struct telling *telling,
		      const struct jitdump_record *record, struct instant at)
{
	const struct jit_code *code = find_loaded(dump, record->index);
	_cleanup_(freep) char *name = NULL;

	if (!code) {
		dump->unknown++;
		return;
	}
	name = xcalloc(1, (size_t)code->name_size + 1);
	(void)jitdump_read(fd, code->offset - code->name_size - 1, name, code->name_size);
	if (record->old_addr != record->addr)
		tell(telling, code, record->old_addr, NULL, at);
	tell(telling, code, record->addr, name, at);
}

const struct dso *jit_dump_read(struct jit_dump *dump, const struct timeline_dump *marker,
				struct timeline *timeline)
{
	_cleanup_(closep) int fd = dump->reader ? open_again(dump) : open_first(dump, marker->dso);
	struct telling telling = { timeline, marker, NULL };
	struct jitdump_record record;

	while (fd >= 0 && jitdump_next(dump->reader, fd, &record)) {
		struct instant at = marker->at;

		if (has_times(dump))
			at.moment = record.time_ns;
		if (record.type == JITDUMP_MOVE) {
			tell_move(dump, fd, &telling, &record, at);
		} else {
			const struct jit_code *code = add_loaded(dump, &record);

			tell(&telling, code, code->addr, record.name, at);
		}
	}
	return telling.dso;
}

int jit_dump_each(struct jit_dump *dump, const struct timeline_dump *marker, jit_dump_take *each,
		  void *context)
{
	_cleanup_(closep) int fd = open_first(dump, marker->dso);
	struct jitdump_record record;
	int r = 0;

	while (r == 0 && fd >= 0 && jitdump_next(dump->reader, fd, &record)) {
		if (record.type == JITDUMP_LOAD)
			add_loaded(dump, &record);
		r = each(context, dump->reader, fd, &record);
	}
	return r;
}

struct jit_dumps_state jit_dump_state(const struct jit_dump *dump)
{
	struct jit_dumps_state state = {
		.path = dump->path,
		.reason = dump->reason,
		.code_count = dump->codes.count,
	};

	if (dump->reader) {
		state.damaged = jitdump_damaged(dump->reader) + dump->unknown;
		state.rest = jitdump_rest(dump->reader);
		state.has_other_clock = dump->codes.count > 0 && !has_times(dump);
	}
	return state;
}

/* The code whose bytes are at an offset; NULL if none are. */
static const struct jit_code *find_code(const struct jit_dump *dump, uint64_t offset)
{
	size_t low = 0, high = dump->codes.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dump->codes.items[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 ||
	    offset - dump->codes.items[low - 1].offset >= dump->codes.items[low - 1].size)
		return NULL;
	return &dump->codes.items[low - 1];
}

/* Under the lock. */
static const struct code_lines *lines_of(struct jit_dump *dump, const struct jit_code *code)
{
	size_t number = (size_t)(code - dump->codes.items);
	struct code_lines *lines;
	bool is_new;
	struct hash_entry *entry = hash_add(&dump->lines, number, &is_new);

	if (!is_new)
		return entry->pointer;
	lines = entry->pointer = arena_alloc(&dump->arena, sizeof(*lines));
	if (code->debug_offset != 0) {
		_cleanup_(closep) int fd = open_again(dump);

		const struct jitdump_record load = {
			.addr = code->addr,
			.size = code->size,
			.debug_offset = code->debug_offset,
		};

		if (fd >= 0)
			lines->count =
				jitdump_lines(dump->reader, fd, &load, &dump->arena, &lines->items);
	}
	return lines;
}

/* The last line that begins at or before an address. */
static const struct jitdump_line *find_line(const struct code_lines *lines, uint64_t addr)
{
	size_t low = 0, high = lines->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->items[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &lines->items[low - 1] : NULL;
}

bool jit_dump_line(struct jit_dump *dump, uint64_t offset, struct source_line *ret_line)
{
	const struct jit_code *code = find_code(dump, offset);
	const struct jitdump_line *line;

	if (!code)
		return false;
	pthread_mutex_lock(&dump->lock);
	line = find_line(lines_of(dump, code), code->addr + (offset - code->offset));
	pthread_mutex_unlock(&dump->lock);
	if (!line || line->line == 0)
		return false;
	*ret_line = (struct source_line){ .file = line->file, .line = line->line };
	return true;
}

/* What a compiler says of its code's frames lies behind the code, at a multiple of 8. */
static struct cfi *load_frames(struct jit_dump *dump, const struct jit_code *code)
{
	const struct jitdump_header *header = jitdump_header(dump->reader);
	_cleanup_(closep) int fd = open_again(dump);
	struct jitdump_unwind unwind;
	struct cfi_frames frames;

	if (fd < 0 || header->foreign ||
	    !jitdump_unwind(dump->reader, fd, code->unwind_offset, &dump->arena, &unwind) ||
	    unwind.header_size >= unwind.size)
		return NULL;
	frames = (struct cfi_frames){
		.machine = (uint16_t)header->machine,
		.bytes = unwind.bytes,
		.size = (size_t)(unwind.size - unwind.header_size),
		.vaddr = bytes_round_up(code->addr + code->size),
	};
	return cfi_new_frames(&frames);
}

const struct cfi *jit_dump_cfi(struct jit_dump *dump, uint64_t offset, uint64_t *ret_vaddr)
{
	const struct jit_code *code = find_code(dump, offset);
	struct hash_entry *entry;
	struct cfi *cfi;
	bool is_new;

	if (!code || code->unwind_offset == 0 || code->addr + code->size > UINT64_MAX - 8)
		return NULL;
	pthread_mutex_lock(&dump->lock);
	entry = hash_add(&dump->frames, (size_t)(code - dump->codes.items), &is_new);
	if (is_new)
		entry->pointer = load_frames(dump, code);
	cfi = entry->pointer;
	pthread_mutex_unlock(&dump->lock);
	*ret_vaddr = code->addr + (offset - code->offset);
	return cfi;
}

size_t jit_dump_code(struct jit_dump *dump, uint64_t offset, void *buffer, size_t size,
		     struct code_kind *ret_kind)
{
	const struct jit_code *code = find_code(dump, offset);
	_cleanup_(closep) int fd = code ? open_again(dump) : -1;
	uint32_t machine;
	uint64_t left;

	if (fd < 0)
		return 0;
	left = code->size - (offset - code->offset);
	machine = jitdump_header(dump->reader)->machine;
	*ret_kind = (struct code_kind){
		.machine = (uint16_t)machine,
		.is_64bit = machine != EM_386 && machine != EM_ARM,
	};
	return jitdump_read(fd, offset, buffer, size < left ? size : left);
}
