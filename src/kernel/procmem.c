/* procmem.c - see procmem.h. */
#include "kernel/procmem.h"

#include <sys/uio.h>

enum { PIECE = 4096, PIECES_MOST = 64 }; /* a piece is there as a whole or not at all */

size_t procmem_read(pid_t pid, uint64_t addr, void *bytes, size_t size)
{
	struct iovec pieces[PIECES_MOST], whole;
	size_t count = 0, asked = 0;
	ssize_t got;

	while (asked < size && count < PIECES_MOST) {
		size_t piece = PIECE - (size_t)((addr + asked) % PIECE);

		if (piece > size - asked)
			piece = size - asked;
		pieces[count].iov_base = (void *)(uintptr_t)(addr + asked); // NOLINT
		pieces[count++].iov_len = piece;
		asked += piece;
	}
	whole = (struct iovec){ .iov_base = bytes, .iov_len = asked };
	got = process_vm_readv(pid, &whole, 1, pieces, count, 0);
	return got > 0 ? (size_t)got : 0;
}
