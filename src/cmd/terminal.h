/*
 * terminal.h - what a recording says must not move the reader's terminal.
 *
 * Names in recordings are any bytes: a thread may call itself "\033[2J". Where what is printed goes
 * to a terminal, control characters go there as "\x1b", but for newlines, tabs and, on standard
 * output, colors; to files and pipes go the bytes as they are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct str;

/* A name as part of a message: without control characters, and so in one line. */
void terminal_add_name(struct str *out, const char *name);

/* Standard output. Before anything is printed. Ends with fclose(stdout). */
void terminal_guard(void);

/* As fwrite(), of whole lines, to any other file, which may be a terminal. False: it failed. */
bool terminal_write(FILE *file, const struct str *text);

/* The size of the terminal that standard output is; false if it is none. */
bool terminal_size(size_t *ret_rows, size_t *ret_columns);
/* What is printed next stands at the top of an empty terminal. */
void terminal_clear(void);

/* Standard input gives keys one by one, unseen, until terminal_keys_end(). False: it is no terminal
 * of ours. */
bool terminal_keys_begin(void);
void terminal_keys_end(void);
