/* terminal.c - see terminal.h. */
#include "cmd/terminal.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

enum { ESCAPE = 0x1b, COLOR_MAX = 12 };

struct terminal {
	struct str held; /* of a sequence that the last write did not end */
};

/* "\033[31m"; 0 if more must be seen to tell. */
static size_t color_size(const char *text, size_t size, bool *ret_plain)
{
	size_t at = 2;

	if (size > 1 && text[1] != '[')
		return 1;
	while (at < size && at < COLOR_MAX && (isdigit((unsigned char)text[at]) || text[at] == ';'))
		at++;
	if (at >= size)
		return 0;
	*ret_plain = text[at] == 'm';
	return *ret_plain ? at + 1 : 1;
}

/* How many bytes belong together, 0 if more must be seen to tell, and may they go out as they are.
 */
static size_t next_piece(const char *text, size_t size, bool *ret_plain)
{
	unsigned char c = (unsigned char)text[0], next = size > 1 ? (unsigned char)text[1] : 0;

	*ret_plain = (c >= ' ' && c != 0x7f) || c == '\n' || c == '\t';
	if (c == ESCAPE)
		return color_size(text, size, ret_plain);
	if (c != 0xc2) /* what begins U+0080 to U+009f, which are control characters too */
		return 1;
	if (size == 1)
		return 0;
	*ret_plain = next < 0x80 || next > 0x9f;
	return *ret_plain ? 1 : 2;
}

static void add_piece(struct str *out, const char *text, size_t size, bool plain)
{
	if (plain)
		str_add_bytes(out, text, size);
	for (size_t i = 0; !plain && i < size; i++)
		str_addf(out, "\\x%02x", (unsigned char)text[i]);
}

/* Colors too are none of its own. */
static void add_foreign(struct str *out, const char *text, size_t size, bool keeps_lines)
{
	size_t piece;

	for (size_t at = 0; at < size; at += piece) {
		bool plain;

		piece = next_piece(text + at, size - at, &plain);
		if (text[at] == ESCAPE || piece == 0) { /* or it ends amid a character */
			piece = 1;
			plain = false;
		}
		add_piece(out, text + at, piece, plain && (keeps_lines || text[at] != '\n'));
	}
}

void terminal_add_name(struct str *out, const char *name)
{
	add_foreign(out, name, strlen(name), false);
}

bool terminal_write(FILE *file, const struct str *text)
{
	_cleanup_(str_done) struct str safe = { 0 };

	if (isatty(fileno(file))) {
		add_foreign(&safe, str_text(text), text->size, true);
		text = &safe;
	}
	return fwrite(str_text(text), 1, text->size, file) == text->size;
}

static bool put(const struct str *out)
{
	for (size_t at = 0; at < out->size;) {
		ssize_t written = write(STDOUT_FILENO, out->text + at, out->size - at);

		if (written < 0 && errno != EINTR)
			return false;
		at += written > 0 ? (size_t)written : 0;
	}
	return true;
}

static ssize_t write_safely(void *cookie, const char *bytes, size_t size)
{
	struct terminal *terminal = cookie;
	struct str *held = &terminal->held;
	_cleanup_(str_done) struct str out = { 0 }, rest = { 0 };
	size_t at = 0, piece = 1;
	bool plain;

	str_add_bytes(held, bytes, size);
	while (at < held->size) {
		piece = next_piece(held->text + at, held->size - at, &plain);
		if (piece == 0)
			break;
		add_piece(&out, held->text + at, piece, plain);
		at += piece;
	}
	str_add_bytes(&rest, held->text + at, held->size - at);
	str_clear(held);
	str_add_bytes(held, str_text(&rest), rest.size);
	return put(&out) ? (ssize_t)size : 0;
}

static int close_terminal(void *cookie)
{
	struct terminal *terminal = cookie;
	_cleanup_(str_done) struct str out = { 0 };

	add_piece(&out, str_text(&terminal->held), terminal->held.size, false);
	bool done = put(&out);

	str_done(&terminal->held);
	free(terminal);
	return done && close(STDOUT_FILENO) == 0 ? 0 : EOF;
}

void terminal_guard(void)
{
	const cookie_io_functions_t functions = { .write = write_safely, .close = close_terminal };
	struct terminal *terminal;
	FILE *guarded;

	if (!isatty(STDOUT_FILENO))
		return;
	terminal = xnew(struct terminal);
	guarded = fopencookie(terminal, "w", functions);
	if (!guarded) {
		free(terminal);
		return;
	}
	(void)setvbuf(guarded, NULL, _IOLBF, 0);
	stdout = guarded;
}

bool terminal_size(size_t *ret_rows, size_t *ret_columns)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0)
		return false;
	*ret_rows = size.ws_row;
	*ret_columns = size.ws_col;
	return true;
}

void terminal_clear(void)
{
	static const char clear[] = "\033[H\033[2J";
	struct str text = { .text = (char *)(uintptr_t)clear, .size = sizeof(clear) - 1 };

	(void)fflush(stdout);
	(void)put(&text);
}

/* How it was; the one thing of the process's that is not the process's own. */
static struct termios before;

bool terminal_keys_begin(void)
{
	struct termios keys;

	/* In the background it would stop us. */
	if (tcgetattr(STDIN_FILENO, &before) < 0 || tcgetpgrp(STDIN_FILENO) != getpgrp())
		return false;
	keys = before;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	return tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
}

void terminal_keys_end(void)
{
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
}
