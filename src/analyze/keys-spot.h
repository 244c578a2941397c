/*
 * keys-spot.h - a place in code as sort keys compare and print it: where a sample hit, where a
 * branch came from, what a load read.
 */
#pragma once

#include "analyze/keys.h"

/* Its object. */
int keys_spot_compare_dso(const struct spot *left, const struct spot *right, keys_style *how);
uint64_t keys_spot_hash_dso(const struct spot *spot, keys_style *how);
void keys_spot_print_dso(const struct spot *spot, struct str *out, keys_style *how);
size_t keys_spot_width_dso(const struct spot *spot, keys_style *how);

/* Its function; where neither has one, the addresses that are given. */
int keys_spot_compare(const struct spot *left, const struct spot *right, uint64_t left_addr,
		      uint64_t right_addr, keys_style *how);
uint64_t keys_spot_hash(const struct spot *spot, uint64_t addr, keys_style *how);
int keys_spot_order(const struct spot *left, const struct spot *right); /* of output: by name */
void keys_spot_print(const struct spot *spot, struct str *out, keys_style *how);
size_t keys_spot_width(const struct spot *spot, keys_style *how);

/*
 * The keys about a spot, once for each of: where the sample hit, a branch's two ends. perf lists
 * the objects of branches in falling order.
 */
#define KEYS_SPOT_FUNCTIONS(name, field, addr_field, sign)                                         \
	static int name##dso_compare(const struct item *left, const struct item *right,            \
				     keys_style *how)                                              \
	{                                                                                          \
		return sign keys_spot_compare_dso(&left->field, &right->field, how);               \
	}                                                                                          \
	static uint64_t name##dso_hash(const struct item *item, keys_style *how)                   \
	{                                                                                          \
		return keys_spot_hash_dso(&item->field, how);                                      \
	}                                                                                          \
	static void name##dso_print(const struct item *item, struct str *out, keys_style *how)     \
	{                                                                                          \
		keys_spot_print_dso(&item->field, out, how);                                       \
	}                                                                                          \
	static size_t name##dso_width(const struct item *item, keys_style *how)                    \
	{                                                                                          \
		return keys_spot_width_dso(&item->field, how);                                     \
	}                                                                                          \
	static int name##symbol_compare(const struct item *left, const struct item *right,         \
					keys_style *how)                                           \
	{                                                                                          \
		return keys_spot_compare(&left->field, &right->field, left->field.addr_field,      \
					 right->field.addr_field, how);                            \
	}                                                                                          \
	static uint64_t name##symbol_hash(const struct item *item, keys_style *how)                \
	{                                                                                          \
		return keys_spot_hash(&item->field, item->field.addr_field, how);                  \
	}                                                                                          \
	static void name##symbol_print(const struct item *item, struct str *out, keys_style *how)  \
	{                                                                                          \
		keys_spot_print(&item->field, out, how);                                           \
	}                                                                                          \
	static size_t name##symbol_width(const struct item *item, keys_style *how)                 \
	{                                                                                          \
		return keys_spot_width(&item->field, how);                                         \
	}
