/* feature-text.c - see feature-text.h. */
#include "view/feature-text.h"

#include "base/arena.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "view/feature-machine.h"
#include "view/feature-recording.h"
#include "view/header-text.h"

static feature_text_printer *printer_of(unsigned feature)
{
	feature_text_printer *print = feature_machine_printer(feature);

	return print ? print : feature_recording_printer(feature);
}

/* What has many lines is shown only where everything is asked for. */
static bool is_long(unsigned feature)
{
	return feature == FEATURE_CPU_TOPOLOGY || feature == FEATURE_NUMA_TOPOLOGY ||
	       feature == FEATURE_CACHE || feature == FEATURE_MEM_TOPOLOGY ||
	       feature == FEATURE_HYBRID_TOPOLOGY || feature == FEATURE_CPU_DOMAIN_INFO;
}

/* A pipe's features end with a record of the first number that its recorder did not know. */
static bool is_end_mark(const struct feature_text_section *section, unsigned feature)
{
	return datafile_header(section->file)->pipe && section->size == 0 &&
	       feature_has_body(feature);
}

void feature_text_print(const struct datafile *file, unsigned feature,
			const struct header_text_options *options, FILE *out)
{
	feature_text_printer *print = printer_of(feature);
	struct arena arena = { 0 };
	struct feature_text_section section = {
		.file = file,
		.options = options,
		.foreign = datafile_header(file)->foreign,
		.arena = &arena,
		.out = out,
	};

	section.bytes = datafile_feature(file, feature, &section.size);
	if (!section.bytes || !print || is_end_mark(&section, feature))
		return;
	if (is_long(feature) && !options->full)
		(void)fprintf(out, "# %s info available, use -I to display\n",
			      feature_name(feature));
	else if (print(&section) < 0)
		(void)fprintf(out, "# %s info is damaged\n", feature_name(feature));
	arena_done(&arena);
}
