/* kallsyms.c - see kallsyms.h. */
#include "symbol/kallsyms.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strings.h"
#include "object/symtab.h"

struct kallsyms {
	struct strings modules; /* group is id + 1 */
	struct symtab *table;
};

/* Many: the order is that of larger and smaller members. */
struct line {
	uint64_t addr;
	const char *name; /* the builder's */
	uint32_t number;
	uint16_t group;
	char type;
};

struct parser {
	struct kallsyms *kallsyms;
	struct symtab_builder *builder;
	struct line *items;
	size_t count, capacity;
	struct str module; /* the last one */
	uint16_t group;    /* its */
	bool visible;      /* some address is not 0 */
};

static void parser_done(struct parser *parser)
{
	symtab_builder_free(parser->builder);
	str_done(&parser->module);
	free(parser->items);
}

void kallsyms_free(struct kallsyms *kallsyms)
{
	if (!kallsyms)
		return;
	strings_done(&kallsyms->modules);
	symtab_free(kallsyms->table);
	free(kallsyms);
}

/* Modules beyond what a group can count are one. */
static uint16_t intern_module(struct kallsyms *kallsyms, const char *module)
{
	if (module[0] != '[')
		return 0;
	if (kallsyms->modules.count >= UINT16_MAX - 1)
		return UINT16_MAX;
	return (uint16_t)(strings_intern(&kallsyms->modules, module) + 1);
}

/* Of what is behind the name: mostly nothing, or what was behind the one before. */
static uint16_t group_of(struct parser *parser, const char *module, size_t size)
{
	if (size == 0)
		return 0;
	if (parser->module.size != size || memcmp(parser->module.text, module, size) != 0) {
		str_clear(&parser->module);
		str_add_bytes(&parser->module, module, size);
		parser->group = intern_module(parser->kallsyms, str_text(&parser->module));
	}
	return parser->group;
}

/* The number at the beginning of a line; returns what is behind it, @text if there is none. */
static const char *parse_address(const char *text, const char *end, uint64_t *ret_addr)
{
	uint64_t addr = 0;

	for (; text < end; text++) {
		unsigned digit = (unsigned char)*text - (unsigned)'0';

		if (digit > 9)
			digit = ((unsigned char)*text | 0x20U) - (unsigned)'a' + 10;
		if (digit > 15)
			break;
		addr = addr << 4 | digit;
	}
	*ret_addr = addr;
	return text;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

/* Perf's: text, weak, data and bss. */
static bool is_wanted(char type)
{
	return type && strchr("TtWwDdBb", type);
}

/* A line without what ends it. */
static void add_line(struct parser *parser, const char *line, const char *end)
{
	struct line added = { .number = (uint32_t)parser->count };
	const char *type = parse_address(line, end, &added.addr), *name, *name_end, *module;

	if (type == line || end - type < 4 || type[0] != ' ' || !is_wanted(type[1]) ||
	    type[2] != ' ')
		return;
	name = name_end = type + 3;
	while (name_end < end && !is_blank(*name_end))
		name_end++;
	if (name_end == name || name[0] == '$') /* ARM's marks between code and data */
		return;
	module = name_end;
	while (module < end && is_blank(*module))
		module++;
	parser->visible |= added.addr != 0;
	added.name = symtab_builder_keep(parser->builder, name, (size_t)(name_end - name));
	added.group = group_of(parser, module, (size_t)(end - module));
	added.type = type[1];
	grow(parser);
	parser->items[parser->count++] = added;
}

static int by_addr(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

enum { PAGE = 4096 };

static uint8_t binding_of(char type)
{
	int upper = toupper((unsigned char)type);

	if (upper == 'W')
		return SYMBOL_WEAK;
	return upper == type ? SYMBOL_GLOBAL : SYMBOL_LOCAL;
}

/* The kernel lists them by address, but for modules and programs that were loaded later. */
static void sort_lines(struct parser *parser)
{
	for (size_t i = 1; i < parser->count; i++) {
		if (parser->items[i].addr < parser->items[i - 1].addr) {
			qsort(parser->items, parser->count, sizeof(*parser->items), by_addr);
			return;
		}
	}
}

static struct symtab *build(struct parser *parser)
{
	sort_lines(parser);
	for (size_t i = 0; i < parser->count; i++) {
		const struct line *line = &parser->items[i], *next = line + 1;
		bool last = i + 1 == parser->count || next->group != line->group;
		struct symbol symbol = {
			.start = line->addr,
			/* Aliases come out without a size but for the last, so that has the name.
			 */
			.end = last ? (line->addr | (PAGE - 1)) + PAGE + 1 : next->addr,
			.name = line->name,
			.group = line->group,
			.binding = binding_of(line->type),
			.type = strchr("TtWw", line->type) ? SYMBOL_FUNC : SYMBOL_OBJECT,
		};

		symtab_builder_add_kept(parser->builder, &symbol, symbol.start);
	}
	return symtab_build(take(parser->builder), SYMTAB_INNERMOST);
}

/* A few hundred thousand lines are usual: about 15 MiB. */
enum { SIZE_MAX_READ = 512 * 1024 * 1024, BUFFER_SIZE = 64 * 1024 };

/* A device may go on for ever, and a pipe may never begin. Sizes in /proc are 0. */
static int open_file(const char *path, struct strobe_err *err)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		return err_errno(err, "cannot read kernel symbols from '%s'", path);
	if (!S_ISREG(status.st_mode))
		return err_set(err, -EINVAL, "no kernel symbols in '%s': it is no file", path);
	if (status.st_size > SIZE_MAX_READ)
		return err_set(err, -EFBIG, "no kernel symbols in '%s': it is too large", path);
	return take_fd(fd);
}

/* Takes whole lines, and returns how many bytes that were. */
static size_t add_lines(struct parser *parser, const char *text, size_t size)
{
	const char *line = text, *end;

	while ((end = memchr(line, '\n', size - (size_t)(line - text)))) {
		add_line(parser, line, end);
		line = end + 1;
	}
	return (size_t)(line - text);
}

/* What is read is parsed while it is at hand; a line that is not whole waits for the rest. */
static int read_lines(struct parser *parser, int fd)
{
	size_t capacity = BUFFER_SIZE, size = 0, taken;
	_cleanup_(freep) char *text = xcalloc(capacity, 1);
	ssize_t count;

	while ((count = read(fd, text + size, capacity - size)) != 0) {
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		size += (size_t)count;
		taken = add_lines(parser, text, size);
		size -= taken;
		memmove(text, text + taken, size);
		if (size == capacity)
			text = xgrow(text, &capacity, 1);
	}
	if (size > 0)
		add_line(parser, text, text + size);
	return 0;
}

int kallsyms_load(const char *path, struct kallsyms **ret_kallsyms, struct strobe_err *err)
{
	_cleanup_(kallsyms_freep) struct kallsyms *kallsyms = xnew(struct kallsyms);
	_cleanup_(parser_done) struct parser parser = { .kallsyms = kallsyms,
							.builder = symtab_builder_new() };
	_cleanup_(closep) int fd = open_file(path, err);

	if (fd < 0)
		return fd;
	if (read_lines(&parser, fd) < 0)
		return err_set(err, -EIO, "cannot read kernel symbols from '%s'", path);
	if (parser.count == 0)
		return err_set(err, -ENODATA, "no kernel symbols in '%s'", path);
	if (!parser.visible) {
		err_set(err, -EPERM, "the kernel hides its addresses");
		return err_hint(err, -EPERM,
				"run as root, or: sysctl kernel.kptr_restrict=0 "
				"kernel.perf_event_paranoid=1");
	}
	kallsyms->table = build(&parser);
	*ret_kallsyms = take(kallsyms);
	return 0;
}

const struct symtab *kallsyms_table(const struct kallsyms *kallsyms)
{
	return kallsyms->table;
}

bool kallsyms_module(const struct kallsyms *kallsyms, const char *name, uint16_t *ret_group)
{
	uint32_t id;

	if (!strings_find(&kallsyms->modules, name, &id))
		return false;
	*ret_group = (uint16_t)(id + 1);
	return true;
}

bool kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *ret_addr)
{
	const struct symbol *symbol = symtab_find_name(kallsyms->table, name);

	if (!symbol || symbol->group != 0)
		return false;
	*ret_addr = symbol->start;
	return true;
}
