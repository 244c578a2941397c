/* keys-memory.c - sort keys of --mem-mode: what a load or store touched, and what it met on its
 * way. */
#include "analyze/keys-spot.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "format/data-src.h"
#include "model/timeline.h"

enum { ADDR_WIDTH = 18, LEVEL_WIDTH = 4, CACHE_LINE = 64 };

static const struct spot *spot_of(const struct item *item)
{
	return &item->memory->spot;
}

/* Addresses, not symbols, are what it is about: two of one symbol are two entries. */
static int daddr_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_addr(spot_of(left)->place.addr, spot_of(right)->place.addr);
}
static uint64_t daddr_hash(const struct item *item, keys_style *how)
{
	return spot_of(item)->place.addr;
}
static void daddr_print(const struct item *item, struct str *out, keys_style *how)
{
	keys_spot_print(spot_of(item), out, how);
}
/* perf leaves room for an offset. */
static size_t name_width(const struct spot *spot)
{
	const struct function *function = spot->place.function;

	return LEVEL_WIDTH + ADDR_WIDTH + (function ? strlen(function->name) : 0);
}
static size_t daddr_width(const struct item *item, keys_style *how)
{
	return name_width(spot_of(item));
}

static int iaddr_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_addr(left->spot.place.addr, right->spot.place.addr);
}
static uint64_t iaddr_hash(const struct item *item, keys_style *how)
{
	return item->spot.place.addr;
}
static void iaddr_print(const struct item *item, struct str *out, keys_style *how)
{
	struct spot spot = item->spot;

	spot.shown_addr = spot.place.addr;
	keys_spot_print(&spot, out, how);
}
static size_t iaddr_width(const struct item *item, keys_style *how)
{
	return name_width(&item->spot);
}

static int dso_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return -keys_spot_compare_dso(spot_of(left), spot_of(right), how);
}
static uint64_t dso_hash(const struct item *item, keys_style *how)
{
	return keys_spot_hash_dso(spot_of(item), how);
}
static void dso_print(const struct item *item, struct str *out, keys_style *how)
{
	keys_spot_print_dso(spot_of(item), out, how);
}
static size_t dso_width(const struct item *item, keys_style *how)
{
	return keys_spot_width_dso(spot_of(item), how);
}

/* A cache line is known by the file that it is of; memory without one, by its process. */
static uint64_t line_of(const struct item *item)
{
	const struct place *place = &spot_of(item)->place;

	return (place->map ? place->object_addr : place->addr) & ~(uint64_t)(CACHE_LINE - 1);
}
static int compare_maps(const struct map *left, const struct map *right)
{
	int r = keys_compare_u64(left->maj, right->maj);

	if (r == 0)
		r = keys_compare_u64(left->min, right->min);
	if (r == 0)
		r = keys_compare_u64(left->ino, right->ino);
	return r ? r : keys_compare_u64(left->ino_generation, right->ino_generation);
}
static int dcacheline_compare(const struct item *left, const struct item *right, keys_style *how)
{
	const struct map *a = spot_of(left)->place.map, *b = spot_of(right)->place.map;
	int r = (int)right->memory->user - (int)left->memory->user;

	if (r == 0)
		r = a && b ? compare_maps(a, b) : keys_compare_missing(a, b);
	if (r == 0 && left->memory->user && a && a->dso->kind == DSO_ANON)
		r = keys_compare_u64(left->pid, right->pid);
	return r ? r : keys_compare_addr(line_of(left), line_of(right));
}
static uint64_t dcacheline_hash(const struct item *item, keys_style *how)
{
	return hash_u64(line_of(item));
}
static void dcacheline_print(const struct item *item, struct str *out, keys_style *how)
{
	const struct function *function = spot_of(item)->place.function;

	str_addf(out, "[%c] ", spot_of(item)->place.map ? item->spot.level : 'X');
	if (!function)
		str_addf(out, "%#.16" PRIx64, line_of(item));
	else if (function->is_object)
		str_addf(out, "%s+0x%" PRIx64, function->name, line_of(item) - function->start);
	else
		str_add(out, function->name);
}
static size_t dcacheline_width(const struct item *item, keys_style *how)
{
	const struct function *function = spot_of(item)->place.function;

	return name_width(spot_of(item)) + (function ? 1 : 0);
}

static int phys_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_addr(left->memory->phys_addr, right->memory->phys_addr);
}
static uint64_t phys_hash(const struct item *item, keys_style *how)
{
	return item->memory->phys_addr;
}
static void phys_print(const struct item *item, struct str *out, keys_style *how)
{
	str_addf(out, "[%c] %#.16" PRIx64, item->spot.level, item->memory->phys_addr);
}

static int page_compare(const struct item *left, const struct item *right, keys_style *how)
{
	return keys_compare_u64(left->memory->page_size, right->memory->page_size);
}
static uint64_t page_hash(const struct item *item, keys_style *how)
{
	return item->memory->page_size;
}
static void page_print(const struct item *item, struct str *out, keys_style *how)
{
	keys_print_page_size(item->memory->page_size, out);
}

/* A part of the data source. As in perf, columns are of one width, and what is wider runs over. */
#define SOURCE_KEY(name, add, columns)                                                             \
	static int name##_compare(const struct item *left, const struct item *right,               \
				  keys_style *how)                                                 \
	{                                                                                          \
		return keys_compare_u64(name##_of(left->memory->data_src),                         \
					name##_of(right->memory->data_src));                       \
	}                                                                                          \
	static uint64_t name##_hash(const struct item *item, keys_style *how)                      \
	{                                                                                          \
		return name##_of(item->memory->data_src);                                          \
	}                                                                                          \
	static void name##_print(const struct item *item, struct str *out, keys_style *how)        \
	{                                                                                          \
		add(out, item->memory->data_src);                                                  \
	}                                                                                          \
	static size_t name##_width(const struct item *item, keys_style *how)                       \
	{                                                                                          \
		return columns;                                                                    \
	}

static uint64_t whole_of(uint64_t data_src)
{
	return data_src;
}
static union perf_mem_data_src fields_of(uint64_t data_src)
{
	return (union perf_mem_data_src){ .val = data_src };
}
/* By the older bits first, which is all that perf looks at. */
static uint64_t mem_of(uint64_t data_src)
{
	union perf_mem_data_src fields = fields_of(data_src);

	return (uint64_t)fields.mem_lvl << 16 | (uint64_t)fields.mem_hops << 8 |
	       (uint64_t)fields.mem_remote << 4 | (uint64_t)fields.mem_lvl_num;
}
static uint64_t snoop_of(uint64_t data_src)
{
	return (uint64_t)fields_of(data_src).mem_snoop << 2 |
	       (uint64_t)fields_of(data_src).mem_snoopx;
}
static uint64_t tlb_of(uint64_t data_src)
{
	return fields_of(data_src).mem_dtlb;
}
static uint64_t locked_of(uint64_t data_src)
{
	return fields_of(data_src).mem_lock;
}
static uint64_t blocked_of(uint64_t data_src)
{
	return fields_of(data_src).mem_blk;
}

static void add_nothing(struct str *out, uint64_t data_src)
{
}

SOURCE_KEY(whole, add_nothing, 0)
SOURCE_KEY(mem, data_src_add_level, 39)
SOURCE_KEY(snoop, data_src_add_snoop, 12)
SOURCE_KEY(tlb, data_src_add_tlb, 22)
SOURCE_KEY(locked, data_src_add_lock, 6)
SOURCE_KEY(blocked, data_src_add_blocked, 10)

const struct sortkey keys_memory_data_src = {
	"data_src", NULL, "", SORTKEY_COUNT, KEYS_FUNCTIONS(whole), .of_memory = true,
};

const struct sortkey keys_memory[] = {
	{ "symbol_daddr", NULL, "Data Symbol", SORTKEY_SYMBOL_DADDR, KEYS_FUNCTIONS(daddr),
	  .of_memory = true, .open = true },
	{ "symbol_iaddr", NULL, "Code Symbol", SORTKEY_SYMBOL_IADDR, KEYS_FUNCTIONS(iaddr),
	  .of_spot = true, .of_memory = true, .open = true },
	{ "dso_daddr", NULL, "Data Object", SORTKEY_DSO_DADDR, KEYS_FUNCTIONS(dso),
	  .of_memory = true },
	{ "dcacheline", NULL, "Data Cacheline", SORTKEY_DCACHELINE, KEYS_FUNCTIONS(dcacheline),
	  .of_memory = true, .open = true },
	{ "phys_daddr", NULL, "Data Physical Address ", SORTKEY_PHYS_DADDR, KEYS_TITLED(phys),
	  .of_memory = true },
	{ "data_page_size", NULL, "Data Page Size        ", SORTKEY_DATA_PAGE_SIZE,
	  KEYS_TITLED(page), .of_memory = true },
	{ "mem", NULL, "Memory access", SORTKEY_MEM, KEYS_FUNCTIONS(mem), .of_memory = true,
	  .uncut = true },
	{ "snoop", NULL, "Snoop", SORTKEY_SNOOP, KEYS_FUNCTIONS(snoop), .of_memory = true,
	  .uncut = true },
	{ "tlb", NULL, "TLB access", SORTKEY_TLB, KEYS_FUNCTIONS(tlb), .of_memory = true,
	  .uncut = true },
	{ "locked", NULL, "Locked", SORTKEY_LOCKED, KEYS_FUNCTIONS(locked), .of_memory = true,
	  .open = true, .uncut = true },
	{ "blocked", NULL, "Blocked", SORTKEY_BLOCKED, KEYS_FUNCTIONS(blocked), .of_memory = true,
	  .open = true, .uncut = true },
	{ NULL },
};
