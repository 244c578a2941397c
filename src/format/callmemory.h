/*
 * callmemory.h - bytes of a program's memory as values, by their types: what callvalues.c is made
 * of.
 */
#pragma once

#include "format/callvalues.h"

/* Bytes that were copied; @total: how many there would have been. */
struct callmemory {
	const uint8_t *bytes;
	size_t size, total;
};

/* A number of the type, as an argument or a member holds it. */
void callmemory_number(struct callvalues *values, const struct calltype *type, const char *name,
		       enum callabi abi, uint64_t number);
/* A number as it lies there: little or no bytes are 0. */
uint64_t callmemory_read(const struct callmemory *memory, size_t at, size_t size);

/* The same with the sign that it has in @size bytes. */
uint64_t callmemory_signed(uint64_t number, size_t size);

/* Bytes as a text; of a string, up to its NUL. */
void callmemory_text(struct callvalues *values, const char *name, const struct callmemory *memory,
		     bool is_string);
/* A list of the bits that are set, by their numbers; those of signals count from 1 and have names.
 */
void callmemory_bits(struct callvalues *values, const char *name, const struct callmemory *memory,
		     bool are_signals);

/* What an argument points at. False: of what was copied, nothing can be said. */
bool callmemory_add(struct callvalues *values, const struct calltype *type, const char *name,
		    const struct callcase *call, unsigned arg, const struct callitems *items,
		    const struct callmemory *memory);

/* An array: those that were copied whole; of one alone too: "[5]". False: there is none. */
bool callmemory_list(struct callvalues *values, const struct calltype *type, const char *name,
		     enum callabi abi, const struct callmemory *memory);

/* callstruct.c: the members that were copied whole. */
void callstruct_add(struct callvalues *values, const struct calltype *type, const char *name,
		    enum callabi abi, const struct callmemory *memory);

/* callsockopt.c: the value of a socket option. */
void callsockopt_add(struct callvalues *values, const char *name, const struct callcase *call,
		     const struct callmemory *memory);

/* callsockaddr.c */
void callsockaddr_add(struct callvalues *values, const char *name, const struct callmemory *memory);
