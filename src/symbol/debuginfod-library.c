/* debuginfod-library.c - see debuginfod-library.h. */
#include "symbol/debuginfod-library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

int debuginfod_library_load(struct debuginfod_library *ret_library)
{
	void *handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	struct debuginfod_library library = { 0 };
	const struct {
		const char *name;
		void *function;
	} functions[] = {
		{ "debuginfod_begin", &library.begin },
		{ "debuginfod_end", &library.end },
		{ "debuginfod_find_executable", &library.find_executable },
		{ "debuginfod_find_debuginfo", &library.find_debuginfo },
		{ "debuginfod_set_progressfn", &library.set_progress },
	};

	if (!handle)
		return -ENOENT;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *symbol = dlsym(handle, functions[i].name);

		if (!symbol) {
			(void)dlclose(handle);
			return -ENOSYS;
		}
		memcpy(functions[i].function, &symbol, sizeof(symbol)); /* C has no cast for it */
	}
	*ret_library = library;
	return 0;
}
