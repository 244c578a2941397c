/* fuzz-jitdump.c - any bytes as a JIT dump: all that it tells lies in it. */
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "fuzz.h"
#include "object/jitdump.h"

static void check_lines(const struct jitdump *dump, int fd, const struct jitdump_record *load)
{
	struct arena arena = { 0 };
	struct jitdump_line *lines = NULL;
	size_t count = jitdump_lines(dump, fd, load, &arena, &lines);

	for (size_t i = 0; i < count; i++) {
		assert(lines[i].addr - load->addr <= load->size);
		assert(i == 0 || lines[i - 1].addr <= lines[i].addr);
		(void)hash_bytes(lines[i].file, strlen(lines[i].file));
	}
	arena_done(&arena);
}

static void check_unwind(const struct jitdump *dump, int fd, const struct jitdump_record *load)
{
	struct arena arena = { 0 };
	struct jitdump_unwind unwind;

	if (jitdump_unwind(dump, fd, load->unwind_offset, &arena, &unwind)) {
		assert(unwind.header_size <= unwind.size);
		(void)hash_bytes(unwind.bytes, unwind.size);
	}
	arena_done(&arena);
}

static void check_load(const struct jitdump *dump, int fd, const struct jitdump_record *load,
		       size_t size)
{
	assert(load->code_offset <= size && load->size <= size - load->code_offset);
	assert(strlen(load->name) < load->code_offset);
	if (load->debug_offset)
		check_lines(dump, fd, load);
	if (load->unwind_offset)
		check_unwind(dump, fd, load);
}

/* The dump grows: what is read in two steps is what is read at once. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	_cleanup_(closep) int fd = memfd_create("dump", MFD_CLOEXEC);
	_cleanup_(jitdump_freep) struct jitdump *dump = NULL, *growing = NULL;
	struct jitdump_record record;
	size_t count = 0, count_growing = 0, half = size / 2;

	if (fd < 0 || write(fd, bytes, half) != (ssize_t)half)
		return 0;
	if (jitdump_new(fd, "dump", &growing, NULL) == 0)
		while (jitdump_next(growing, fd, &record))
			count_growing++;
	if (write(fd, bytes + half, size - half) != (ssize_t)(size - half) ||
	    jitdump_new(fd, "dump", &dump, NULL) < 0)
		return 0;
	while (jitdump_next(dump, fd, &record)) {
		count++;
		if (record.type == JITDUMP_LOAD)
			check_load(dump, fd, &record, size);
	}
	while (growing && jitdump_next(growing, fd, &record))
		count_growing++;
	assert(!growing || count == count_growing);
	assert(jitdump_rest(dump) <= size);
	return 0;
}
