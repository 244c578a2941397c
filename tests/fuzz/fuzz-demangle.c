/* fuzz-demangle.c - any bytes as the name of a symbol. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fuzz.h"
#include "object/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *name = xcalloc(1, size + 1);

	memcpy(name, bytes, size);
	free(demangle(name));
	free(name);
	return 0;
}
