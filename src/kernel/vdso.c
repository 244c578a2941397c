/* vdso.c - see vdso.h. */
#include "kernel/vdso.h"

#include <link.h>
#include <string.h>
#include <sys/auxv.h>

/* The section headers lie at the end of the image (the kernel's build puts them there). */
const void *vdso_image(size_t *ret_size)
{
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	*ret_size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	return header;
}
