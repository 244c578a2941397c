/* data-flow.h - follows pointers through the instructions of a function: for data-accesses.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cfi;
struct data_access;
struct data_types;
struct insn_moves_reader;
struct variables;
struct variables_function;

/* The code of a function, and what is known of it. */
struct data_flow_code {
	uint64_t begin; /* vaddr */
	const uint8_t *bytes;
	size_t size;
	struct insn_moves_reader *reader;
	struct data_types *types; /* these may be NULL */
	struct variables *variables;
	const struct variables_function *function;
	const struct cfi *cfi;
};

/* Of all instructions that read or write something, in the order of their addresses. */
typedef void data_flow_each(void *context, uint64_t vaddr, const struct data_access *access);
void data_flow_follow(const struct data_flow_code *code, data_flow_each *each, void *context);
