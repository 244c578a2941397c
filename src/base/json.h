/*
 * json.h - JSON, written piece by piece to a text.
 *
 *	struct json json = { .out = &line };
 *
 *	json_begin(&json, NULL);                   {
 *	json_text(&json, "comm", "x\xff");         "comm":"x\ufffd","comm_hex":"78ff"
 *	json_begin_list(&json, "cpus");            ,"cpus":[
 *	json_u64(&json, NULL, 7);                  7
 *	json_end_list(&json);                      ]
 *	json_end(&json);                           }
 *
 * Names are NULL in a list and outside of everything. What comes out is ASCII or whole UTF-8 on one
 * line: what is not UTF-8 in a text becomes U+FFFD, and then the exact bytes follow in hex, under
 * the name with "_hex" behind it. 64-bit integers are exact.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

struct json {
	struct str *out; /* borrowed */
	bool follows;    /* something stands before in this object or list */
};

void json_begin(struct json *json, const char *name);
void json_end(struct json *json);
void json_begin_list(struct json *json, const char *name);
void json_end_list(struct json *json);

/* NULL is null. In a list there is no name for the exact bytes: see json_texts(). */
void json_text(struct json *json, const char *name, const char *text);
/* The same of bytes that may hold NULs. */
void json_bytes(struct json *json, const char *name, const void *bytes, size_t size);
/* A list of texts; where one of them is not UTF-8, a list of all in hex follows. */
void json_texts(struct json *json, const char *name, const char *const *texts, size_t count);
/* "78ff": bytes that are no text; null if there are none. */
void json_hex(struct json *json, const char *name, const void *bytes, size_t size);

void json_u64(struct json *json, const char *name, uint64_t value);
void json_i64(struct json *json, const char *name, int64_t value);
/* "0x401132": addresses and sets of bits are texts, since many readers make doubles of numbers. */
void json_addr(struct json *json, const char *name, uint64_t value);
/* As many digits as tell it from all others; null if it is not finite. */
void json_double(struct json *json, const char *name, double value);
void json_bool(struct json *json, const char *name, bool value);
void json_null(struct json *json, const char *name);
