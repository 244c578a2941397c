/*
 * sortkey.h - what a report may be sorted by: the columns that tell entries apart.
 *
 * Each key has an order of identity (entries that compare equal under all keys are one entry; it
 * also settles the order of entries that are equal otherwise) and an order of output. The two
 * differ: symbols are told apart by address, and listed by name.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/item.h"

struct data_places;
struct ipc_table;
struct resolver;
struct str;
struct sources;
struct trace_key;

/* Columns that share a width, as in perf. Keys of struct trace_keys count on from the last. */
enum sortkey_id {
	SORTKEY_COMM,
	SORTKEY_PID,
	SORTKEY_TGID,
	SORTKEY_TID,
	SORTKEY_DSO,
	SORTKEY_SYMBOL,
	SORTKEY_PARENT,
	SORTKEY_CPU,
	SORTKEY_TIME,
	SORTKEY_TRACE,
	SORTKEY_CGROUP,
	SORTKEY_CGROUP_ID,
	SORTKEY_WEIGHT,
	SORTKEY_LOCAL_WEIGHT,
	SORTKEY_SYMBOL_SIZE,
	SORTKEY_DSO_SIZE,
	SORTKEY_COMM_NODIGIT,
	SORTKEY_IPC_NULL,
	SORTKEY_IPC_LBR,
	SORTKEY_ADDR,
	SORTKEY_DSO_FROM,
	SORTKEY_DSO_TO,
	SORTKEY_SYMBOL_FROM,
	SORTKEY_SYMBOL_TO,
	SORTKEY_CYCLES,
	SORTKEY_MISPREDICT,
	SORTKEY_ABORT,
	SORTKEY_IN_TX,
	SORTKEY_BRANCH_PREDICTED,
	SORTKEY_BRANCH_ABORT,
	SORTKEY_BRANCH_CYCLES,
	SORTKEY_SRCLINE_FROM,
	SORTKEY_SRCLINE_TO,
	SORTKEY_ADDR_FROM,
	SORTKEY_ADDR_TO,
	SORTKEY_SRCLINE,
	SORTKEY_SRCFILE,
	SORTKEY_SYMOFF,
	SORTKEY_SOCKET,
	SORTKEY_PARALLELISM,
	SORTKEY_TRANSACTION,
	SORTKEY_CODE_PAGE_SIZE,
	SORTKEY_INS_LAT,
	SORTKEY_LOCAL_INS_LAT,
	SORTKEY_P_STAGE_CYC,
	SORTKEY_LOCAL_P_STAGE_CYC,
	SORTKEY_SYMBOL_DADDR,
	SORTKEY_SYMBOL_IADDR,
	SORTKEY_DSO_DADDR,
	SORTKEY_DCACHELINE,
	SORTKEY_PHYS_DADDR,
	SORTKEY_DATA_PAGE_SIZE,
	SORTKEY_MEM,
	SORTKEY_SNOOP,
	SORTKEY_TLB,
	SORTKEY_LOCKED,
	SORTKEY_BLOCKED,
	SORTKEY_TYPE,
	SORTKEY_TYPE_OFFSET,
	SORTKEY_TYPE_LINE,
	SORTKEY_COUNT,
};

/* What changes how keys compare and print. */
struct sortkey_style {
	bool long_names;             /* -v: paths instead of base names */
	bool nanoseconds;            /* of times, instead of microseconds */
	bool dso_is_a_key;           /* else symbols are told apart by their dso too */
	bool dsos_are_given;         /* by a filter */
	struct resolver *resolver;   /* tells why something has no name; or NULL */
	struct sources *sources;     /* where keys ask for source lines; or NULL */
	struct data_places *data;    /* where keys ask for types of data; or NULL */
	const struct ipc_table *ipc; /* where a key asks for it, and it is known; or NULL */
};

#define SORTKEY_LAST UINT64_MAX

struct sortkey {
	const char *name;
	const char *alias;  /* or NULL */
	const char *header; /* the column's title */
	enum sortkey_id id;
	/* < 0: @left comes first. By identity. */
	int (*compare)(const struct item *left, const struct item *right,
		       const struct sortkey_style *style);
	/* < 0: @left comes first. Of output; NULL: the same. */
	int (*order)(const struct item *left, const struct item *right,
		     const struct sortkey_style *style);
	/* Equal items have equal hashes. */
	uint64_t (*hash)(const struct item *item, const struct sortkey_style *style);
	void (*print)(const struct item *item, struct str *out, const struct sortkey_style *style);
	/* Columns that the text needs at least; 0: what print() gives. */
	size_t (*width)(const struct item *item, const struct sortkey_style *style);
	/*
	 * Of items with different numbers, the lower comes first by identity (by order of output);
	 * equal numbers say nothing, but for SORTKEY_LAST of order_number: those are equal. NULL:
	 * none, since items are equal more often than not.
	 */
	uint64_t (*number)(const struct item *item, const struct sortkey_style *style);
	uint64_t (*order_number)(const struct item *item, const struct sortkey_style *style);
	bool of_spot;    /* looks only at item.spot */
	bool of_branch;  /* tells branches apart, not samples */
	bool of_history; /* says what the branches in call chains did */
	bool of_memory;  /* tells accesses to memory apart */
	bool of_source;  /* looks at spot.source */
	bool of_data;    /* looks at spot.data */
	bool right;      /* flush right */
	bool open;       /* not filled up with blanks where it is the last column */
	bool uncut;      /* runs on where it is wider than its column */
	/* A field of a tracepoint, which stands for all functions (trace-key.h); or NULL */
	const struct trace_key *traced;
};

/* The key called @name (perf's, or an alias), or NULL. */
const struct sortkey *sortkey_find(const char *name, size_t size);
const struct sortkey *sortkey_at(size_t i); /* NULL past the end */

/* What the functions of a key say, whatever it is made of. */
int sortkey_compare(const struct sortkey *key, const struct item *left, const struct item *right,
		    const struct sortkey_style *style);
uint64_t sortkey_hash(const struct sortkey *key, const struct item *item,
		      const struct sortkey_style *style);
void sortkey_print(const struct sortkey *key, const struct item *item, struct str *out,
		   const struct sortkey_style *style);
/* Whether the text runs on beyond its column: so does the mark of an inlined function, as in perf.
 */
bool sortkey_is_uncut(const struct sortkey *key, const struct item *item);
size_t sortkey_width(const struct sortkey *key, const struct item *item,
		     const struct sortkey_style *style);
