/* buildid-list.c - "strobe buildid-list": the build-ids of what a recording, a file or the kernel
 * is made of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hits.h"
#include "analyze/profile.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/output-format.h"
#include "cmd/reading.h"
#include "cmd/remark.h"
#include "data/buildids.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "kernel/kerneltext.h"
#include "model/dso.h"
#include "model/timeline.h"
#include "object/elf-file.h"
#include "view/buildid-lines.h"

struct config {
	const char *input;
	bool with_hits, kernel, kernel_maps, force;
	unsigned verbose;
	enum output_format format;
};

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_STR, 'i', "input", "FILE", FIELD(input),
	  "A recording, or an ELF file (default: perf.data)" },
	{ OPT_FLAG, 'H', "with-hits", NULL, FIELD(with_hits), "Show only what samples hit" },
	{ OPT_FLAG, 'k', "kernel", NULL, FIELD(kernel), "Show the running kernel's" },
	{ OPT_FLAG, 'm', "kernel-maps", NULL, FIELD(kernel_maps),
	  "Show the running kernel's and its modules', with their addresses" },
	{ OPT_FLAG, 'f', "force", NULL, FIELD(force),
	  "Read the file even if it is not yours (always done)" },
	OUTPUT_FORMAT_OPTION(FIELD(format)),
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Say more" },
	{ .kind = OPT_END },
};

static void print(const struct config *c, const struct buildid_lines *lines)
{
	if (c->format == OUTPUT_FORMAT_JSON)
		buildid_lines_json(lines, stdout);
	else
		buildid_lines_text(lines, stdout);
}

/* One id, of what the command line names. */
static void print_id(const struct config *c, const char *name, const uint8_t *id, size_t size)
{
	_cleanup_(buildid_lines_done) struct buildid_lines lines = { 0 };

	/* As in perf, the text is the id alone. */
	(void)buildid_lines_add(&lines, c->format == OUTPUT_FORMAT_JSON ? name : NULL, id, size);
	print(c, &lines);
}

/* What samples hit, with a build-id or without. */
static int add_hits(const struct datafile *file, struct buildid_lines *lines,
		    struct strobe_err *err)
{
	_cleanup_(profile_freep) struct profile *profile = NULL;
	_cleanup_(freep) bool *marks = NULL;
	struct resolver_options resolver_options = { 0 };
	size_t count;
	int r = profile_new(file, &resolver_options, &profile, err);

	if (r < 0)
		return r;
	count = timeline_dso_count(profile_timeline(profile));
	r = hits_find(profile, &marks);
	if (r < 0)
		return err_set(err, r, "cannot read the samples");
	for (uint32_t id = 1; id <= count; id++) {
		const struct dso *dso = timeline_dso(profile_timeline(profile), id);

		if (marks[id])
			(void)buildid_lines_add(lines, dso->name, dso->build_id,
						dso->build_id_size);
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct buildid_line *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : memcmp(x->id, y->id, sizeof(x->id));
}

static int list_recording(struct config *c, struct strobe_err *err)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	_cleanup_(buildid_lines_done) struct buildid_lines lines = { 0 };
	const void *bytes;
	size_t size;
	bool hits;
	int r = reading_open_file(&c->input, &file, err);

	if (r < 0)
		return r;
	/* What an AUX trace hits is not known without decoding it: then all count as hit. */
	hits = c->with_hits && !datafile_feature(file, FEATURE_AUXTRACE, &size);
	bytes = datafile_feature(file, FEATURE_BUILD_ID, &size);
	if (bytes && !hits) {
		bool foreign = datafile_header(file)->foreign;
		struct buildids_walk walk = buildids_begin(bytes, size, foreign);
		struct buildids_entry entry;

		while (buildids_next(&walk, &entry))
			(void)buildid_lines_add(&lines, entry.name, entry.id, entry.id_size);
		if (walk.left)
			remark("'%s': %zu bytes of its build-ids are damaged", c->input, walk.left);
	} else {
		r = add_hits(file, &lines, err);
	}
	if (lines.count > 0)
		qsort(lines.items, lines.count, sizeof(*lines.items), by_name);
	print(c, &lines);
	return r;
}

/* 0 if the input is an ELF file that could be handled, 1 if it is none. */
static int list_elf(const struct config *c, struct strobe_err *err)
{
	const char *path = c->input;
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	const uint8_t *id;
	size_t size;

	if (!path || strcmp(path, "-") == 0 || elf_file_open(path, &file, NULL) < 0)
		return 1;
	size = elf_file_build_id(file, &id);
	if (size == 0)
		return err_set(err, -ENOENT, "'%s' has no build-id", path);
	print_id(c, path, id, size);
	return 0;
}

/* The build-id can be read where addresses cannot. */
static int list_kernel_id(const struct config *c, struct strobe_err *err)
{
	uint8_t id[KERNELTEXT_BUILD_ID];
	size_t size = kerneltext_build_id(NULL, id);

	if (size == 0)
		return err_set(err, -ENOENT, "this kernel does not tell its build-id");
	print_id(c, "[kernel.kallsyms]", id, size);
	return 0;
}

static void add_range(struct buildid_lines *lines, const char *name, const uint8_t *id,
		      size_t id_size, uint64_t start, uint64_t end)
{
	struct buildid_line *line = buildid_lines_add(lines, name, id, id_size);

	line->has_range = true;
	line->start = start;
	line->end = end;
}

static int list_kernel(const struct config *c, struct strobe_err *err)
{
	_cleanup_(buildid_lines_done) struct buildid_lines lines = { 0 };
	struct kerneltext_modules modules = { 0 };
	struct kerneltext kernel;
	int r = kerneltext_load(NULL, &kernel);

	if (r == -EACCES) {
		err_set(err, r, "the kernel hides where its code is");
		return err_hint(err, r, "%s", kerneltext_advice(NULL));
	}
	if (r < 0)
		return err_set(err, r, "cannot read the kernel's symbols: %s", strerror(-r));
	add_range(&lines, "[kernel.kallsyms]", kernel.build_id, kernel.build_id_size, kernel.start,
		  kernel.end);
	r = kerneltext_modules_load(NULL, &modules);
	for (size_t i = 0; i < modules.count; i++) {
		const struct kerneltext_module *module = &modules.items[i];

		add_range(&lines, module->path ? module->path : module->name, module->build_id,
			  module->build_id_size, module->start, module->start + module->size);
	}
	print(c, &lines);
	kerneltext_modules_done(&modules);
	return r < 0 ? err_set(err, r, "cannot read the list of modules: %s", strerror(-r)) : 0;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { 0 };
	int r = opt_parse_mixed(options, argc, argv, &c, err);

	if (r < 0)
		return r;
	if (r < argc)
		return cmd_usage(err_set(err, -EINVAL, "buildid-list takes no '%s'", argv[r]));
	if (c.kernel_maps)
		return list_kernel(&c, err);
	if (c.kernel)
		return list_kernel_id(&c, err);
	r = list_elf(&c, err);
	return r == 1 ? list_recording(&c, err) : r;
}

const struct cmd cmd_buildid_list = {
	.name = "buildid-list",
	.summary = "List the build-ids of a recording",
	.usage = "",
	.options = options,
	.run = run,
};
