/* replay.c - runs a fuzz target on files: each argument is one, or a folder of them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { SIZE_MAX_INPUT = 1 << 20 };

static int replay_file(const char *path)
{
	static uint8_t bytes[SIZE_MAX_INPUT];
	FILE *file = fopen(path, "re");
	uint8_t *copy;
	size_t size;

	if (!file) {
		perror(path);
		return 1;
	}
	size = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
	/* Of its own size, so that a sanitizer sees what reads beyond it. */
	copy = malloc(size ? size : 1);
	if (!copy)
		return 1;
	memcpy(copy, bytes, size);
	(void)printf("# %s\n", path);
	(void)fflush(stdout);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	return 0;
}

static int replay_folder(DIR *folder, const char *path)
{
	struct dirent *entry;
	char name[4096];
	int failed = 0, count = 0;

	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		failed |= replay_file(name);
		count++;
	}
	return failed || count == 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;

	for (int i = 1; i < argc; i++) {
		DIR *folder = opendir(argv[i]);

		if (folder) {
			failed |= replay_folder(folder, argv[i]);
			(void)closedir(folder);
		} else {
			failed |= replay_file(argv[i]);
		}
	}
	return failed;
}
