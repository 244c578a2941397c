/* data-accesses.c - see data-accesses.h. */
#include "object/data-accesses.h"

#include <stdlib.h>

#include "base/hash.h"
#include "object/cfi.h"
#include "object/data-flow.h"
#include "object/data-types.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/insn-moves.h"
#include "object/variables.h"

enum { LARGEST = 1 << 18 }; /* bytes of a function: what is larger is looked at one by one */

struct found {
	uint64_t vaddr;
	struct data_access access;
};

/* A function that was looked at. */
struct known {
	struct {
		struct found *items;
		size_t count, capacity;
	} found; /* by vaddr */
};

struct data_accesses {
	const struct elf_file *code;
	const struct cfi *cfi;
	struct insn_moves_reader *reader;
	struct data_types *types;
	struct variables *variables; /* NULL: there is no debug information */
	struct hash functions;       /* struct known, by begin */
};

struct data_accesses *data_accesses_new(const struct elf_file *code, struct debuginfo *debuginfo,
					const struct cfi *cfi)
{
	_cleanup_(data_accesses_freep) struct data_accesses *accesses = xnew(struct data_accesses);

	accesses->code = code;
	accesses->cfi = cfi;
	accesses->reader = insn_moves_reader_new(
		(struct code_kind){ elf_file_machine(code), elf_file_is_64bit(code) });
	accesses->types = data_types_new();
	if (debuginfo)
		accesses->variables = variables_new(debuginfo, accesses->types);
	return accesses->reader ? take(accesses) : NULL;
}

void data_accesses_free(struct data_accesses *accesses)
{
	if (!accesses)
		return;
	for (struct hash_entry *e = hash_next(&accesses->functions, NULL); e;
	     e = hash_next(&accesses->functions, e)) {
		struct known *known = e->pointer;

		free(known->found.items);
		free(known);
	}
	hash_done(&accesses->functions);
	variables_free(accesses->variables);
	data_types_free(accesses->types);
	insn_moves_reader_free(accesses->reader);
	free(accesses);
}

static void keep(void *context, uint64_t vaddr, const struct data_access *access)
{
	struct known *known = context;

	grow(&known->found);
	known->found.items[known->found.count++] = (struct found){ vaddr, *access };
}

static void follow(struct data_accesses *accesses, const struct variables_function *function,
		   uint64_t begin, size_t size, struct known *known)
{
	uint8_t *bytes = xcalloc(size + 1, 1);
	const struct data_flow_code code = {
		.begin = begin,
		.bytes = bytes,
		.size = elf_file_read(accesses->code, begin, bytes, size),
		.reader = accesses->reader,
		.types = accesses->types,
		.variables = accesses->variables,
		.function = function,
		.cfi = accesses->cfi,
	};

	data_flow_follow(&code, keep, known);
	free(bytes);
}

static const struct known *know(struct data_accesses *accesses, uint64_t vaddr)
{
	const struct variables_function *function =
		accesses->variables ? variables_of(accesses->variables, vaddr) : NULL;
	uint64_t begin = function ? function->begin : vaddr;
	size_t size = function ? function->end - function->begin : INSN_SIZE_MAX;
	struct hash_entry *entry;

	if (size > LARGEST) {
		begin = vaddr;
		size = INSN_SIZE_MAX;
	}
	entry = hash_add(&accesses->functions, begin, NULL);
	if (!entry->pointer) {
		struct known *known = xnew(struct known);

		entry->pointer = known;
		follow(accesses, function, begin, size, known);
	}
	return entry->pointer;
}

struct data_access data_accesses_find(struct data_accesses *accesses, uint64_t vaddr)
{
	const struct known *known = know(accesses, vaddr);
	size_t low = 0, high = known->found.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (known->found.items[middle].vaddr < vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < known->found.count && known->found.items[low].vaddr == vaddr)
		return known->found.items[low].access;
	return (struct data_access){ 0 };
}

void data_accesses_add_field(struct data_accesses *accesses, const struct data_access *access,
			     struct str *out)
{
	if (access->kind == DATA_ACCESS_TYPE)
		data_types_add_field(accesses->types, access->type, access->offset, out);
}
