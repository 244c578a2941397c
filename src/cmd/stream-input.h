/*
 * stream-input.h - a recording that comes through a pipe, read as it comes.
 */
#pragma once

#include <stdbool.h>

#include "base/mem.h"

struct datafile;
struct stream;
struct stream_input;
struct strobe_err;

/*
 * @path: "-" is standard input. With @takes_signals they are blocked until stream_input_close().
 * no stream comes from it, but a file that has to be whole, *ret_input is NULL and *ret_file
 * what is to be read instead. Waits until the stream's events are told.
 */
int stream_input_open(const char *path, bool takes_signals, struct stream_input **ret_input,
		      struct datafile **ret_file, struct strobe_err *err);
void stream_input_close(struct stream_input *input);
CLEANUP(stream_input_close, struct stream_input)

struct stream *stream_input_stream(const struct stream_input *input);

/* What stream_input_next() came back for. */
enum {
	STREAM_INPUT_END,
	STREAM_INPUT_MORE,   /* records have come */
	STREAM_INPUT_QUIET,  /* nothing has come for a moment; told once */
	STREAM_INPUT_SILENT, /* nothing has come for a second; told once */
};

/* Waits. Signals that ask to end, if they are taken, are an end too, a second later at most. */
int stream_input_next(struct stream_input *input, struct strobe_err *err);
