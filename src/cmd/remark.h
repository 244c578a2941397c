/*
 * remark.h - what is said on standard error beside the results: one sentence, with the program's
 * and the command's name before it, and perhaps what helps below it. Errors are said by it too.
 */
#pragma once

/* Until the next call, remarks are by this command; NULL: by the program as a whole. */
void remark_by(const char *command);

/* Lower case, no full stop, no newline. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Of a text of lines each; what is indented is advice, and stands as it is. */
void remark_lines(const char *text);
/* The place in what was typed, below its remark; as struct strobe_err has it. */
void remark_where(const char *lines);
/* What helps, below its remark. */
void remark_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
