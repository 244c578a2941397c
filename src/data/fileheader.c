/* fileheader.c - see fileheader.h. */
#include "data/fileheader.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "data/feature.h"

enum {
	PIPE_SIZE = 16,
	SHORT_SIZE = 72, /* before there were features */
	FULL_SIZE = 104,
};

/* The magic as the bytes lie in the file. */
static const char MAGIC_2_LITTLE[8] = "PERFILE2", MAGIC_2_BIG[8] = "2ELIFREP",
		  MAGIC_1[8] = "PERFFILE";

static uint64_t get_64(const uint8_t *bytes, size_t offset, bool swap)
{
	uint64_t value;

	memcpy(&value, bytes + offset, sizeof(value));
	return bytes_u64(value, swap);
}

static bool is_header_size(uint64_t size)
{
	return size == PIPE_SIZE || size == SHORT_SIZE || size == FULL_SIZE;
}

static bool parse_magic(const uint8_t *bytes, struct fileheader *header)
{
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	if (memcmp(bytes, MAGIC_1, sizeof(MAGIC_1)) == 0) {
		header->version = 1;
		header->foreign = !is_header_size(get_64(bytes, 8, false));
		return true;
	}
	header->version = 2;
	if (memcmp(bytes, MAGIC_2_LITTLE, sizeof(MAGIC_2_LITTLE)) == 0)
		header->foreign = !little;
	else if (memcmp(bytes, MAGIC_2_BIG, sizeof(MAGIC_2_BIG)) == 0)
		header->foreign = little;
	else
		return false;
	return true;
}

static struct fileheader_section parse_section(const uint8_t *bytes, size_t offset, bool swap)
{
	return (struct fileheader_section){ get_64(bytes, offset, swap),
					    get_64(bytes, offset + 8, swap) };
}

/*
 * The bits are an array of the recorder's "unsigned long". Where that had 32 bits and the other
 * byte order, halves stand the other way round; the host's name tells, as it is always there.
 */
static void parse_features(const uint8_t *bytes, struct fileheader *header)
{
	for (size_t i = 0; i < 4; i++)
		header->features[i] = get_64(bytes, SHORT_SIZE + 8 * i, header->foreign);
	if (!header->foreign || fileheader_has(header, FEATURE_HOSTNAME))
		return;

	uint64_t first = header->features[0];

	if (first >> (32 + FEATURE_HOSTNAME) & 1) {
		for (size_t i = 0; i < 4; i++)
			header->features[i] = header->features[i] << 32 | header->features[i] >> 32;
	}
}

static int not_ours(const char *path, struct strobe_err *err)
{
	err_set(err, -EINVAL, "'%s' is not a perf.data file", path);
	return err_hint(err, -EINVAL, "make one with: strobe record -o FILE COMMAND");
}

int fileheader_parse(const void *bytes, size_t size, const char *path,
		     struct fileheader *ret_header, struct strobe_err *err)
{
	struct fileheader header = { 0 };

	if (size == 0) {
		err_set(err, -ENODATA, "'%s' is empty", path);
		return err_hint(err, -ENODATA,
				"the recorder was stopped before it wrote anything, or failed: "
				"record again");
	}
	if (size < PIPE_SIZE || !parse_magic(bytes, &header))
		return not_ours(path, err);
	header.size = get_64(bytes, 8, header.foreign);
	if (!is_header_size(header.size))
		return err_set(err, -EINVAL, "'%s' has a header of unknown size %llu", path,
			       (unsigned long long)header.size);
	header.pipe = header.size == PIPE_SIZE;
	if (!header.pipe) {
		if (size < header.size) {
			err_set(err, -EINVAL, "'%s' ends within its header", path);
			return err_hint(err, -EINVAL,
					"the file was cut off: copy or record it "
					"again");
		}
		header.attr_size = get_64(bytes, 16, header.foreign);
		header.attrs = parse_section(bytes, 24, header.foreign);
		header.data = parse_section(bytes, 40, header.foreign);
		header.types = parse_section(bytes, 56, header.foreign);
		if (header.size == FULL_SIZE)
			parse_features(bytes, &header);
	}
	*ret_header = header;
	return 0;
}
