/* kallsyms.c - see kallsyms.h. */
#include "symbol/kallsyms.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/strings.h"
#include "object/symtab.h"

struct kallsyms {
	struct strings modules; /* group is id + 1 */
	struct symtab *table;
};

struct parser {
	struct kallsyms *kallsyms;
	struct symtab_builder *builder;
	bool visible; /* some address is not 0 */
};

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
	struct symbol symbol = {
		.start = addr,
		.end = addr,
		.name = name,
		.group = group_of(parser->kallsyms, module),
		.binding = toupper((unsigned char)type[1]) == 'W' ? SYMBOL_WEAK
			   : isupper((unsigned char)type[1])      ? SYMBOL_GLOBAL
								  : SYMBOL_LOCAL,
		.type = strchr("tTwW", type[1]) ? SYMBOL_FUNC : SYMBOL_OBJECT,
	};

	symtab_builder_add(parser->builder, &symbol, SYMTAB_NO_LIMIT);
}

int kallsyms_load(const char *path, struct kallsyms **ret_kallsyms, struct strobe_err *err)
{
	_cleanup_(kallsyms_freep) struct kallsyms *kallsyms = xnew(struct kallsyms);
	_cleanup_(symtab_builder_freep) struct symtab_builder *builder = symtab_builder_new();
	struct parser parser = { .kallsyms = kallsyms, .builder = builder };
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;

	if (!file)
		return err_errno(err, "cannot read kernel symbols from '%s'", path);
	while (getline(&line, &size, file) > 0)
		add_line(&parser, line);
	if (ferror(file))
		return err_set(err, -EIO, "cannot read kernel symbols from '%s'", path);
	if (symtab_builder_count(builder) == 0)
		return err_set(err, -ENODATA, "no kernel symbols in '%s'", path);
	if (!parser.visible) {
		err_set(err, -EPERM, "the kernel hides its addresses");
		return err_hint(err, -EPERM, "run as root, or: sysctl kernel.kptr_restrict=0");
	}
	kallsyms->table = symtab_build(take(builder), SYMTAB_INNERMOST);
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
