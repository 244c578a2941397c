/*
 * resolve.h - an address gets its name, once: (dso, address) -> symbol, with a reason where it has
 * none.
 *
 * Objects are opened and symbol tables built on first use, one lock per dso; what was resolved is
 * kept, so asking again is one look-up. Everything that it hands out is borrowed and lives as
 * long as the resolver.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"
#include "object/data-accesses.h"
#include "symbol/reason.h"

struct carried;
struct jit_dumps;
struct cfi;
struct resolver;
struct map;
struct debuginfod;
struct dso;
struct findings;
struct timeline;
struct strobe_err;
struct source_line;
struct code_kind;

/* Where names may be looked for; strings are borrowed and must outlive the resolver. */
struct resolver_options {
	const char *symfs;    /* a folder that stands for "/", or NULL */
	bool symfs_is_flat;   /* all files lie in it, whatever their paths */
	const char *kallsyms; /* a file to read instead of /proc/kallsyms, or NULL */
	const char *vmlinux;  /* or NULL */
	bool demangle;        /* C++ and Rust names as people write them */
	bool demangle_kernel; /* those of the kernel and its modules, too */
	bool inlines;         /* resolver_frames() finds functions that were put into others */
	bool force;           /* use perf maps whose owner is not us or root (perf's -f) */

	/* What the machine is that names are looked up on; all may be left 0. Names of the running
	 * kernel and vdso are used only for recordings that come from it, see kernel-names.h. */
	const char *running_kallsyms; /* "/proc/kallsyms" */
	const uint8_t *running_build_id;
	size_t running_build_id_size; /* bytes; 0 if unknown */
	const void *vdso;             /* image of the running kernel's vdso */
	size_t vdso_size;
	bool foreign;   /* the recording's header names another kernel or machine */
	bool same_boot; /* it names this one, and was written since it was booted */
	/* The folder for temporary files of a process that lives, as it sees it, and its number
	 * there; a descriptor or -errno. NULL where the recording is of other processes. */
	int (*open_tmp)(pid_t pid, pid_t *ret_pid);
	/* Somebody holds files open since they were mapped: a descriptor of the one that a dso
	 * stands for, or -errno; and as open_tmp() of a process that is gone. Or NULL. */
	int (*open_held)(void *context, const struct dso *dso);
	int (*open_held_tmp)(void *context, pid_t pid, pid_t *ret_pid);
	void *held_context;
	struct jit_dumps *dumps;       /* that processes of the recording wrote, or NULL */
	const struct carried *carried; /* names that the recording has itself, or NULL */

	struct debuginfod *debuginfod; /* servers to ask for files that are not here, or NULL */

	/* Is told what the user should know of files that were looked for: a sentence, and what
	 * helps or NULL; perhaps by several threads, and more than once. Or NULL. */
	void (*notice)(void *context, const char *text, const char *hint);
	void *notice_context;
};

/* One function (or PLT stub, ...): the same pointer for the same function, so it may be compared.
 */
struct function {
	const char *name; /* as printed: demangled */
	const struct dso *dso;
	uint64_t start, end; /* addresses of the object (p_vaddr space; for the kernel: run-time) */
	bool inlined;        /* put into the function that begins and ends there */
	bool is_object;      /* data, not code */
};

struct place {
	const struct map *map; /* NULL: not in any mapping */
	uint64_t addr;         /* the run-time address */
	/* Address in the object's own space, where map is not NULL: of a file that was found, a
	 * vaddr; of one that was not, the offset in it; of the kernel and JIT code, addr itself. */
	uint64_t object_addr;
	const struct function *function; /* NULL: no name */
};

/* The build-id cache is that of buildid_cache_folder(), as it is now. @timeline must outlive it. */
struct resolver *resolver_new(const struct resolver_options *options,
			      const struct timeline *timeline);
void resolver_free(struct resolver *resolver);

/* Names an address in a mapping that the timeline gave (may be NULL). Safe in many threads. */
struct place resolver_find(struct resolver *resolver, const struct map *map, uint64_t addr);

/*
 * Forgets the names of dsos that the timeline has forgotten; not while others ask. Of those in
 * @dsos that nobody has had mapped for the last few times, what is only needed to find names goes:
 * functions stay, and other names are read again if somebody asks.
 */
struct hash;
void resolver_forget(struct resolver *resolver, const struct hash *dsos);

/* Looks whether perf maps of running JIT compilers were written to since they were read; then they
 * are read again. Large ones are looked at less often, unless @now. Not while others ask. */
void resolver_refresh(struct resolver *resolver, bool now);
/* How often resolver_refresh() or resolver_carry() found that there may be more names now: places
 * without one may be asked for again. */
uint64_t resolver_rename_count(const struct resolver *resolver);

/* Names that came late, in place of those that the recording had; objects that have none by
 * themselves are looked up again. Not while others ask. */
void resolver_carry(struct resolver *resolver, const struct carried *carried);

/* Why a dso has no names; REASON_NONE if it has some. Looks for them if nobody has. */
enum reason resolver_reason(struct resolver *resolver, const struct dso *dso);
/* Why a dso with names has some functions without: it has nothing but those that others may call,
 * or its compiler did not tell of all. REASON_NONE if it should have all, or has none at all. */
enum reason resolver_gap_reason(struct resolver *resolver, const struct dso *dso);
/* Why a place has no name: REASON_NONE if it has one, or nobody knows. */
enum reason resolver_place_reason(struct resolver *resolver, const struct place *place);

/*
 * What there is to read of a dso, where it is, and where it was looked for: see findings.h. False
 * if it has no file, as the kernel and JIT code.
 */
bool resolver_findings(struct resolver *resolver, const struct dso *dso,
		       struct findings *ret_findings);

/* How many names of a dso the recording has itself, whether they are needed or not. */
size_t resolver_kept_count(const struct resolver *resolver, const struct dso *dso);

/*
 * The source line of a place, by the debug information of its file; false if none is known, as of
 * the kernel and of JIT code. Opens line tables on first use, with a lock per dso. The text lives
 * as long as the resolver.
 */
bool resolver_line(struct resolver *resolver, const struct place *place,
		   struct source_line *ret_line);

/*
 * The functions at a place that are within each other, where compilers have put some into others:
 * innermost first, and last the one that place->function is. Each has a place of its own, the
 * address with its function, and a source line: the innermost one that of the address, the others
 * that of the call of the one before.
 */
struct frame {
	const struct function *function;
	const char *file; /* NULL: the line is not known; as long as resolver_line()'s */
	uint32_t line;
};

/* Starts as { 0 }; used again from place to place. */
struct frames {
	struct frame *items;
	size_t count, capacity;
};
void resolver_frames_done(struct frames *frames);

/*
 * False where there are none but place->function, and of the kernel and JIT code. @with_lines: else
 * the innermost one's is not looked for. Safe in many threads, each with frames of its own.
 */
bool resolver_frames(struct resolver *resolver, const struct place *place, bool with_lines,
		     struct frames *frames);

/*
 * Which address stands for all in the place's function that have the same frames: in the object's
 * space, and in that function. The place has a function. What these are, without lines, outlives
 * what resolver_forget() forgets: nothing is read again for it.
 */
uint64_t resolver_frames_begin(struct resolver *resolver, const struct place *place);

/*
 * Copies the code from a place on, as far as its file has it: how many bytes, 0 if none is known.
 * That of the kernel comes from options->vmlinux alone; JIT code has no file.
 */
size_t resolver_code(struct resolver *resolver, const struct place *place, void *buffer,
		     size_t size, struct code_kind *ret_kind);

/* What the instruction at a place reads or writes: see object/data-accesses.h. */
struct resolver_data {
	enum data_access_kind kind;
	struct str type;  /* of DATA_ACCESS_TYPE: what it is called */
	uint64_t offset;  /* in it */
	struct str field; /* that is there; empty if the type has none */
};
/* Looks at functions on first use, with a lock per dso. The kernel has debug information where
 * options->vmlinux is given. The result is the caller's to resolver_data_done(). */
void resolver_data(struct resolver *resolver, const struct place *place,
		   struct resolver_data *ret_data);
void resolver_data_done(struct resolver_data *data);

/*
 * The call frame information of the file that a mapping shows, and the vaddr of an address in it;
 * NULL if its file is not known, as of JIT code. Loaded on first use, with a lock per dso; lives as
 * long as the resolver. Safe in many threads.
 */
const struct cfi *resolver_cfi(struct resolver *resolver, const struct map *map, uint64_t addr,
			       uint64_t *ret_vaddr);
