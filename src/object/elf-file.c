/* elf-file.c - see elf-file.h. */
#include "object/elf-file.h"

#include <assert.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "object/packed-section.h"

enum { BUILD_ID_MAX = 64 };

struct elf_file {
	Elf *elf;
	int fd;
	void *memory;
	char *name;
	uint64_t size;
	GElf_Ehdr header;
	struct {
		struct elf_file_segment *items;
		size_t count, capacity;
	} segments;
	struct {
		struct elf_file_section *items;
		size_t count, capacity;
	} sections;
	struct unpacked {
		bool done;
		void *bytes;
	} * unpacked; /* of each section */
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_size;
	const char *debuglink;
	uint32_t debuglink_crc;
};

static bool fits(const struct elf_file *file, uint64_t offset, uint64_t size)
{
	return offset <= file->size && size <= file->size - offset;
}

static void read_segments(struct elf_file *file)
{
	size_t count = 0;

	if (elf_getphdrnum(file->elf, &count) < 0)
		return;
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(file->elf, (int)i, &phdr))
			break;
		if (phdr.p_type != PT_LOAD)
			continue;
		grow(&file->segments);
		file->segments.items[file->segments.count++] = (struct elf_file_segment){
			.offset = phdr.p_offset,
			.file_size = phdr.p_filesz,
			.vaddr = phdr.p_vaddr,
			.mem_size = phdr.p_memsz,
			.executable = phdr.p_flags & PF_X,
		};
	}
}

static void read_sections(struct elf_file *file)
{
	size_t count = 0, names = 0;

	if (elf_getshdrnum(file->elf, &count) < 0)
		return;
	if (elf_getshdrstrndx(file->elf, &names) < 0)
		names = 0;
	for (size_t i = 0; i < count; i++) {
		Elf_Scn *scn = elf_getscn(file->elf, i);
		GElf_Shdr shdr;
		const char *name;

		if (!scn || !gelf_getshdr(scn, &shdr))
			break;
		name = elf_strptr(file->elf, names, shdr.sh_name);
		grow(&file->sections);
		file->sections.items[file->sections.count++] = (struct elf_file_section){
			.name = name ? name : "",
			.vaddr = file->header.e_type == ET_REL ? shdr.sh_offset : shdr.sh_addr,
			.offset = shdr.sh_offset,
			.size = shdr.sh_size,
			.flags = shdr.sh_flags,
			.entry_size = shdr.sh_entsize,
			.type = shdr.sh_type,
			.link = shdr.sh_link,
			.packing = packed_section_kind(file->elf, i, name ? name : ""),
		};
	}
}

static void read_identity(struct elf_file *file)
{
	const void *bytes = NULL;
	ssize_t size = dwelf_elf_gnu_build_id(file->elf, &bytes);
	GElf_Word crc = 0;
	const char *link;

	if (size > 0 && size <= BUILD_ID_MAX) {
		memcpy(file->build_id, bytes, (size_t)size);
		file->build_id_size = (size_t)size;
	}
	link = dwelf_elf_gnu_debuglink(file->elf, &crc);
	if (link && *link && !strchr(link, '/')) {
		file->debuglink = link;
		file->debuglink_crc = crc;
	}
}

/* file->elf is set, or NULL if libelf would not have it. */
static int finish(struct elf_file *file, struct elf_file **ret_file, struct strobe_err *err)
{
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF ||
	    !gelf_getehdr(file->elf, &file->header)) {
		err_set(err, -ENOEXEC, "'%s' is not an ELF file", file->name);
		elf_file_free(file);
		return -ENOEXEC;
	}
	read_segments(file);
	read_sections(file);
	file->unpacked = xcalloc(file->sections.count + 1, sizeof(*file->unpacked));
	read_identity(file);
	*ret_file = file;
	return 0;
}

int elf_file_open_fd(int fd, const char *name, struct elf_file **ret_file, struct strobe_err *err)
{
	_cleanup_(elf_file_freep) struct elf_file *file = xnew(struct elf_file);
	struct stat st;

	file->fd = fd;
	file->name = xstrdup(name);
	if (fstat(fd, &st) < 0)
		return err_errno(err, "cannot read '%s'", name);
	if (!S_ISREG(st.st_mode))
		return err_set(err, -ENOEXEC, "'%s' is not a regular file", name);
	file->size = (uint64_t)st.st_size;
	(void)elf_version(EV_CURRENT);
	file->elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	/* What is mapped needs no descriptor, and there may be many files. */
	if (file->elf && elf_cntl(file->elf, ELF_C_FDREAD) == 0) {
		file->fd = -1;
		(void)close(fd);
	}
	return finish(take(file), ret_file, err);
}

int elf_file_open(const char *path, struct elf_file **ret_file, struct strobe_err *err)
{
	/* Not to hang on a FIFO: O_NONBLOCK is of no effect on regular files. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return err_errno(err, "cannot open '%s'", path);
	return elf_file_open_fd(fd, path, ret_file, err);
}

int elf_file_from_memory(const void *bytes, size_t size, const char *name,
			 struct elf_file **ret_file, struct strobe_err *err)
{
	struct elf_file *file = xnew(struct elf_file);

	file->fd = -1;
	file->name = xstrdup(name);
	file->size = size;
	(void)elf_version(EV_CURRENT);
	if (size > 0) {
		file->memory = xcalloc(1, size);
		memcpy(file->memory, bytes, size);
		file->elf = elf_memory(file->memory, size);
	}
	return finish(file, ret_file, err);
}

void elf_file_free(struct elf_file *file)
{
	if (!file)
		return;
	(void)elf_end(file->elf);
	if (file->fd >= 0)
		(void)close(file->fd);
	for (size_t i = 0; file->unpacked && i < file->sections.count; i++)
		free(file->unpacked[i].bytes);
	free(file->unpacked);
	free(file->memory);
	free(file->segments.items);
	free(file->sections.items);
	free(file->name);
	free(file);
}

const char *elf_file_name(const struct elf_file *file)
{
	return file->name;
}

struct Elf *elf_file_handle(const struct elf_file *file)
{
	return file->elf;
}

uint16_t elf_file_type(const struct elf_file *file)
{
	return file->header.e_type;
}

uint16_t elf_file_machine(const struct elf_file *file)
{
	return file->header.e_machine;
}

bool elf_file_is_64bit(const struct elf_file *file)
{
	return file->header.e_ident[EI_CLASS] == ELFCLASS64;
}

uint64_t elf_file_entry(const struct elf_file *file)
{
	return file->header.e_entry;
}

size_t elf_file_build_id(const struct elf_file *file, const uint8_t **ret_bytes)
{
	if (file->build_id_size)
		*ret_bytes = file->build_id;
	return file->build_id_size;
}

const char *elf_file_debuglink(const struct elf_file *file, uint32_t *ret_crc)
{
	if (file->debuglink)
		*ret_crc = file->debuglink_crc;
	return file->debuglink;
}

size_t elf_file_segment_count(const struct elf_file *file)
{
	return file->segments.count;
}

const struct elf_file_segment *elf_file_segment(const struct elf_file *file, size_t i)
{
	assert(i < file->segments.count);
	return &file->segments.items[i];
}

bool elf_file_offset_to_vaddr(const struct elf_file *file, uint64_t offset, uint64_t *ret_vaddr)
{
	const struct elf_file_segment *best = NULL;

	for (size_t i = 0; i < file->segments.count; i++) {
		const struct elf_file_segment *segment = &file->segments.items[i];

		if (offset < segment->offset || offset - segment->offset >= segment->file_size)
			continue;
		if (!best || (segment->executable && !best->executable))
			best = segment;
	}
	if (!best && file->segments.count > 0)
		return false;
	*ret_vaddr = best ? offset - best->offset + best->vaddr : offset;
	return true;
}

bool elf_file_vaddr_to_offset(const struct elf_file *file, uint64_t vaddr, uint64_t *ret_offset)
{
	for (size_t i = 0; i < file->segments.count; i++) {
		const struct elf_file_segment *segment = &file->segments.items[i];

		if (vaddr < segment->vaddr || vaddr - segment->vaddr >= segment->file_size)
			continue;
		*ret_offset = vaddr - segment->vaddr + segment->offset;
		return true;
	}
	if (file->segments.count > 0)
		return false;
	*ret_offset = vaddr;
	return true;
}

/* How many bytes of the file belong to what is loaded at the vaddr, from there on. */
static uint64_t size_from(const struct elf_file *file, uint64_t vaddr)
{
	for (size_t i = 0; i < file->segments.count; i++) {
		const struct elf_file_segment *segment = &file->segments.items[i];

		if (vaddr >= segment->vaddr && vaddr - segment->vaddr < segment->file_size)
			return segment->file_size - (vaddr - segment->vaddr);
	}
	return file->segments.count == 0 && vaddr < file->size ? file->size - vaddr : 0;
}

bool elf_file_header(const struct elf_file *file, uint32_t type, uint64_t *ret_vaddr,
		     uint64_t *ret_size)
{
	size_t count = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(file->elf, &count) < 0)
		return false;
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &header))
			return false;
		if (header.p_type != type)
			continue;
		*ret_vaddr = header.p_vaddr;
		*ret_size = header.p_memsz;
		return true;
	}
	return false;
}

const uint8_t *elf_file_loaded(const struct elf_file *file, uint64_t vaddr, size_t *ret_size)
{
	uint64_t offset, there = size_from(file, vaddr);
	size_t size = 0;
	const char *bytes = elf_rawfile(file->elf, &size);

	if (there == 0 || !bytes || !elf_file_vaddr_to_offset(file, vaddr, &offset) ||
	    offset >= size)
		return NULL;
	*ret_size = (size_t)(there < size - offset ? there : size - offset);
	return (const uint8_t *)bytes + offset;
}

size_t elf_file_read(const struct elf_file *file, uint64_t vaddr, void *buffer, size_t size)
{
	size_t there = 0;
	const uint8_t *bytes = elf_file_loaded(file, vaddr, &there);

	if (!bytes)
		return 0;
	if (size > there)
		size = there;
	memcpy(buffer, bytes, size);
	return size;
}

size_t elf_file_section_count(const struct elf_file *file)
{
	return file->sections.count;
}

const struct elf_file_section *elf_file_section(const struct elf_file *file, size_t i)
{
	assert(i < file->sections.count);
	return &file->sections.items[i];
}

const struct elf_file_section *elf_file_section_find(const struct elf_file *file, const char *name)
{
	for (size_t i = 1; i < file->sections.count; i++) {
		const char *own = file->sections.items[i].name;

		if (!strcmp(own, name) || (name[0] == '.' && own[0] == '.' && own[1] == 'z' &&
					   !strcmp(own + 2, name + 1)))
			return &file->sections.items[i];
	}
	return NULL;
}

static void unpack_section(const struct elf_file *file, size_t index)
{
	const struct elf_file_section *section = &file->sections.items[index];
	struct unpacked *unpacked = &file->unpacked[index];

	if (unpacked->done || section->packing == UNPACK_NONE)
		return;
	unpacked->done = true;
	unpacked->bytes = packed_section_unpack(file->elf, index, section->name);
}

const void *elf_file_section_bytes(const struct elf_file *file,
				   const struct elf_file_section *section, size_t *ret_size)
{
	size_t index = (size_t)(section - file->sections.items);
	Elf_Data *bytes;

	if (section->type == SHT_NOBITS || section->size == 0 ||
	    !fits(file, section->offset, section->size))
		return NULL;
	unpack_section(file, index);
	bytes = elf_rawdata(elf_getscn(file->elf, index), NULL);
	if (!bytes || !bytes->d_buf || bytes->d_size == 0)
		return NULL;
	*ret_size = bytes->d_size;
	return bytes->d_buf;
}

static bool is_debug(const struct elf_file_section *section)
{
	return str_after(section->name, ".debug_") || str_after(section->name, ".zdebug_");
}

void elf_file_unpack_debug(const struct elf_file *file)
{
	for (size_t i = 0; i < file->sections.count; i++) {
		if (is_debug(&file->sections.items[i]))
			unpack_section(file, i);
	}
}

bool elf_file_has_symtab(const struct elf_file *file)
{
	for (size_t i = 1; i < file->sections.count; i++)
		if (file->sections.items[i].type == SHT_SYMTAB && file->sections.items[i].size > 0)
			return true;
	return false;
}
