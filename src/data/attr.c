/* attr.c - see attr.h. */
#include "data/attr.h"

#include <errno.h>
#include <string.h>

static const uint32_t SIZES[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };

enum {
	FLAGS_OFFSET = offsetof(struct attr, read_format) + 8,
	PRECISE_BIT = 15, /* precise_ip: bits 15 and 16 of the flags */
};

static bool is_zero(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

static void swap_32(void *field)
{
	uint32_t value;

	memcpy(&value, field, sizeof(value));
	value = __builtin_bswap32(value);
	memcpy(field, &value, sizeof(value));
}

static void swap_64(void *field)
{
	uint64_t value;

	memcpy(&value, field, sizeof(value));
	value = __builtin_bswap64(value);
	memcpy(field, &value, sizeof(value));
}

static uint8_t reverse_bits(uint8_t byte)
{
	unsigned reversed = 0;

	for (unsigned i = 0; i < 8; i++)
		reversed |= ((unsigned)byte >> i & 1U) << (7 - i);
	return (uint8_t)reversed;
}

/*
 * Compilers lay bit fields from the least significant bit on little-endian machines and from the
 * most significant one on big-endian machines. So the bytes stay where they are and each is
 * mirrored; of a field wider than one bit (precise_ip) the bits then stand in the wrong order.
 */
static void mirror_flags(struct attr *attr)
{
	uint8_t bytes[8];

	memcpy(bytes, (const char *)attr + FLAGS_OFFSET, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = reverse_bits(bytes[i]);
	memcpy((char *)attr + FLAGS_OFFSET, bytes, sizeof(bytes));
	attr->precise_ip = (uint64_t)(attr->precise_ip >> 1 | attr->precise_ip << 1) & 3;
}

static void swap_fields(struct attr *attr)
{
	swap_32(&attr->type);
	swap_32(&attr->size);
	swap_64(&attr->config);
	swap_64(&attr->sample_period);
	swap_64(&attr->sample_type);
	swap_64(&attr->read_format);
	mirror_flags(attr);
	swap_32(&attr->wakeup_events);
	swap_32(&attr->bp_type);
	swap_64(&attr->bp_addr);
	swap_64(&attr->bp_len);
	swap_64(&attr->branch_sample_type);
	swap_64(&attr->sample_regs_user);
	swap_32(&attr->sample_stack_user);
	swap_32(&attr->clockid);
	swap_64(&attr->sample_regs_intr);
	swap_32(&attr->aux_watermark);
	attr->sample_max_stack = __builtin_bswap16(attr->sample_max_stack);
	attr->reserved_2 = __builtin_bswap16(attr->reserved_2);
	swap_32(&attr->aux_sample_size);
	swap_32(&attr->aux_action);
	swap_64(&attr->sig_data);
	swap_64(&attr->config3);
	swap_64(&attr->config4);
}

uint32_t attr_smallest_size(const struct attr *attr)
{
	const uint8_t *bytes = (const uint8_t *)attr;

	for (size_t i = 0; i < sizeof(SIZES) / sizeof(*SIZES); i++) {
		if (is_zero(bytes + SIZES[i], sizeof(*attr) - SIZES[i]))
			return SIZES[i];
	}
	return ATTR_SIZE_FULL;
}

int attr_decode(const void *bytes, size_t size, bool swap, struct attr *ret_attr)
{
	struct attr attr = { 0 };

	if (size < ATTR_SIZE_MIN)
		return -EINVAL;
	memcpy(&attr, bytes, size < sizeof(attr) ? size : sizeof(attr));
	if (swap)
		swap_fields(&attr);
	*ret_attr = attr;
	return 0;
}
