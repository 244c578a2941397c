/* fuzz-feature.c - any bytes as the section of any feature, and the text that is made of it.
 *
 * The first byte is the feature, the second the byte order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "data/datafile.h"
#include "fuzz.h"
#include "view/header-text.h"

static void add_number(struct str *out, uint64_t value, size_t size, bool foreign)
{
	for (size_t i = 0; i < size; i++)
		str_add_char(out, (char)(value >> 8 * (foreign ? size - 1 - i : i)));
}

/* A pipe with that one feature. */
static void put_pipe(struct str *out, unsigned feature, bool foreign, const void *body, size_t size)
{
	str_add(out, foreign ? "2ELIFREP" : "PERFILE2");
	add_number(out, 16, 8, foreign);
	add_number(out, 80, 4, foreign);
	add_number(out, 0, 2, foreign);
	add_number(out, 16 + size, 2, foreign);
	add_number(out, feature, 8, foreign);
	str_add_bytes(out, body, size);
}

static void print(int fd)
{
	const struct header_text_options options = { .full = true };
	struct datafile *file;
	FILE *out;

	if (datafile_open_fd(fd, "fuzz", &file, NULL) < 0)
		return;
	out = fopen("/dev/null", "we");
	if (out) {
		header_text_print(file, &options, out);
		(void)fclose(out);
	}
	datafile_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct str pipe = { 0 };
	int fd;

	if (size < 2 || size > UINT16_MAX - 16)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	put_pipe(&pipe, bytes[0], bytes[1] & 1, bytes + 2, size - 2);
	if (fd >= 0 && write(fd, pipe.text, pipe.size) == (ssize_t)pipe.size)
		print(fd);
	if (fd >= 0)
		(void)close(fd);
	str_done(&pipe);
	return 0;
}
