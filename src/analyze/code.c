/* code.c - see code.h. */
#include "analyze/code.h"

#include "analyze/profile.h"
#include "symbol/resolve.h"

void code_init(struct code *code, struct profile *profile)
{
	*code = (struct code){ .profile = profile };
}

void code_done(struct code *code)
{
	for (size_t i = 0; i < code->known_count; i++)
		insn_reader_free(code->known[i].reader);
}

static struct insn_reader *reader_of(struct code *code, struct code_kind kind)
{
	struct insn_reader *reader;

	for (size_t i = 0; i < code->known_count; i++) {
		if (code->known[i].kind.machine == kind.machine &&
		    code->known[i].kind.is_64bit == kind.is_64bit)
			return code->known[i].reader;
	}
	if (code->known_count == CODE_KINDS)
		return NULL;
	code->known[code->known_count].kind = kind;
	reader = insn_reader_new(kind);
	if (reader && code->intel)
		insn_reader_use_intel(reader);
	code->known[code->known_count++].reader = reader;
	return reader;
}

size_t code_copy(struct code *code, const struct place *place, uint8_t *buffer, size_t size,
		 struct insn_reader **ret_reader)
{
	struct code_kind kind;
	size_t there = resolver_code(profile_resolver(code->profile), place, buffer, size, &kind);

	if (there == 0)
		return 0;
	*ret_reader = reader_of(code, kind);
	return *ret_reader ? there : 0;
}

struct insn code_insn(struct code *code, const struct place *place, uint8_t *bytes,
		      struct str *text)
{
	struct insn_reader *reader;
	struct insn insn = { 0 };
	size_t size = code_copy(code, place, bytes, INSN_SIZE_MAX, &reader);

	if (size > 0)
		(void)insn_read(reader, bytes, size, place->addr, &insn, text);
	return insn;
}
