/* keys-code.c - sort keys that say what code ran. */
#include "analyze/keys.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/ipc.h"
#include "analyze/keys-spot.h"
#include "analyze/sources.h"
#include "base/str.h"
#include "model/timeline.h"

enum { ADDR_WIDTH = 18 }; /* 0x0123456789abcdef */

KEYS_SPOT_FUNCTIONS(, spot, shown_addr, +)

static int symbol_order(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_spot_order(&left->spot, &right->spot);
}

/*
 * What has no name comes last, by address. The sign of a difference is the order of signed numbers
 * as long as no two are further apart than half of all addresses; beyond that it is no order.
 */
static uint64_t symbol_number(const struct item *item, keys_style *how)
{
	const uint64_t nameless = UINT64_C(1) << 63;
	const struct function *function = item->spot.place.function;
	uint64_t addr = function ? function->start : item->spot.shown_addr;

	if (!how->dso_is_a_key) /* then names of objects come first */
		return 0;
	return (function ? 0 : nameless) | (addr ^ nameless) >> 1;
}

/* The first letters of the name. */
static uint64_t symbol_order_number(const struct item *item, keys_style *how)
{
	const struct function *function = item->spot.place.function;
	const char *name = function ? function->name : NULL;
	uint64_t number = 0;

	if (!name)
		return SORTKEY_LAST;
	for (size_t i = 0; i < sizeof(number); i++) {
		number = number << 8 | (unsigned char)*name;
		name += *name != '\0';
	}
	return number;
}

static int parent_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_text(left->parent ? left->parent->name : NULL,
				 right->parent ? right->parent->name : NULL);
}

static uint64_t parent_hash(const struct item *item, keys_style *how)
{
	return keys_hash_text(item->parent ? item->parent->name : NULL);
}

static void parent_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, item->parent ? item->parent->name : "[other]");
}

static size_t parent_width(const struct item *item, keys_style *how)
{
	return item->parent ? strlen(item->parent->name) : 7;
}

static int addr_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_addr(left->spot.place.addr, right->spot.place.addr);
}

static uint64_t addr_hash(const struct item *item, keys_style *how)
{
	return item->spot.place.addr;
}

static void addr_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "%#" PRIx64, item->spot.place.addr);
}

static size_t addr_width(const struct item *item, keys_style *how)
{
	return ADDR_WIDTH;
}

static uint64_t symbol_size(const struct item *item)
{
	const struct function *function = item->spot.place.function;

	return function ? function->end - function->start : 0;
}

static int symbol_size_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(symbol_size(left), symbol_size(right));
}

static uint64_t symbol_size_hash(const struct item *item, keys_style *how)
{
	return symbol_size(item);
}

static void symbol_size_print(const struct item *item, struct str *out, keys_style *how)
{
	if (item->spot.place.function)
		str_addf(out, "%" PRIu64, symbol_size(item));
	else
		str_add(out, "unknown");
}

static uint64_t dso_size(const struct item *item)
{
	const struct map *map = item->spot.place.map;

	return map ? map->end - map->start : 0;
}

static int dso_size_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(dso_size(left), dso_size(right));
}

static uint64_t dso_size_hash(const struct item *item, keys_style *how)
{
	return dso_size(item);
}

static void dso_size_print(const struct item *item, struct str *out, keys_style *how)
{
	if (item->spot.place.map)
		str_addf(out, "%" PRIu64, dso_size(item));
	else
		str_add(out, "unknown");
}

/* The instructions per cycle of a symbol, where nothing counts them. */
static void ipc_lbr_print(const struct item *item, struct str *out, keys_style *how)
{
	const struct ipc *ipc = how->ipc ? ipc_find(how->ipc, item->spot.place.function) : NULL;

	if (ipc)
		str_addf(out, "%-5.2f [%5.1f%%]", ipc->per_cycle, ipc->coverage);
	else
		str_add_char(out, '-');
}

static void ipc_null_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, "-      -");
}

static int srcline_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_text(left->spot.source->line, right->spot.source->line);
}
static uint64_t srcline_hash(const struct item *item, keys_style *how)
{
	return keys_hash_text(item->spot.source->line);
}
static void srcline_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, item->spot.source->line);
}
static size_t srcline_width(const struct item *item, keys_style *how)
{
	return strlen(item->spot.source->line);
}

static int srcfile_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_text(left->spot.source->file, right->spot.source->file);
}
static uint64_t srcfile_hash(const struct item *item, keys_style *how)
{
	return keys_hash_text(item->spot.source->file);
}
static void srcfile_print(const struct item *item, struct str *out, keys_style *how)
{
	str_add(out, item->spot.source->file);
}
static size_t srcfile_width(const struct item *item, keys_style *how)
{
	return strlen(item->spot.source->file);
}

/* The highest first, of the addresses that are shown where there is no name. */
static int symoff_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_addr(right->spot.shown_addr, left->spot.shown_addr);
}
static uint64_t symoff_hash(const struct item *item, keys_style *how)
{
	return item->spot.shown_addr;
}
static void symoff_print(const struct item *item, struct str *out, keys_style *how)
{
	const struct spot *spot = &item->spot;
	const struct function *function = spot->place.function;

	str_addf(out, "[%c] ", spot->level);
	if (function)
		str_addf(out, "%s+0x%" PRIx64, function->name,
			 spot->place.object_addr - function->start);
	else
		str_addf(out, "%#.9" PRIx64, spot->shown_addr);
}
static size_t symoff_width(const struct item *item, keys_style *how)
{
	const struct function *function = item->spot.place.function;

	return function ? strlen(function->name) + 4 : 0;
}

const struct sortkey keys_code[] = {
	{ "dso", "shared_object", "Shared Object", SORTKEY_DSO, KEYS_FUNCTIONS(dso),
	  .of_spot = true },
	{ "symbol", "function", "Symbol", SORTKEY_SYMBOL, symbol_compare, symbol_order, symbol_hash,
	  symbol_print, symbol_width, .number = symbol_number, .order_number = symbol_order_number,
	  .of_spot = true, .open = true },
	{ "parent", NULL, "Parent symbol", SORTKEY_PARENT, KEYS_FUNCTIONS(parent) },
	{ "symbol_size", NULL, "Symbol size", SORTKEY_SYMBOL_SIZE, KEYS_TITLED(symbol_size),
	  .of_spot = true, .right = true },
	{ "dso_size", NULL, "DSO size", SORTKEY_DSO_SIZE, KEYS_TITLED(dso_size), .of_spot = true,
	  .right = true },
	{ "ipc_null", NULL, "IPC   [IPC Coverage]", SORTKEY_IPC_NULL, symbol_compare, NULL,
	  symbol_hash, ipc_null_print, keys_width_of_title, .number = symbol_number,
	  .of_spot = true },
	{ "ipc_lbr", NULL, "IPC   [IPC Coverage]", SORTKEY_IPC_LBR, symbol_compare, NULL,
	  symbol_hash, ipc_lbr_print, keys_width_of_title, .number = symbol_number, .of_spot = true,
	  .of_branch = true },
	{ "srcline", NULL, "Source:Line", SORTKEY_SRCLINE, KEYS_FUNCTIONS(srcline), .of_spot = true,
	  .of_source = true, .open = true },
	{ "srcfile", NULL, "Source File", SORTKEY_SRCFILE, KEYS_FUNCTIONS(srcfile), .of_spot = true,
	  .of_source = true, .open = true },
	{ "symoff", NULL, "Symbol Offset", SORTKEY_SYMOFF, symoff_compare, NULL, symoff_hash,
	  symoff_print, symoff_width, .of_spot = true, .open = true, .uncut = true },
	{ "addr", NULL, "Address", SORTKEY_ADDR, KEYS_FUNCTIONS(addr), .of_spot = true },
	{ NULL },
};
