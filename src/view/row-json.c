/* row-json.c - see row-json.h. */
#include "view/row-json.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "analyze/branch-counts.h"
#include "analyze/data-places.h"
#include "analyze/ipc.h"
#include "analyze/sortkey.h"
#include "analyze/sources.h"
#include "base/json.h"
#include "base/str.h"
#include "format/branch-flags.h"
#include "model/timeline.h"
#include "view/place-json.h"

/* A value, or what the key is made of: all have these parameters. */
#define KEY(function)                                                                              \
	static void function(struct json *json, const char *name, const struct item *item,         \
			     const struct sortkey_style *style)

/* A key that is one call: @write is of "json", "name" and "item". */
#define SIMPLE_KEY(function, write)                                                                \
	KEY(function)                                                                              \
	{                                                                                          \
		write;                                                                             \
	}

static void add_number_or_null(struct json *json, const char *name, bool known, uint64_t value)
{
	if (known)
		json_u64(json, name, value);
	else
		json_null(json, name);
}

/* The letter of item.h's spot as a word. */
static const char *mode_name(char level)
{
	switch (level) {
	case 'k':
		return "kernel";
	case '.':
		return "user";
	case 'g':
		return "guest_kernel";
	case 'u':
		return "guest_user";
	default:
		return "other";
	}
}

static void add_thread(struct json *json, const char *name, const char *id_name, uint32_t id,
		       const char *comm)
{
	json_begin(json, name);
	json_i64(json, id_name, (int32_t)id);
	json_text(json, "comm", comm);
	json_end(json);
}

static void add_dso(struct json *json, const char *name, const struct spot *spot,
		    const struct sortkey_style *style)
{
	const struct map *map = spot->place.map;
	const char *dso_name = NULL;

	if (map)
		dso_name = style->long_names ? map->dso->name : map->dso->short_name;
	place_json_dso(json, name, map, dso_name);
}

/* A function; where there is none, the address that the text shows. */
static void add_symbol(struct json *json, const char *name, const struct spot *spot,
		       const struct sortkey_style *style)
{
	const struct function *function = spot->place.function;

	json_begin(json, name);
	json_text(json, "name", function ? function->name : NULL);
	if (function && function->inlined)
		json_bool(json, "inlined", true);
	if (!function)
		json_addr(json, "addr", spot->shown_addr);
	place_json_reason(json, "reason", &spot->place, style->resolver);
	json_text(json, "mode", mode_name(spot->level));
	json_end(json);
}

/* An address, with the function that it is in. */
static void add_address(struct json *json, const char *name, const struct spot *spot, char level,
			const struct sortkey_style *style)
{
	const struct function *function = spot->place.function;

	json_begin(json, name);
	json_text(json, "name", function ? function->name : NULL);
	json_addr(json, "addr", spot->place.addr);
	if (function)
		json_u64(json, "offset", spot->place.object_addr - function->start);
	place_json_reason(json, "reason", &spot->place, style->resolver);
	json_text(json, "mode", mode_name(level));
	json_end(json);
}

SIMPLE_KEY(add_comm, json_text(json, name, item->comm))
SIMPLE_KEY(add_tid, add_thread(json, name, "tid", item->tid, item->thread_comm))
SIMPLE_KEY(add_tgid, add_thread(json, name, "pid", item->pid, item->process_comm))

SIMPLE_KEY(add_cpu, add_number_or_null(json, name, item->cpu != UINT32_MAX, item->cpu))
SIMPLE_KEY(add_socket,
	   add_number_or_null(json, name, item->socket >= 0, (uint64_t)(uint32_t)item->socket))
SIMPLE_KEY(add_parallelism, add_number_or_null(json, name, item->parallelism, item->parallelism))
SIMPLE_KEY(add_time, json_u64(json, name, item->time_ns))
SIMPLE_KEY(add_trace, json_text(json, name, item->trace))
SIMPLE_KEY(add_cgroup, json_text(json, name, item->cgroup))
KEY(add_cgroup_id)
{
	const struct namespace_id *id = &item->cgroup_namespace;

	if (id->dev == 0 && id->ino == 0) {
		json_null(json, name);
		return;
	}
	json_begin(json, name);
	json_u64(json, "dev", id->dev);
	json_u64(json, "inode", id->ino);
	json_end(json);
}

SIMPLE_KEY(add_local_weight, json_u64(json, name, item->weight))
SIMPLE_KEY(add_local_ins_lat, json_u64(json, name, item->weight_2))
SIMPLE_KEY(add_local_p_stage_cyc, json_u64(json, name, item->weight_3))
SIMPLE_KEY(add_weight, json_u64(json, name, item_sum(item, item->weight)))
SIMPLE_KEY(add_ins_lat, json_u64(json, name, item_sum(item, item->weight_2)))
SIMPLE_KEY(add_p_stage_cyc, json_u64(json, name, item_sum(item, item->weight_3)))
SIMPLE_KEY(add_code_page_size,
	   add_number_or_null(json, name, item->code_page_size, item->code_page_size))

SIMPLE_KEY(add_sampled_dso, add_dso(json, name, &item->spot, style))
SIMPLE_KEY(add_sampled_symbol, add_symbol(json, name, &item->spot, style))
/* A column that perf adds, and that nothing fills. */
SIMPLE_KEY(add_ipc, json_null(json, name))
KEY(add_ipc_lbr)
{
	const struct ipc *ipc = style->ipc ? ipc_find(style->ipc, item->spot.place.function) : NULL;

	if (!ipc) {
		json_null(json, name);
		return;
	}
	json_begin(json, name);
	json_double(json, "insns_per_cycle", ipc->per_cycle);
	json_double(json, "coverage_percent", ipc->coverage);
	json_end(json);
}

SIMPLE_KEY(add_parent, json_text(json, name, item->parent ? item->parent->name : NULL))
SIMPLE_KEY(add_addr, json_addr(json, name, item->spot.place.addr))
SIMPLE_KEY(add_srcline, json_text(json, name, item->spot.source->line))
SIMPLE_KEY(add_srcfile, json_text(json, name, item->spot.source->file))
SIMPLE_KEY(add_symoff, add_address(json, name, &item->spot, item->spot.level, style))

KEY(add_symbol_size)
{
	const struct function *function = item->spot.place.function;

	add_number_or_null(json, name, function, function ? function->end - function->start : 0);
}

KEY(add_dso_size)
{
	const struct map *map = item->spot.place.map;

	add_number_or_null(json, name, map, map ? map->end - map->start : 0);
}

SIMPLE_KEY(add_dso_from, add_dso(json, name, &item->branch->from, style))
SIMPLE_KEY(add_dso_to, add_dso(json, name, &item->branch->to, style))
SIMPLE_KEY(add_symbol_from, add_symbol(json, name, &item->branch->from, style))
SIMPLE_KEY(add_symbol_to, add_symbol(json, name, &item->branch->to, style))
/* As in the text, the mode is the sample's. */
SIMPLE_KEY(add_addr_from, add_address(json, name, &item->branch->from, item->spot.level, style))
SIMPLE_KEY(add_addr_to, add_address(json, name, &item->branch->to, item->spot.level, style))
SIMPLE_KEY(add_srcline_from, json_text(json, name, item->branch->from.source->line))
SIMPLE_KEY(add_srcline_to, json_text(json, name, item->branch->to.source->line))
SIMPLE_KEY(add_cycles, add_number_or_null(json, name, item->branch->cycles, item->branch->cycles))
SIMPLE_KEY(add_in_tx, json_bool(json, name, branch_flags_decode(item->branch->flags).in_tx))
SIMPLE_KEY(add_abort, json_bool(json, name, branch_flags_decode(item->branch->flags).abort))

KEY(add_mispredict)
{
	struct branch_flags flags = branch_flags_decode(item->branch->flags);

	if (flags.predicted || flags.mispredicted)
		json_bool(json, name, flags.mispredicted);
	else
		json_null(json, name);
}

KEY(add_branch_predicted)
{
	const struct branch_counts *counts = item->branch_counts;

	if (counts && counts->to > 0)
		json_double(json, name, branch_counts_predicted_percent(counts));
	else
		json_null(json, name);
}

SIMPLE_KEY(add_branch_abort,
	   add_number_or_null(json, name, item->branch_counts && item->branch_counts->to > 0,
			      item->branch_counts ? item->branch_counts->aborts : 0))
SIMPLE_KEY(add_branch_cycles,
	   add_number_or_null(json, name, item->branch_counts && item->branch_counts->from > 0,
			      item->branch_counts ? branch_counts_cycles(item->branch_counts) : 0))
SIMPLE_KEY(add_symbol_daddr,
	   add_address(json, name, &item->memory->spot, item->memory->spot.level, style))
SIMPLE_KEY(add_dso_daddr, add_dso(json, name, &item->memory->spot, style))
SIMPLE_KEY(add_phys_daddr, json_addr(json, name, item->memory->phys_addr))
SIMPLE_KEY(add_data_page_size,
	   add_number_or_null(json, name, item->memory->page_size, item->memory->page_size))

SIMPLE_KEY(add_type, json_text(json, name, item->spot.data->type))
KEY(add_type_offset)
{
	const struct data_place *data = item->spot.data;

	json_begin(json, name);
	json_text(json, "type", data->type);
	if (data->is_type) {
		json_u64(json, "offset", data->offset);
		json_text(json, "field", data->field[0] ? data->field : NULL);
	}
	json_end(json);
}
KEY(add_type_line)
{
	const struct data_place *data = item->spot.data;

	json_begin(json, name);
	json_text(json, "type", data->type);
	json_u64(json, "line", data_place_line(data));
	json_end(json);
}

typedef void row_json_add(struct json *json, const char *name, const struct item *item,
			  const struct sortkey_style *style);

/* The others are texts of their own kind: the JSON has the text. */
static row_json_add *const adders[SORTKEY_COUNT] = {
	[SORTKEY_COMM] = add_comm,
	[SORTKEY_PID] = add_tid, /* perf calls a thread's number so */
	[SORTKEY_TID] = add_tid,
	[SORTKEY_TGID] = add_tgid,
	[SORTKEY_CPU] = add_cpu,
	[SORTKEY_SOCKET] = add_socket,
	[SORTKEY_PARALLELISM] = add_parallelism,
	[SORTKEY_TIME] = add_time,
	[SORTKEY_TRACE] = add_trace,
	[SORTKEY_CGROUP] = add_cgroup,
	[SORTKEY_CGROUP_ID] = add_cgroup_id,
	[SORTKEY_WEIGHT] = add_weight,
	[SORTKEY_LOCAL_WEIGHT] = add_local_weight,
	[SORTKEY_INS_LAT] = add_ins_lat,
	[SORTKEY_LOCAL_INS_LAT] = add_local_ins_lat,
	[SORTKEY_P_STAGE_CYC] = add_p_stage_cyc,
	[SORTKEY_LOCAL_P_STAGE_CYC] = add_local_p_stage_cyc,
	[SORTKEY_CODE_PAGE_SIZE] = add_code_page_size,
	[SORTKEY_DSO] = add_sampled_dso,
	[SORTKEY_SYMBOL] = add_sampled_symbol,
	[SORTKEY_IPC_NULL] = add_ipc,
	[SORTKEY_IPC_LBR] = add_ipc_lbr,
	[SORTKEY_PARENT] = add_parent,
	[SORTKEY_ADDR] = add_addr,
	[SORTKEY_SRCLINE] = add_srcline,
	[SORTKEY_SRCFILE] = add_srcfile,
	[SORTKEY_SYMOFF] = add_symoff,
	[SORTKEY_SYMBOL_SIZE] = add_symbol_size,
	[SORTKEY_DSO_SIZE] = add_dso_size,
	[SORTKEY_DSO_FROM] = add_dso_from,
	[SORTKEY_DSO_TO] = add_dso_to,
	[SORTKEY_SYMBOL_FROM] = add_symbol_from,
	[SORTKEY_SYMBOL_TO] = add_symbol_to,
	[SORTKEY_ADDR_FROM] = add_addr_from,
	[SORTKEY_ADDR_TO] = add_addr_to,
	[SORTKEY_SRCLINE_FROM] = add_srcline_from,
	[SORTKEY_SRCLINE_TO] = add_srcline_to,
	[SORTKEY_CYCLES] = add_cycles,
	[SORTKEY_IN_TX] = add_in_tx,
	[SORTKEY_ABORT] = add_abort,
	[SORTKEY_MISPREDICT] = add_mispredict,
	[SORTKEY_BRANCH_PREDICTED] = add_branch_predicted,
	[SORTKEY_BRANCH_ABORT] = add_branch_abort,
	[SORTKEY_BRANCH_CYCLES] = add_branch_cycles,
	[SORTKEY_TYPE] = add_type,
	[SORTKEY_TYPE_OFFSET] = add_type_offset,
	[SORTKEY_TYPE_LINE] = add_type_line,
	[SORTKEY_SYMBOL_DADDR] = add_symbol_daddr,
	[SORTKEY_SYMBOL_IADDR] = add_symoff,
	[SORTKEY_DSO_DADDR] = add_dso_daddr,
	[SORTKEY_PHYS_DADDR] = add_phys_daddr,
	[SORTKEY_DATA_PAGE_SIZE] = add_data_page_size,
};

/* Without the blanks at the ends that fill a column; a name is as it is. */
static void add_printed(struct json *json, const struct sortkey *key, const struct item *item,
			const struct sortkey_style *style)
{
	struct str text = { 0 };
	struct str_part part;

	sortkey_print(key, item, &text, style);
	part = (struct str_part){ str_text(&text), text.size };
	if (key->id != SORTKEY_COMM_NODIGIT)
		part = str_trim(part.text);
	json_bytes(json, key->name, part.text, part.size);
	str_done(&text);
}

void row_json_key(struct json *json, const struct sortkey *key, const struct item *item,
		  const struct sortkey_style *style)
{
	if (!key->traced && adders[key->id])
		adders[key->id](json, key->name, item, style);
	else
		add_printed(json, key, item, style);
}
