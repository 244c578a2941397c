/*
 * debug-package.h - which package has the debug information of a file: by what the package manager
 * wrote down, without running it.
 */
#pragma once

struct str;

/* Adds its name, "xz-utils-dbgsym"; nothing if no package has the file, or packages are not dpkg's.
 * Reads the lists of all packages. */
void debug_package_add(struct str *out, const char *path);
