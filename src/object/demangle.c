/* demangle.c - see demangle.h. */
#include "object/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Its xcalloc() is declared differently from ours, so base/mem.h cannot be included here. */
#include <libiberty/demangle.h>

#include "base/str.h"
#include "object/demangle-java.h"

/* A mangled name of MANGLED_MAX bytes makes libiberty use up to some 2 MiB of stack. Its own limit
 * is at 1024 bytes, which C++ templates reach, so it is switched off.
 */
enum { MANGLED_MAX = 16 * 1024, READABLE_MAX = 256 * 1024 };

struct text {
	struct str chars;
	jmp_buf too_long;
};

/* A hundred bytes can stand for more text than there are atoms (each level of a type names the one
 * below twice), and libiberty gives a callback no other way to stop it. What it holds then is on
 * the stack, but for Rust's rare punycode.
 */
static void add_piece(const char *piece, size_t size, void *opaque)
{
	struct text *text = opaque;

	if (size > READABLE_MAX - text->chars.size)
		longjmp(text->too_long, 1);
	if (size > 0) /* the piece may be NULL then */
		str_add_bytes(&text->chars, piece, size);
}

/* Rust's first mangling looks like C++; the last part is always 17h and sixteen hex digits. Real
 * hashes use at least five different digits.
 */
static bool is_legacy_rust(const char *name, size_t size)
{
	uint32_t seen = 0;
	int different = 0;
	const char *hash;

	if (size < 3 + 20 || strncmp(name, "_ZN", 3) != 0 || name[size - 1] != 'E')
		return false;
	hash = name + size - 20;
	if (strncmp(hash, "17h", 3) != 0)
		return false;
	for (int i = 3; i < 19; i++) {
		const char *digit = strchr("0123456789abcdef", hash[i]);

		if (!digit)
			return false;
		seen |= 1U << (digit - "0123456789abcdef");
	}
	for (; seen; seen &= seen - 1)
		different++;
	return different >= 5;
}

/* `.llvm.` and hex digits, which LLVM adds to make a local name unique, say nothing. */
static size_t without_llvm(const char *name, size_t size)
{
	const char *suffix = memmem(name, size, ".llvm.", 6);

	if (!suffix || suffix == name)
		return size;
	for (const char *at = suffix + 6; at < name + size; at++)
		if (!isxdigit((unsigned char)*at) && *at != '@')
			return size;
	return (size_t)(suffix - name);
}

typedef int demangler(const char *name, int options, demangle_callbackref add, void *opaque);

/* With libiberty, and the tail behind. */
static char *demangle_by(demangler *read, int limit, const char *name, const char *tail)
{
	struct text text = { .chars = { 0 } };

	if (setjmp(text.too_long) != 0 ||
	    !read(name, DMGL_PARAMS | DMGL_ANSI | limit, add_piece, &text)) {
		str_done(&text.chars);
		return NULL;
	}
	str_add(&text.chars, tail);
	return str_take(&text.chars);
}

static int digit_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* OCaml: caml, the module, `__` for a dot, `$` and two hex digits for a byte. */
static char *demangle_ocaml(const char *name, const char *tail)
{
	struct str text = { 0 };

	for (const char *at = name + strlen("caml"); *at; at++) {
		if (at[0] == '_' && at[1] == '_') {
			str_add_char(&text, '.');
			at++;
		} else if (at[0] == '$' && isxdigit((unsigned char)at[1]) &&
			   isxdigit((unsigned char)at[2]) && (at[1] != '0' || at[2] != '0')) {
			str_add_char(&text, (char)(digit_value(at[1]) * 16 + digit_value(at[2])));
			at += 2;
		} else {
			str_add_char(&text, *at);
		}
	}
	str_add(&text, tail);
	return str_take(&text);
}

static bool is_ocaml(const char *name)
{
	return !strncmp(name, "caml", 4) && isupper((unsigned char)name[4]) &&
	       strstr(name + 5, "__");
}

char *demangle(const char *name)
{
	size_t size = strnlen(name, MANGLED_MAX + 1), short_size;
	char *bare, *readable = NULL;
	const char *tail;
	bool rust;

	if (size > MANGLED_MAX)
		return NULL;
	if (name[0] == 'L')
		return demangle_java(name);
	if (name[0] != '_' && name[0] != 'c')
		return NULL;
	size = strcspn(name, "@");
	tail = name + size;
	short_size = without_llvm(name, size);
	rust = !strncmp(name, "_R", 2) || is_legacy_rust(name, short_size);
	bare = strndup(name, rust ? short_size : size);
	if (!bare)
		return NULL;
	if (rust)
		readable = demangle_by(rust_demangle_callback, 0, bare, tail);
	else if (!strncmp(bare, "_Z", 2))
		readable =
			demangle_by(cplus_demangle_v3_callback, DMGL_NO_RECURSE_LIMIT, bare, tail);
	else if (is_ocaml(bare))
		readable = demangle_ocaml(bare, tail);
	free(bare);
	return readable;
}
