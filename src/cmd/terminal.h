/*
 * terminal.h - what a recording says must not move the reader's terminal.
 *
 * Names in recordings are any bytes: a thread may call itself "\033[2J". Where standard output is a
 * terminal, control characters go there as "\x1b", but for newlines, tabs and colors; to files and
 * pipes go the bytes as they are.
 */
#pragma once

/* Before anything is printed. Ends with fclose(stdout). */
void terminal_guard(void);
