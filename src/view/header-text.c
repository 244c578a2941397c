/* header-text.c - see header-text.h. */
#include "view/header-text.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "data/datafile.h"
#include "data/feature.h"
#include "view/feature-text.h"

static void print_missing(const struct datafile *file, FILE *out)
{
	size_t size;

	(void)fputs("# missing features: ", out);
	for (unsigned feature = FEATURE_TRACING_DATA; feature < FEATURE_PERF_END; feature++)
		if (!datafile_feature(file, feature, &size))
			(void)fprintf(out, "%s ", feature_name(feature));
	(void)fputc('\n', out);
}

static void print_frame(FILE *out)
{
	(void)fputs("# ========\n", out);
}

static void print_file(const struct datafile *file, FILE *out)
{
	const struct datafile_header *header = datafile_header(file);
	time_t captured_on = (time_t)header->captured_on;
	char text[32];

	if (!ctime_r(&captured_on, text))
		(void)strcpy(text, "?\n");
	(void)fprintf(out, "# captured on    : %s", text);
	/* perf counts versions from 0. */
	(void)fprintf(out, "# header version : %" PRIu32 "\n", header->version - 1);
	(void)fprintf(out, "# data offset    : %" PRIu64 "\n",
		      header->pipe ? 0 : header->data_offset);
	(void)fprintf(out, "# data size      : %" PRIu64 "\n",
		      header->pipe ? 0 : header->data_size);
	(void)fprintf(out, "# feat offset    : %" PRIu64 "\n",
		      header->pipe ? 0 : header->feature_offset);
}

/*
 *  file:  frame, file, features, missing, frame
 *  pipe:  frame, file, frame, features: they come one by one, as records
 */
void header_text_print(const struct datafile *file, const struct header_text_options *options,
		       FILE *out)
{
	bool pipe = datafile_header(file)->pipe;

	print_frame(out);
	print_file(file, out);
	if (pipe) {
		print_frame(out);
		(void)fputs("#\n", out);
	}
	for (unsigned feature = FEATURE_TRACING_DATA; feature < FEATURE_PERF_END; feature++)
		feature_text_print(file, feature, options, out);
	feature_text_print(file, FEATURE_STROBE_NAMES, options, out);
	if (!pipe) {
		print_missing(file, out);
		print_frame(out);
		(void)fputs("#\n", out);
	}
}
