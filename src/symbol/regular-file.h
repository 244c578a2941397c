/* regular-file.h - opening files whose names come from a recording, or from debug information. */
#pragma once

struct stat;

/*
 * A descriptor of the caller's for a regular file, and nothing else: such a name is just text,
 * which may lead to a pipe, a device or into the kernel, through links too. @more_flags: of
 * open(2). -EBADF: not regular, or a file of the kernel's (in /proc, /sys, a tracefs).
 */
int regular_file_open(const char *path, struct stat *ret_status, int more_flags);
/* The same of a name below an open folder. */
int regular_file_open_at(int folder, const char *name, struct stat *ret_status, int more_flags);
