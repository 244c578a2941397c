/*
 * callfcntl.h - what fcntl(2) takes and returns, which its command tells.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/callcopy.h"

struct calllayout;
struct callvalues;

/* A struct that some commands have their argument point at. */
struct callfcntl_struct {
	const struct calllayout *layout;
	uint64_t commands, writers; /* bits by their numbers; those that the kernel writes it for */
};

/* One by one; NULL past the end. */
const struct callfcntl_struct *callfcntl_struct(size_t i);
/* What the argument of a command points at; NULL: nothing. */
const struct calllayout *callfcntl_layout(uint64_t command);

/* Adds the argument, if the command takes one. */
void callfcntl_arg(struct callvalues *values, const char *name, enum callabi abi, uint64_t command,
		   uint64_t number);
/* Adds what the command returned. */
void callfcntl_result(struct callvalues *values, enum callabi abi, uint64_t command,
		      uint64_t number);
