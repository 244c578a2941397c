/* fuzz-insn.c - any bytes as code of any kind, read instruction by instruction. The first byte is
 * the kind. */
#include <assert.h>
#include <elf.h>

#include "base/str.h"
#include "fuzz.h"
#include "object/insn.h"

static void read_all(struct insn_reader *reader, const uint8_t *bytes, size_t size)
{
	struct str text = { 0 };
	struct insn insn;
	size_t at = 0;

	while (at < size &&
	       insn_read(reader, bytes + at, size - at, UINT64_MAX - at, &insn, &text)) {
		assert(insn.size > 0 && insn.size <= size - at && insn.size <= INSN_SIZE_MAX);
		assert(text.size > 0);
		at += insn.size;
		str_clear(&text);
	}
	str_done(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct code_kind kinds[] = {
		{ EM_X86_64, true },
		{ EM_386, false },
		{ EM_AARCH64, true },
		{ EM_RISCV, true },
	};
	struct insn_reader *reader;

	if (size == 0)
		return 0;
	reader = insn_reader_new(kinds[bytes[0] % (sizeof(kinds) / sizeof(kinds[0]))]);
	if (reader)
		read_all(reader, bytes + 1, size - 1);
	insn_reader_free(reader);
	return 0;
}
