/*
 * craft.h - perf.data files laid byte by byte, for tests: right ones, and ones wrong on purpose.
 *
 * Nothing of it uses the code under test. Numbers go in in this machine's order, or in the
 * other one where foreign is set.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct craft {
	uint8_t *bytes;
	size_t size, capacity;
	bool foreign;
	size_t record; /* where the record begun last begins */
	size_t data;   /* where the records begin */
};

void craft_u8(struct craft *craft, uint8_t value);
void craft_u16(struct craft *craft, uint16_t value);
void craft_u32(struct craft *craft, uint32_t value);
void craft_u64(struct craft *craft, uint64_t value);
void craft_bytes(struct craft *craft, const void *bytes, size_t size);
/* With its NUL, padded with more of them to a multiple of 8. */
void craft_string(struct craft *craft, const char *text);
void craft_set_u64(struct craft *craft, size_t offset, uint64_t value);

/* What a test needs to say of an attr; the rest is 0. */
struct craft_attr {
	uint32_t type, size;
	uint64_t config, sample_period, sample_type, read_format;
	uint64_t flag_bits; /* bit 18 is sample_id_all; as on a little-endian machine */
	uint64_t branch_sample_type, regs_user, regs_intr;
	uint32_t stack_user;
};
enum { CRAFT_SAMPLE_ID_ALL = 1 << 18, CRAFT_PRECISE_1 = 1 << 15, CRAFT_FREQ = 1 << 10 };

void craft_attr(struct craft *craft, const struct craft_attr *attr);

/* A file's header and attrs; event I has the id 100 + I. Records follow. */
void craft_begin(struct craft *craft, const struct craft_attr *attrs, size_t count);
/* The same as a pipe: HEADER_ATTR records. */
void craft_begin_pipe(struct craft *craft, const struct craft_attr *attrs, size_t count);

void craft_record(struct craft *craft, uint32_t type, uint16_t misc);
/* Puts the size into the header of the record begun last. */
void craft_end_record(struct craft *craft);
/* Puts the data size into the header: what was laid since craft_begin(). */
void craft_end_data(struct craft *craft);
/* Sections behind the data: bit NUMBERS[i] has BODIES[i]. In the order of the bits. */
void craft_features(struct craft *craft, const unsigned *numbers, const struct craft *bodies,
		    size_t count);

/* Writes it to @path. */
void craft_save(const struct craft *craft, const char *path);
void craft_done(struct craft *craft);
