/* normalize.c - see normalize.h. */
#include "data/normalize.h"

#include <errno.h>

#include "base/mem.h"
#include "data/filemap.h"
#include "data/normalizer.h"
#include "data/tempfile.h"

static int write_out(void *context, const void *bytes, size_t size, struct strobe_err *err)
{
	return tempfile_write(context, bytes, size, err);
}

static int turn_all(struct normalizer *normalizer, const struct normalize_input *input,
		    struct strobe_err *err)
{
	size_t used;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->span_count; i++) {
		rc = normalizer_take(normalizer, input->spans[i].bytes, input->spans[i].size, false,
				     &used, err);
		normalizer_end(normalizer);
	}
	return rc;
}

static int map_output(struct tempfile *out, struct filemap *ret_map, struct strobe_err *err)
{
	int fd, rc = tempfile_flush(out, &fd, err);

	return rc < 0 ? rc : filemap_open_fd(fd, "temporary file", ret_map, err);
}

int normalize(const struct normalize_input *input, struct filemap *ret_map,
	      struct datafile_damage *damage, bool *ret_compressed, struct strobe_err *err)
{
	_cleanup_(tempfile_freep) struct tempfile *out = tempfile_new(err);
	_cleanup_(normalizer_freep) struct normalizer *normalizer = NULL;
	struct normalizer_options options = {
		.foreign = input->foreign,
		.events = input->events,
		.damage = damage,
		.sink = write_out,
		.context = out,
	};
	int rc;

	if (!out)
		return -EIO;
	normalizer = normalizer_new(&options);
	rc = turn_all(normalizer, input, err);
	if (rc == 0)
		rc = map_output(out, ret_map, err);
	*ret_compressed = normalizer_has_compressed(normalizer);
	return rc;
}
