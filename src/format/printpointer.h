/*
 * printpointer.h - the kernel's conversions of what a pointer points to:
 *
 *   %pS %ps %pF %pf   a place in code       %pM %pMR %pMF %pm   a MAC address
 *   %pI4 %pi4 %pI6 %pi6 %pI6c %pIS...       an IP address       %pU...  a UUID
 *   %ph %phC %phD %phN                      bytes               %*pb[l] a mask
 *
 * and %p alone, a number.
 */
#pragma once

#include <stddef.h>

struct printexpr;
struct printvalue_record;
struct str;

/* How many letters at @letters, what follows "%p", say how; 0 of those that are text. */
size_t printpointer_letters(const char *letters);

/* @length: bytes (%ph) or bits (%pb) to print at most. */
void printpointer_add(const char *letters, const struct printexpr *expr, size_t length,
		      const struct printvalue_record *record, struct str *text);
