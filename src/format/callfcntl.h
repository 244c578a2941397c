/*
 * callfcntl.h - what fcntl(2) takes and returns, which its command tells.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/callcopy.h"

struct callvalues;

/* Adds the argument, if the command takes one. */
void callfcntl_arg(struct callvalues *values, const char *name, enum callabi abi, uint64_t command,
		   uint64_t number);
/* Adds what the command returned. */
void callfcntl_result(struct callvalues *values, enum callabi abi, uint64_t command,
		      uint64_t number);
