/*
 * named-file.h - what lies at the name of an object, for where no process that has it mapped lives
 * any more.
 */
#pragma once

struct dso;

/*
 * A descriptor of the caller's, or -1: the file is gone, is no regular one, or another. With a
 * build-id it may still be another: who reads it compares.
 */
int named_file_open(const struct dso *dso);
