/* version.c - "strobe version": which strobe this is and what it was built with. */
#include <stdio.h>

#include "base/err.h"
#include "cmd/build-info.h"
#include "cmd/cmd.h"

struct config {
	bool build_options;
	unsigned verbose;
};

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_FLAG, '\0', "build-options", NULL, FIELD(build_options),
	  "Also list the optional parts and whether they were compiled in" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Same as --build-options" },
	{ .kind = OPT_END },
};

static const struct {
	const char *name;
	bool on;
} features[] = { BUILD_INFO_FEATURES{ NULL, false } };

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { 0 };
	int first = opt_parse(options, argc, argv, &c, err);

	if (first < 0)
		return first;
	if (first < argc)
		return cmd_usage(err_set(err, -EINVAL, "version takes no '%s'", argv[first]));
	printf("strobe version %s\n", BUILD_INFO_VERSION);
	if (!c.build_options && !c.verbose)
		return 0;
	for (size_t i = 0; features[i].name; i++)
		printf("%22s: [ %s ]\n", features[i].name, features[i].on ? "on " : "OFF");
	return 0;
}

const struct cmd cmd_version = {
	.name = "version",
	.summary = "Show the version of strobe",
	.usage = "",
	.options = options,
	.run = run,
};
