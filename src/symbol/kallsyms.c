/* kallsyms.c - see kallsyms.h. */
#include "symbol/kallsyms.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strings.h"
#include "object/symtab.h"

struct kallsyms {
	struct strings modules; /* group is id + 1 */
	struct symtab *table;
};

struct line {
	uint64_t addr;
	const char *name;
	uint16_t group;
	char type;
	uint32_t number;
};

struct parser {
	struct kallsyms *kallsyms;
	struct arena names;
	struct line *items;
	size_t count, capacity;
	bool visible; /* some address is not 0 */
};

static void parser_done(struct parser *parser)
{
	arena_done(&parser->names);
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
static uint16_t group_of(struct kallsyms *kallsyms, const char *module)
{
	if (module[0] != '[')
		return 0;
	if (kallsyms->modules.count >= UINT16_MAX - 1)
		return UINT16_MAX;
	return (uint16_t)(strings_intern(&kallsyms->modules, module) + 1);
}

static void add_line(struct parser *parser, char *line)
{
	char *type, *name, *module;
	uint64_t addr = strtoull(line, &type, 16);

	if (type == line || type[0] != ' ' || !type[1] || type[2] != ' ' ||
	    !strchr("TWDB", toupper((unsigned char)type[1])))
		return;
	name = type + 3;
	name[strcspn(name, "\n")] = '\0';
	module = name + strcspn(name, " \t");
	if (*module) {
		*module++ = '\0';
		module += strspn(module, " \t");
	}
	if (name[0] == '\0' || name[0] == '$') /* ARM's marks between code and data */
		return;
	parser->visible |= addr != 0;
	grow(parser);
	parser->items[parser->count] = (struct line){
		.addr = addr,
		.name = arena_strdup(&parser->names, name),
		.group = group_of(parser->kallsyms, module),
		.type = type[1],
		.number = (uint32_t)parser->count,
	};
	parser->count++;
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

static struct symtab *build(struct parser *parser)
{
	struct symtab_builder *builder = symtab_builder_new();

	qsort(parser->items, parser->count, sizeof(*parser->items), by_addr);
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

		symtab_builder_add(builder, &symbol, symbol.start);
	}
	return symtab_build(builder, SYMTAB_INNERMOST);
}

/* A few hundred thousand lines are usual: about 15 MiB. Of /proc, libc would read a few at a time.
 */
enum { SIZE_MAX_READ = 512 * 1024 * 1024, BUFFER_SIZE = 64 * 1024 };

/* A device may go on for ever, and a pipe may never begin. Sizes in /proc are 0. */
static int open_file(const char *path, FILE **ret_file, struct strobe_err *err)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		return err_errno(err, "cannot read kernel symbols from '%s'", path);
	if (!S_ISREG(status.st_mode))
		return err_set(err, -EINVAL, "no kernel symbols in '%s': it is no file", path);
	if (status.st_size > SIZE_MAX_READ)
		return err_set(err, -EFBIG, "no kernel symbols in '%s': it is too large", path);
	*ret_file = fdopen(fd, "r");
	if (!*ret_file)
		return err_errno(err, "cannot read kernel symbols from '%s'", path);
	(void)take_fd(fd);
	return 0;
}

int kallsyms_load(const char *path, struct kallsyms **ret_kallsyms, struct strobe_err *err)
{
	_cleanup_(kallsyms_freep) struct kallsyms *kallsyms = xnew(struct kallsyms);
	_cleanup_(parser_done) struct parser parser = { .kallsyms = kallsyms };
	_cleanup_(freep) char *buffer = xcalloc(1, BUFFER_SIZE); /* gone after the file */
	_cleanup_(fclosep) FILE *file = NULL;
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;
	int r = open_file(path, &file, err);

	if (r < 0)
		return r;
	(void)setvbuf(file, buffer, _IOFBF, BUFFER_SIZE);
	while (getline(&line, &size, file) > 0)
		add_line(&parser, line);
	if (ferror(file))
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
