/* kerneltext.c - see kerneltext.h. */
#include "kernel/kerneltext.h"

#include <elf.h>
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "kernel/sysctl.h"

/*
 * The NT_GNU_BUILD_ID of the notes in a file, as /sys/kernel/notes and .note.gnu.build-id have
 * them: header, name, description, the latter two padded to 4.
 */
static size_t read_build_id(const char *path, uint8_t id[KERNELTEXT_BUILD_ID])
{
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	unsigned char notes[8192];
	size_t size, at = 0;

	if (!file)
		return 0;
	size = fread(notes, 1, sizeof(notes), file);
	while (size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;

		memcpy(&note, notes + at, sizeof(note));
		at += sizeof(note);
		size_t name_size = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		size_t desc_size = ((size_t)note.n_descsz + 3) & ~(size_t)3;

		if (name_size > size - at || desc_size > size - at - name_size)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp(notes + at, "GNU", 4) == 0 && note.n_descsz <= KERNELTEXT_BUILD_ID) {
			memcpy(id, notes + at + name_size, note.n_descsz);
			return note.n_descsz;
		}
		at += name_size + desc_size;
	}
	return 0;
}

size_t kerneltext_build_id(const char *root, uint8_t ret_id[KERNELTEXT_BUILD_ID])
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/sys/kernel/notes", root ? root : "");
	return read_build_id(path, ret_id);
}

const char *kerneltext_kallsyms(void)
{
	return "/proc/kallsyms";
}

/* Of a line of kallsyms: "address type name", and "\t[module]" for a module's. */
static bool read_symbol(const char *line, uint64_t *ret_address, char name[16])
{
	char type;

	return sscanf(line, "%" SCNx64 " %c %15s", ret_address, &type, name) == 3;
}

/*
 * The list is long, and the kernel makes it while we read: it is read no further than needed. It
 * is sorted by address, so that the start comes early: _text, or if there is none by the next
 * address, _stext.
 */
static int find_start(FILE *file, struct kerneltext *text)
{
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;
	uint64_t address;
	char name[16];

	while (getline(&line, &size, file) > 0) {
		if (!read_symbol(line, &address, name))
			continue;
		if (text->symbol && address > text->start)
			break;
		if (strcmp(name, "_text") != 0 && strcmp(name, "_stext") != 0)
			continue;
		if (address == 0)
			return -EACCES;
		text->start = address;
		text->symbol = name[1] == 't' ? "_text" : "_stext";
		if (name[1] == 't')
			break;
	}
	return text->symbol ? 0 : -ENOENT;
}

/*
 * The size of the code, from where it lies in memory ("  01000000-02276f47 : Kernel code"): up to
 * _etext, on arm64 up to __init_begin, behind the constants. 0 where only root is told.
 */
static uint64_t code_size(const char *root)
{
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;
	uint64_t first, last;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/proc/iomem", root ? root : "");
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	while (file && getline(&line, &size, file) > 0)
		if (strstr(line, " : Kernel code\n") &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &last) == 2 && first < last)
			return last - first + 1;
	return 0;
}

/* The slow way: _etext is behind a hundred thousand other symbols. */
static uint64_t find_end(FILE *file)
{
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;
	uint64_t address;
	char name[16];

	while (getline(&line, &size, file) > 0)
		if (strstr(line, " _etext\n") && read_symbol(line, &address, name))
			return address;
	return 0;
}

/*
 * kallsyms_show_value() in the kernel: 0 shows them to whom the level of perf lets watch the
 * kernel, 0 and 1 to CAP_SYSLOG, 2 to nobody.
 */
const char *kerneltext_advice(const char *root)
{
	int64_t restrict_level = 1;

	(void)sysctl_read(root, SYSCTL_KPTR_RESTRICT, &restrict_level);
	if (restrict_level > 1)
		return "as root: sysctl kernel.kptr_restrict=1; then run as root or with "
		       "CAP_SYSLOG";
	if (restrict_level == 1)
		return "run as root or with CAP_SYSLOG, or: sysctl kernel.kptr_restrict=0 "
		       "kernel.perf_event_paranoid=1";
	return "run as root or with CAP_SYSLOG, or: sysctl kernel.perf_event_paranoid=1";
}

int kerneltext_load(const char *root, struct kerneltext *ret_text)
{
	struct kerneltext text = { 0 };
	char path[4096];
	uint64_t size;
	int r;

	(void)snprintf(path, sizeof(path), "%s/proc/kallsyms", root ? root : "");
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	if (!file)
		return -errno;
	r = find_start(file, &text);
	if (r < 0)
		return r;
	size = code_size(root);
	text.end = size ? text.start + size : find_end(file);
	if (text.end <= text.start)
		text.end = UINT64_MAX;
	text.build_id_size = kerneltext_build_id(root, text.build_id);
	*ret_text = text;
	return 0;
}

/* modprobe and /proc/modules write '_' where a file's name may have '-'. */
static bool is_module_file(const char *file, const char *module)
{
	for (; *module; file++, module++)
		if (*file != *module && !(*file == '-' && *module == '_'))
			return false;
	return strncmp(file, ".ko", 3) == 0;
}

static void find_files(const char *root, struct kerneltext_modules *modules)
{
	struct utsname uts;
	char folder[4096];
	char *folders[] = { folder, NULL };

	if (uname(&uts) < 0)
		return;
	(void)snprintf(folder, sizeof(folder), "%s/lib/modules/%s/kernel", root ? root : "",
		       uts.release);
	FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!walk)
		return;
	for (FTSENT *entry; (entry = fts_read(walk));)
		for (size_t i = 0; entry->fts_info == FTS_F && i < modules->count; i++)
			if (!modules->items[i].path &&
			    is_module_file(entry->fts_name, modules->items[i].name))
				modules->items[i].path = xstrdup(entry->fts_path);
	(void)fts_close(walk);
}

/* "name size references users state address". */
static int read_module(const char *root, const char *line, struct kerneltext_modules *modules)
{
	struct kerneltext_module module = { 0 };
	char name[256], path[4096];

	if (sscanf(line, "%255s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &module.size,
		   &module.start) != 3)
		return 0;
	if (module.start == 0)
		return -EACCES;
	(void)snprintf(path, sizeof(path), "%s/sys/module/%s/notes/.note.gnu.build-id",
		       root ? root : "", name);
	module.build_id_size = read_build_id(path, module.build_id);
	module.name = xstrdup(name);
	grow(modules);
	modules->items[modules->count++] = module;
	return 0;
}

int kerneltext_modules_load(const char *root, struct kerneltext_modules *modules)
{
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/proc/modules", root ? root : "");
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? 0 : -errno;
	while (getline(&line, &size, file) > 0) {
		int r = read_module(root, line, modules);

		if (r < 0)
			return r;
	}
	if (modules->count > 0)
		find_files(root, modules);
	return 0;
}

void kerneltext_modules_done(struct kerneltext_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		free(modules->items[i].name);
		free(modules->items[i].path);
	}
	free(modules->items);
	*modules = (struct kerneltext_modules){ 0 };
}
