/* sortkey.c - see sortkey.h. */
#include "analyze/sortkey.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "model/timeline.h"

enum { ADDR_WIDTH = 16, LEVEL_WIDTH = 4 }; /* 0123456789abcdef and "[k] " */

typedef const struct sortkey_style style;

static int compare_u64(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* perf takes the sign of the difference: the kernel's addresses come before small ones. */
static int compare_addr(uint64_t left, uint64_t right)
{
	int64_t difference = (int64_t)(left - right);

	return (difference > 0) - (difference < 0);
}

/* Things that are not there come last. */
static int compare_missing(const void *left, const void *right)
{
	return (left == NULL) - (right == NULL);
}

static int compare_text(const char *left, const char *right)
{
	if (!left || !right)
		return compare_missing(left, right);
	return left == right ? 0 : strcmp(left, right);
}

static uint64_t hash_text(const char *text)
{
	return text ? hash_bytes(text, strlen(text)) : 0;
}

static const struct dso *dso_of(const struct spot *spot)
{
	return spot->place.map ? spot->place.map->dso : NULL;
}

static const char *dso_name(const struct spot *spot, style *how)
{
	const struct dso *dso = dso_of(spot);

	if (!dso)
		return NULL;
	return how->long_names ? dso->name : dso->short_name;
}

static int comm_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_text(left->comm, right->comm);
}
static uint64_t comm_hash(const struct item *item, style *how)
{
	return hash_text(item->comm);
}
static void comm_print(const struct item *item, struct str *out, style *how)
{
	str_add(out, item->comm);
}
/* The next piece of a name without its digits: a character, or "<N>" for a run of digits. */
static const char *next_piece(const char **name, size_t *ret_size)
{
	const char *piece = *name;
	size_t digits = strspn(piece, "0123456789");

	*name += digits ? digits : (*piece != '\0');
	*ret_size = digits ? 3 : (*piece != '\0');
	return digits ? "<N>" : piece;
}

static int comm_nodigit_compare(const struct item *left, const struct item *right, style *how)
{
	const char *a = left->comm, *b = right->comm;
	size_t size = 1, other;
	int r = 0;

	while (a != b && r == 0 && size > 0) {
		const char *x = next_piece(&a, &size), *y = next_piece(&b, &other);

		r = size == 0 || other == 0 ? (size > 0) - (other > 0)
					    : strncmp(x, y, size < other ? size : other);
		if (r == 0 && size != other)
			r = size < other ? -1 : 1;
	}
	return r;
}
static uint64_t comm_nodigit_hash(const struct item *item, style *how)
{
	const char *rest = item->comm;
	uint64_t hash = 0;
	size_t size;

	for (;;) {
		const char *piece = next_piece(&rest, &size);

		if (size == 0)
			return hash;
		hash = hash_u64(hash ^ hash_bytes(piece, size));
	}
}
static void comm_nodigit_print(const struct item *item, struct str *out, style *how)
{
	const char *rest = item->comm;
	size_t size;

	for (;;) {
		const char *piece = next_piece(&rest, &size);

		if (size == 0)
			return;
		str_add_bytes(out, piece, size);
	}
}
static size_t comm_nodigit_width(const struct item *item, style *how)
{
	const char *rest = item->comm;
	size_t width = 0, size;

	do {
		(void)next_piece(&rest, &size);
		width += size;
	} while (size > 0);
	return width;
}

/* As in perf, as wide as the last name of each thread, whatever it was called before. */
static size_t comm_width(const struct item *item, style *how)
{
	return strlen(item->thread_comm);
}

static int tid_compare(const struct item *left, const struct item *right, style *how)
{
	int r = compare_u64(left->tid, right->tid);

	return r ? r : compare_text(left->thread_comm, right->thread_comm);
}
static uint64_t tid_hash(const struct item *item, style *how)
{
	return item->tid;
}
static void tid_print(const struct item *item, struct str *out, style *how)
{
	str_addf(out, "%7" PRId32 ":%s", (int32_t)item->tid, item->thread_comm);
}
static size_t tid_width(const struct item *item, style *how)
{
	return comm_width(item, how) + 8;
}

static int tgid_compare(const struct item *left, const struct item *right, style *how)
{
	int r = compare_u64(left->pid, right->pid);

	return r ? r : compare_text(left->process_comm, right->process_comm);
}
static uint64_t tgid_hash(const struct item *item, style *how)
{
	return item->pid;
}
static void tgid_print(const struct item *item, struct str *out, style *how)
{
	str_addf(out, "%7" PRId32 ":%s", (int32_t)item->pid, item->process_comm);
}

static size_t tgid_width(const struct item *item, style *how)
{
	return 0; /* the title's */
}

static int cpu_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_u64(left->cpu, right->cpu);
}
static uint64_t cpu_hash(const struct item *item, style *how)
{
	return item->cpu;
}
static void cpu_print(const struct item *item, struct str *out, style *how)
{
	str_addf(out, "%.3" PRId32, (int32_t)item->cpu);
}
static size_t cpu_width(const struct item *item, style *how)
{
	return 3;
}

static int time_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_u64(left->time_ns, right->time_ns);
}
static uint64_t time_hash(const struct item *item, style *how)
{
	return item->time_ns;
}
static void time_print(const struct item *item, struct str *out, style *how)
{
	uint64_t fraction = item->time_ns % 1000000000;

	str_addf(out, "%" PRIu64 ".%0*" PRIu64, item->time_ns / 1000000000,
		 how->nanoseconds ? 9 : 6, how->nanoseconds ? fraction : fraction / 1000);
}
static size_t time_width(const struct item *item, style *how)
{
	return how->nanoseconds ? 16 : 12;
}

/* As in perf, that a file was deleted is a part of its name. */
static const char *dso_suffix(const struct spot *spot)
{
	return spot->place.map ? map_suffix(spot->place.map) : "";
}

static int spot_dso_compare(const struct spot *left, const struct spot *right, style *how)
{
	int r = compare_text(dso_name(left, how), dso_name(right, how));

	return r ? r : strcmp(dso_suffix(left), dso_suffix(right));
}
static uint64_t spot_dso_hash(const struct spot *spot, style *how)
{
	return hash_text(dso_name(spot, how));
}
static void spot_dso_print(const struct spot *spot, struct str *out, style *how)
{
	const char *name = dso_name(spot, how);

	str_add(out, name ? name : "[unknown]");
	str_add(out, dso_suffix(spot));
}
static size_t spot_dso_width(const struct spot *spot, style *how)
{
	const char *name = dso_name(spot, how);
	size_t width = name ? strlen(name) + strlen(dso_suffix(spot)) : 0;

	/* Where there is no name, perf makes room for an address here too. */
	return !spot->place.function && width < ADDR_WIDTH ? ADDR_WIDTH : width;
}

/* By file, whatever became of its code in memory. */
static int file_compare(const struct dso *left, const struct dso *right, style *how)
{
	int r = compare_text(how->long_names ? left->name : left->short_name,
			     how->long_names ? right->name : right->short_name);

	return r ? r : left->deleted - right->deleted;
}

static int function_compare(const struct function *left, const struct function *right)
{
	int r = compare_addr(left->start, right->start);

	return r ? r : compare_addr(left->end, right->end);
}

static int spot_compare(const struct spot *left, const struct spot *right, uint64_t left_addr,
			uint64_t right_addr, style *how)
{
	const struct function *a = left->place.function, *b = right->place.function;
	int r = 0;

	if (!a && !b)
		return compare_addr(left_addr, right_addr);
	if (!how->dso_is_a_key && dso_of(left) && dso_of(right))
		r = file_compare(dso_of(left), dso_of(right), how);
	if (r || a == b)
		return r;
	return a && b ? function_compare(a, b) : compare_missing(a, b);
}

static int spot_order(const struct spot *left, const struct spot *right)
{
	const struct function *a = left->place.function, *b = right->place.function;

	if (a == b)
		return 0;
	return a && b ? strcmp(a->name, b->name) : compare_missing(a, b);
}

static uint64_t spot_hash(const struct spot *spot, uint64_t addr, style *how)
{
	const struct function *function = spot->place.function;

	return function ? function->start * 31 + function->end : addr;
}

static void spot_print(const struct spot *spot, struct str *out, style *how)
{
	const struct function *function = spot->place.function;

	if (how->long_names)
		str_addf(out, "%-#*" PRIx64 " %c ", ADDR_WIDTH + 2, spot->place.addr,
			 spot->place.map ? '.' : '!');
	str_add_char(out, '[');
	str_add_char(out, spot->level);
	str_add(out, "] ");
	if (function) {
		str_add(out, function->name);
		/* As in perf, of data it is of interest which part. */
		if (function->is_object)
			str_addf(out, "+0x%" PRIx64, spot->place.object_addr - function->start);
		return;
	}
	if (spot->shown_addr != 0)
		str_add(out, "0x");
	str_add_hexadecimal(out, spot->shown_addr, ADDR_WIDTH, '0');
}

static size_t spot_width(const struct spot *spot, style *how)
{
	const struct function *function = spot->place.function;
	size_t width = LEVEL_WIDTH + (how->long_names && function ? ADDR_WIDTH + 2 + 3 : 0);

	return width + (function ? strlen(function->name) : ADDR_WIDTH + 2);
}

/*
 * The keys about a spot, once for each of: where the sample hit, a branch's two ends. perf lists
 * the objects of branches in falling order.
 */
#define SPOT_KEYS(name, field, addr_field, sign)                                                   \
	static int name##dso_compare(const struct item *left, const struct item *right,            \
				     style *how)                                                   \
	{                                                                                          \
		return sign spot_dso_compare(&left->field, &right->field, how);                    \
	}                                                                                          \
	static uint64_t name##dso_hash(const struct item *item, style *how)                        \
	{                                                                                          \
		return spot_dso_hash(&item->field, how);                                           \
	}                                                                                          \
	static void name##dso_print(const struct item *item, struct str *out, style *how)          \
	{                                                                                          \
		spot_dso_print(&item->field, out, how);                                            \
	}                                                                                          \
	static size_t name##dso_width(const struct item *item, style *how)                         \
	{                                                                                          \
		return spot_dso_width(&item->field, how);                                          \
	}                                                                                          \
	static int name##symbol_compare(const struct item *left, const struct item *right,         \
					style *how)                                                \
	{                                                                                          \
		return spot_compare(&left->field, &right->field, left->field.addr_field,           \
				    right->field.addr_field, how);                                 \
	}                                                                                          \
	static uint64_t name##symbol_hash(const struct item *item, style *how)                     \
	{                                                                                          \
		return spot_hash(&item->field, item->field.addr_field, how);                       \
	}                                                                                          \
	static void name##symbol_print(const struct item *item, struct str *out, style *how)       \
	{                                                                                          \
		spot_print(&item->field, out, how);                                                \
	}                                                                                          \
	static size_t name##symbol_width(const struct item *item, style *how)                      \
	{                                                                                          \
		return spot_width(&item->field, how);                                              \
	}

SPOT_KEYS(, spot, shown_addr, +)
SPOT_KEYS(from_, branch->from, place.addr, -)
SPOT_KEYS(to_, branch->to, place.addr, -)

static int symbol_order(const struct item *left, const struct item *right, style *how)
{
	return spot_order(&left->spot, &right->spot);
}

/*
 * What has no name comes last, by address. The sign of a difference is the order of signed numbers
 * as long as no two are further apart than half of all addresses; beyond that it is no order.
 */
static uint64_t symbol_number(const struct item *item, style *how)
{
	const uint64_t nameless = UINT64_C(1) << 63;
	const struct function *function = item->spot.place.function;
	uint64_t addr = function ? function->start : item->spot.shown_addr;

	if (!how->dso_is_a_key) /* then names of objects come first */
		return 0;
	return (function ? 0 : nameless) | (addr ^ nameless) >> 1;
}

/* The first letters of the name. */
static uint64_t symbol_order_number(const struct item *item, style *how)
{
	const struct function *function = item->spot.place.function;
	const char *name = function ? function->name : NULL;
	uint64_t number = 0;

	if (!name)
		return UINT64_MAX;
	for (size_t i = 0; i < sizeof(number); i++) {
		number = number << 8 | (unsigned char)*name;
		name += *name != '\0';
	}
	return number;
}

static int parent_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_text(left->parent ? left->parent->name : NULL,
			    right->parent ? right->parent->name : NULL);
}
static uint64_t parent_hash(const struct item *item, style *how)
{
	return hash_text(item->parent ? item->parent->name : NULL);
}
static void parent_print(const struct item *item, struct str *out, style *how)
{
	str_add(out, item->parent ? item->parent->name : "[other]");
}
static size_t parent_width(const struct item *item, style *how)
{
	return item->parent ? strlen(item->parent->name) : 7;
}

static int trace_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_text(left->trace, right->trace);
}
static uint64_t trace_hash(const struct item *item, style *how)
{
	return hash_text(item->trace);
}
static void trace_print(const struct item *item, struct str *out, style *how)
{
	str_add(out, item->trace ? item->trace : "N/A");
}
static size_t trace_width(const struct item *item, style *how)
{
	return item->trace ? strlen(item->trace) : 0;
}

static int cgroup_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_text(left->cgroup, right->cgroup);
}
static uint64_t cgroup_hash(const struct item *item, style *how)
{
	return hash_text(item->cgroup);
}
static void cgroup_print(const struct item *item, struct str *out, style *how)
{
	str_add(out, item->cgroup ? item->cgroup : "N/A");
}
static size_t cgroup_width(const struct item *item, style *how)
{
	return item->cgroup ? strlen(item->cgroup) : 0;
}

static int weight_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_u64(right->weight, left->weight);
}
static uint64_t weight_hash(const struct item *item, style *how)
{
	return item->weight;
}
static void weight_print(const struct item *item, struct str *out, style *how)
{
	str_addf(out, "%" PRIu64, item->weight);
}
static size_t weight_width(const struct item *item, style *how)
{
	return 12;
}

static int addr_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_addr(left->spot.place.addr, right->spot.place.addr);
}
static uint64_t addr_hash(const struct item *item, style *how)
{
	return item->spot.place.addr;
}
static void addr_print(const struct item *item, struct str *out, style *how)
{
	str_addf(out, "%#" PRIx64, item->spot.place.addr);
}
static size_t addr_width(const struct item *item, style *how)
{
	return ADDR_WIDTH + 2;
}

static uint64_t symbol_size(const struct item *item)
{
	const struct function *function = item->spot.place.function;

	return function ? function->end - function->start : 0;
}
static int symbol_size_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_u64(symbol_size(left), symbol_size(right));
}
static uint64_t symbol_size_hash(const struct item *item, style *how)
{
	return symbol_size(item);
}
static void symbol_size_print(const struct item *item, struct str *out, style *how)
{
	if (item->spot.place.function)
		str_addf(out, "%" PRIu64, symbol_size(item));
	else
		str_add(out, "unknown");
}
static size_t symbol_size_width(const struct item *item, style *how)
{
	return 0;
}

static uint64_t dso_size(const struct item *item)
{
	const struct map *map = item->spot.place.map;

	return map ? map->end - map->start : 0;
}
static int dso_size_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_u64(dso_size(left), dso_size(right));
}
static uint64_t dso_size_hash(const struct item *item, style *how)
{
	return dso_size(item);
}
static void dso_size_print(const struct item *item, struct str *out, style *how)
{
	if (item->spot.place.map)
		str_addf(out, "%" PRIu64, dso_size(item));
	else
		str_add(out, "unknown");
}
static size_t dso_size_width(const struct item *item, style *how)
{
	return 0;
}

/* The instructions per cycle of a symbol, where nothing counts them. */
static void ipc_null_print(const struct item *item, struct str *out, style *how)
{
	str_add(out, "-      -");
}
static size_t ipc_null_width(const struct item *item, style *how)
{
	return 0;
}

static int cycles_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_u64(right->branch->cycles, left->branch->cycles);
}
static uint64_t cycles_hash(const struct item *item, style *how)
{
	return item->branch->cycles;
}
static void cycles_print(const struct item *item, struct str *out, style *how)
{
	/* perf prints the 16 bits as a signed number. */
	if (item->branch->cycles)
		str_addf(out, "%d", (int16_t)item->branch->cycles);
	else
		str_add(out, "-");
}
static size_t cycles_width(const struct item *item, style *how)
{
	return 0;
}

enum { MISPREDICTED = 1, PREDICTED = 2 }; /* bits of sample_branch.flags */

static int mispredict_compare(const struct item *left, const struct item *right, style *how)
{
	return compare_u64(right->branch->flags & 3, left->branch->flags & 3);
}
static uint64_t mispredict_hash(const struct item *item, style *how)
{
	return item->branch->flags & 3;
}
static void mispredict_print(const struct item *item, struct str *out, style *how)
{
	const char *text = "N/A";

	if (item->branch->flags & PREDICTED)
		text = "N";
	else if (item->branch->flags & MISPREDICTED)
		text = "Y";
	str_add(out, text);
}
static size_t mispredict_width(const struct item *item, style *how)
{
	return 0;
}

#define FUNCTIONS(name) name##_compare, NULL, name##_hash, name##_print, name##_width

static const struct sortkey keys[] = {
	{ "comm", NULL, "Command", SORTKEY_COMM, FUNCTIONS(comm) },
	{ "pid", "thread", "    Pid:Command", SORTKEY_PID, FUNCTIONS(tid) },
	{ "tgid", "process", "   Tgid:Command", SORTKEY_TGID, FUNCTIONS(tgid) },
	{ "tid", NULL, "    Tid:Command", SORTKEY_TID, FUNCTIONS(tid) },
	{ "dso", "shared_object", "Shared Object", SORTKEY_DSO, FUNCTIONS(dso), .of_spot = true },
	{ "symbol", "function", "Symbol", SORTKEY_SYMBOL, symbol_compare, symbol_order, symbol_hash,
	  symbol_print, symbol_width, .number = symbol_number, .order_number = symbol_order_number,
	  .of_spot = true, .open = true },
	{ "parent", NULL, "Parent symbol", SORTKEY_PARENT, FUNCTIONS(parent) },
	{ "cpu", NULL, "CPU", SORTKEY_CPU, FUNCTIONS(cpu), .right = true },
	{ "time", NULL, "Time", SORTKEY_TIME, FUNCTIONS(time), .open = true },
	{ "trace", NULL, "Trace output", SORTKEY_TRACE, FUNCTIONS(trace), .open = true },
	{ "cgroup", NULL, "Cgroup", SORTKEY_CGROUP, FUNCTIONS(cgroup), .open = true },
	{ "weight", NULL, "Weight", SORTKEY_WEIGHT, FUNCTIONS(weight) },
	{ "local_weight", NULL, "Local Weight", SORTKEY_LOCAL_WEIGHT, FUNCTIONS(weight) },
	{ "symbol_size", NULL, "Symbol size", SORTKEY_SYMBOL_SIZE, FUNCTIONS(symbol_size),
	  .of_spot = true, .right = true },
	{ "dso_size", NULL, "DSO size", SORTKEY_DSO_SIZE, FUNCTIONS(dso_size), .of_spot = true,
	  .right = true },
	{ "comm_nodigit", NULL, "CommandNoDigit", SORTKEY_COMM_NODIGIT, FUNCTIONS(comm_nodigit) },
	{ "ipc_null", NULL, "IPC   [IPC Coverage]", SORTKEY_IPC_NULL, symbol_compare, NULL,
	  symbol_hash, ipc_null_print, ipc_null_width, .number = symbol_number, .of_spot = true },
	{ "addr", NULL, "Address", SORTKEY_ADDR, FUNCTIONS(addr) },
	{ "dso_from", NULL, "Source Shared Object", SORTKEY_DSO_FROM, FUNCTIONS(from_dso),
	  .of_branch = true },
	{ "dso_to", NULL, "Target Shared Object", SORTKEY_DSO_TO, FUNCTIONS(to_dso),
	  .of_branch = true },
	{ "symbol_from", NULL, "Source Symbol", SORTKEY_SYMBOL_FROM, FUNCTIONS(from_symbol),
	  .of_branch = true, .open = true },
	{ "symbol_to", NULL, "Target Symbol", SORTKEY_SYMBOL_TO, FUNCTIONS(to_symbol),
	  .of_branch = true, .open = true },
	{ "cycles", NULL, "Basic Block Cycles", SORTKEY_CYCLES, FUNCTIONS(cycles),
	  .of_branch = true },
	{ "mispredict", NULL, "Branch Mispredicted", SORTKEY_MISPREDICT, FUNCTIONS(mispredict),
	  .of_branch = true },
};

enum { KEY_COUNT = sizeof(keys) / sizeof(keys[0]) };

const struct sortkey *sortkey_at(size_t i)
{
	return i < KEY_COUNT ? &keys[i] : NULL;
}

static bool is(const char *name, const char *text, size_t size)
{
	return name && strlen(name) == size && memcmp(name, text, size) == 0;
}

const struct sortkey *sortkey_find(const char *name, size_t size)
{
	if (is("sym", name, size)) {
		name = "symbol";
		size = strlen(name);
	}
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (is(keys[i].name, name, size) || is(keys[i].alias, name, size))
			return &keys[i];
	}
	return NULL;
}
