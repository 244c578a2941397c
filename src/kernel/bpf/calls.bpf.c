/*
 * calls.bpf.c - runs in the kernel: makes a record of each system call's entry and exit, with what
 * its pointers point at, and puts it into a ring (base/callcopy.h has the form).
 *
 * A record is a sample as perf_event_open(2) has it, so that the reader passes it on as it is. It
 * is put together in memory of the CPU's and then copied to the ring, which all CPUs share: so
 * records are short, and in order. The reader is woken at most once in a while.
 */
#include "kernel/bpf/calls.h"
#include "kernel/bpf/kernel-types.h"

#include <bpf/bpf_helpers.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

char terms[] SEC("license") = "Dual MIT/GPL";

#define SPACE 16384 /* bytes of items; a power of two */
#define MOST 4096   /* bytes of one copy */
/* Items begin below this, so that one fits behind, with its head and its padding. */
#define LAST (SPACE - MOST - 32)
#define STACK 1016 /* bytes of a call chain: 127 frames */
#define STRINGS 32 /* of an array of texts */
#define KEPT_FILES 16384
#define KEPT_THREADS 131072

enum { RECORD_SAMPLE = 9, EFAULT = 14 };

/* Numbers of 64 bits lie at odd places in the raw bytes. */
struct half {
	uint32_t low, high;
};

struct entry {
	struct half args[CALLCOPY_ARGS];
	uint32_t mark;
	uint8_t items[SPACE];
};
struct exit {
	struct half result;
	uint32_t mark;
	uint8_t items[SPACE];
};

struct call_record {
	uint32_t type;
	uint16_t misc, size;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint32_t raw_size;
	/* The tracepoint's: */
	uint16_t common_type;
	uint8_t common_flags, common_preempt_count;
	int32_t common_pid;
	struct half number;
	union {
		struct entry entry;
		struct exit exit;
	};
};

struct scratch {
	struct call_record record;
	uint64_t args[CALLCOPY_ARGS + 1]; /* and the result */
	uint32_t used;                    /* bytes of items */
	uint32_t is_32;                   /* the ABI */
	uint32_t is_exit;
	uint32_t is_full;
	uint32_t missed; /* bits of arguments whose memory is not there */
	/* What loops walk over, whose bodies are functions that are verified once. */
	struct {
		uint64_t pointer, count, limit, left;
		uint32_t arg, first;
	} array;
	struct {
		uint64_t dentry, mnt;
		uint32_t at;
	} path;
};

/* Memory of files is used again for others: so much tells them apart. */
struct kept_file {
	uint64_t dentry, inode, hash, name; /* of the name: its hash, and how it begins */
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 24);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2 * CALLCOPY_CALLS);
	__type(key, uint32_t);
	__type(value, struct callcopy_plan);
} plans SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, uint32_t);
	__type(value, struct scratch);
} scratches SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, KEPT_THREADS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, uint32_t);
	__type(value, uint32_t);
} threads SEC(".maps");

/* The one record that is held back. */
struct held {
	struct call_record record;
	uint32_t size;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct held);
} held_back SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, KEPT_THREADS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, uint32_t);
	__type(value, uint32_t);
} missing SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, KEPT_FILES);
	__type(key, uint64_t);
	__type(value, struct kept_file);
} files SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, uint32_t);
	__type(value, uint32_t);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, uint32_t);
} cgroups SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CALLS_IGNORED);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, uint32_t);
	__type(value, uint32_t);
} ignored SEC(".maps");

const volatile struct calls_settings settings = { 0 };
struct calls_state state = { 0 };

static __always_inline struct half halves(uint64_t value)
{
	struct half half = { (uint32_t)value, (uint32_t)(value >> 32) };

	return half;
}

static __always_inline uint8_t *items_of(struct scratch *s)
{
	return s->is_exit ? s->record.exit.items : s->record.entry.items;
}

/* The head of an item at @at, of which @size bytes lie behind it already: the padding becomes 0. */
static __always_inline void finish_item(struct scratch *s, uint8_t *items, uint32_t at,
					uint64_t size, uint32_t arg, uint32_t what, uint32_t more)
{
	uint64_t rest;

	/* So that the verifier sees it, whatever the compiler knows. */
	barrier_var(size);
	if (size > MOST)
		return;
	rest = size & 7;
	*(uint64_t *)(items + at) =
		size | (uint64_t)arg << 16 | (uint64_t)what << 24 | (uint64_t)more << 32;
	at += 8;
	if (rest) {
		uint64_t *last = (uint64_t *)(items + at + (size - rest));

		*last &= ((uint64_t)1 << 8 * rest) - 1;
	}
	s->used = at + (uint32_t)((size + 7) & ~7ULL);
}

/* Where the next item begins; SPACE: there is no room for it. */
static __always_inline uint32_t next_item(struct scratch *s)
{
	uint32_t at = s->used & (SPACE - 1) & ~7U;

	if (at <= LAST)
		return at;
	s->is_full = 1;
	return SPACE;
}

static __always_inline void add_fault(struct scratch *s, uint32_t arg)
{
	if (arg < CALLCOPY_ARGS)
		s->missed |= 1U << arg;
}

/* @size bytes at @pointer. */
__noinline int add_bytes(struct scratch *s, uint64_t pointer, uint64_t size, uint32_t arg_what,
			 uint32_t more)
{
	uint32_t at, what = arg_what >> 8, arg = arg_what & 0xff;
	uint8_t *items;

	if (!s)
		return -1;
	at = next_item(s);
	if (at == SPACE)
		return -1;
	items = items_of(s);
	barrier_var(size);
	if (size > MOST)
		size = MOST;
	if (size && bpf_probe_read_user(items + at + 8, size, (void *)pointer) < 0) {
		add_fault(s, arg);
		return -1;
	}
	finish_item(s, items, at, size, arg, what, more);
	return 0;
}

__noinline int add_string(struct scratch *s, uint64_t pointer, uint64_t limit, uint32_t arg_what,
			  uint32_t more)
{
	uint32_t at, what = arg_what >> 8, arg = arg_what & 0xff;
	uint8_t *items;
	long size;

	if (!s)
		return -1;
	at = next_item(s);
	if (at == SPACE)
		return -1;
	items = items_of(s);
	barrier_var(limit);
	if (limit > MOST)
		limit = MOST;
	if (limit == 0)
		return -1;
	size = bpf_probe_read_user_str(items + at + 8, limit, (void *)pointer);
	if (size < 0) {
		add_fault(s, arg);
		return -1;
	}
	if (size > MOST)
		return -1;
	/* One that fills the room was cut, and its NUL is not its own. */
	if (size == (long)limit && limit > 1) {
		uint8_t last;

		if (bpf_probe_read_user(&last, 1, (void *)(pointer + limit - 1)) < 0 || last)
			size--;
	}
	finish_item(s, items, at, (uint64_t)size, arg, what, more);
	return 0;
}

static __always_inline uint64_t read_word(struct scratch *s, uint64_t pointer)
{
	uint64_t word = 0;

	if (bpf_probe_read_user(&word, s->is_32 ? 4 : 8, (void *)pointer) < 0)
		return 0;
	return word;
}

static __always_inline uint64_t argument(struct scratch *s, uint32_t number)
{
	return number <= CALLCOPY_ARGS ? s->args[number] : 0;
}

/* The text with this number in the array at hand. 0: the array ends here. */
__noinline int add_text(struct scratch *s, uint32_t number)
{
	uint64_t text;

	if (!s)
		return 0;
	text = read_word(s, s->array.pointer + number * (s->is_32 ? 4 : 8));
	if (!text)
		return 0;
	(void)add_string(s, text, s->array.limit, s->array.arg | CALLCOPY_PART << 8, number);
	return 1;
}

/* Pointers to texts: the texts, then those. */
static __noinline int add_strings(struct scratch *s, uint64_t pointer, uint64_t limit, uint32_t arg)
{
	uint32_t count = 0, size;

	s->array.pointer = pointer;
	s->array.limit = limit;
	s->array.arg = arg;
	while (count < STRINGS && add_text(s, count))
		count++;
	/* With the NULL behind the last. */
	size = (count < STRINGS ? count + 1 : count) * (s->is_32 ? 4 : 8);
	return add_bytes(s, pointer, size, arg | CALLCOPY_BYTES << 8, size);
}

/* What the iovec with this number in the array at hand points at. 0: that was all. */
__noinline int add_part(struct scratch *s, uint32_t number)
{
	uint64_t base, size, at;
	uint32_t word;

	if (!s || number >= s->array.count)
		return 0;
	word = s->is_32 ? 4 : 8;
	at = s->array.pointer + number * 2 * word;
	base = read_word(s, at);
	size = read_word(s, at + word);
	if (size > s->array.left)
		size = s->array.left;
	s->array.left -= size;
	if (size > s->array.limit)
		size = s->array.limit;
	if (base && size)
		(void)add_bytes(s, base, size, s->array.arg | CALLCOPY_PART << 8,
				s->array.first + number);
	return 1;
}

/* What iovecs point at; of a read as much as was read. */
static __noinline int add_parts(struct scratch *s, uint64_t pointer, uint64_t count, uint64_t limit,
				uint32_t arg)
{
	uint32_t number = 0;

	s->array.pointer = pointer;
	s->array.count = count;
	s->array.limit = limit;
	s->array.arg = arg & 0xff;
	s->array.first = arg >> 8;
	s->array.left = s->is_exit ? s->args[CALLCOPY_ARGS] : ~(uint64_t)0;
	while (number < CALLCOPY_PARTS && add_part(s, number))
		number++;
	return 0;
}

/* Its parts: the name (0), the iovecs (1), and from 2 on what these point at. */
static __noinline int add_message(struct scratch *s, uint64_t pointer, uint32_t size,
				  uint32_t limit, uint32_t arg)
{
	uint32_t word = s->is_32 ? 4 : 8;
	uint64_t name, name_size, vector, count, vector_size;

	if (add_bytes(s, pointer, size, arg | CALLCOPY_BYTES << 8, size) < 0)
		return -1;
	name = read_word(s, pointer);
	name_size = (uint32_t)read_word(s, pointer + word);
	vector = read_word(s, pointer + 2 * word);
	count = read_word(s, pointer + 3 * word);
	if (name && name_size)
		(void)add_bytes(s, name, name_size > 128 ? 128 : (uint32_t)name_size,
				arg | CALLCOPY_PART << 8, 0);
	if (!vector || !count)
		return 0;
	if (count > CALLCOPY_PARTS)
		count = CALLCOPY_PARTS;
	vector_size = count * 2 * word;
	if (add_bytes(s, vector, (uint32_t)vector_size, arg | CALLCOPY_PART << 8, 1) < 0)
		return -1;
	return add_parts(s, vector, count, limit, arg | 2 << 8);
}

static __always_inline struct file *file_of(uint32_t fd)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	struct file **list, *file = NULL;

	if (!table || fd >= BPF_CORE_READ(table, max_fds))
		return NULL;
	list = BPF_CORE_READ(table, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), list + fd) < 0)
		return NULL;
	return file;
}

/* One name, at @at; where the next begins. */
static __always_inline uint32_t add_name(uint8_t *items, uint32_t at, struct dentry *dentry)
{
	const unsigned char *name = BPF_CORE_READ(dentry, d_name.name);
	long size;

	if (at > SPACE - 512)
		return at;
	size = bpf_probe_read_kernel_str(items + at, 256, name);
	return size > 0 && size <= 256 ? at + (uint32_t)size : at;
}

/*
 * Adds the name of the folder or file at hand, and goes to the folder that it lies in, through the
 * place where a file system is mounted. 0: it is the top. Only a file without a folder has its own
 * name there.
 */
__noinline int add_level(struct scratch *s, uint32_t number)
{
	struct mount *mount, *parent;
	struct dentry *here, *up;
	struct vfsmount *mnt;
	uint32_t at;

	if (!s)
		return 0;
	here = (struct dentry *)s->path.dentry;
	mnt = (struct vfsmount *)s->path.mnt;
	at = s->path.at & (SPACE - 1);
	if (here != BPF_CORE_READ(mnt, mnt_root)) {
		up = BPF_CORE_READ(here, d_parent);
		if (up == here && number > 0)
			return 0;
		s->path.at = add_name(items_of(s), at, here);
		s->path.dentry = (uint64_t)up;
		return up != here;
	}
	mount = (struct mount *)((char *)mnt - bpf_core_field_offset(struct mount, mnt));
	parent = BPF_CORE_READ(mount, mnt_parent);
	if (parent == mount) {
		if (number == 0)
			s->path.at = add_name(items_of(s), at, here);
		return 0;
	}
	s->path.dentry = (uint64_t)BPF_CORE_READ(mount, mnt_mountpoint);
	s->path.mnt = (uint64_t)parent + bpf_core_field_offset(struct mount, mnt);
	return 1;
}

#define MAGIC_TMPFS 0x01021994

__noinline int add_file(struct scratch *s, uint32_t fd, uint32_t arg)
{
	struct file *file = file_of(fd);
	uint32_t at, end, more = 0, level = 0;
	struct kept_file now, *kept;
	struct callcopy_file *item;
	struct dentry *dentry;
	struct inode *inode;
	uint8_t *items;
	uint64_t key = (uint64_t)file;

	if (!file || !s)
		return 0;
	at = next_item(s);
	if (at == SPACE)
		return 0;
	items = items_of(s);
	dentry = BPF_CORE_READ(file, f_path.dentry);
	inode = BPF_CORE_READ(file, f_inode);
	now.dentry = (uint64_t)dentry;
	now.inode = BPF_CORE_READ(inode, i_ino);
	now.hash = BPF_CORE_READ(dentry, d_name.hash_len);
	now.name = 0;
	(void)bpf_probe_read_kernel(&now.name, sizeof(now.name),
				    BPF_CORE_READ(dentry, d_name.name));
	item = (struct callcopy_file *)(items + at + 8);
	item->key = (key ^ settings.secret) * 0x9e3779b97f4a7c15ULL;
	item->inode = now.inode;
	item->mode = BPF_CORE_READ(inode, i_mode);
	item->reserved = 0;
	kept = bpf_map_lookup_elem(&files, &key);
	if (kept && kept->dentry == now.dentry && kept->inode == now.inode &&
	    kept->hash == now.hash && kept->name == now.name) {
		item->magic = 0;
		finish_item(s, items, at, sizeof(*item), arg, CALLCOPY_FILE, CALLCOPY_FILE_KNOWN);
		return 0;
	}
	item->magic = (uint32_t)BPF_CORE_READ(inode, i_sb, s_magic);
	if (!BPF_CORE_READ(dentry, d_hash.pprev) &&
	    (BPF_CORE_READ(dentry, d_parent) != dentry || item->magic == MAGIC_TMPFS))
		more |= CALLCOPY_FILE_DELETED;
	s->path.dentry = now.dentry;
	s->path.mnt = (uint64_t)BPF_CORE_READ(file, f_path.mnt);
	s->path.at = at + 8 + sizeof(*item);
	while (level < 2 * CALLCOPY_LEVELS && add_level(s, level))
		level++;
	if (level == 2 * CALLCOPY_LEVELS)
		more |= CALLCOPY_FILE_CUT;
	end = s->path.at & (SPACE - 1);
	at &= SPACE - 1;
	if (at > LAST)
		return 0;
	finish_item(s, items, at, end - at - 8, arg, CALLCOPY_FILE, more);
	(void)bpf_map_update_elem(&files, &key, &now, BPF_ANY);
	return 0;
}

static __noinline int add_files(struct scratch *s, uint64_t pointer, uint32_t arg)
{
	uint32_t fds[2] = { 0 };

	if (add_bytes(s, pointer, sizeof(fds), arg | CALLCOPY_BYTES << 8, sizeof(fds)) < 0)
		return -1;
	if (bpf_probe_read_user(fds, sizeof(fds), (void *)pointer) < 0)
		return -1;
	(void)add_file(s, fds[0], arg);
	return add_file(s, fds[1], arg);
}

/* The user's call chain, by frame pointers. */
static __always_inline void add_stack(struct scratch *s, void *context)
{
	uint32_t at = next_item(s);
	uint8_t *items = items_of(s);
	long size;

	if (at == SPACE)
		return;
	size = bpf_get_stack(context, items + at + 8, STACK, BPF_F_USER_STACK);
	if (size > 0)
		finish_item(s, items, at, (uint64_t)size, 0, CALLCOPY_STACK, 0);
}

static __always_inline uint64_t count_of(struct scratch *s, const struct callcopy_step *step)
{
	int32_t count = 0;

	switch (step->counted) {
	case CALLCOPY_BY_ARGUMENT:
		return argument(s, step->count_arg & 7);
	case CALLCOPY_BY_RESULT:
		return s->args[CALLCOPY_ARGS];
	case CALLCOPY_BY_POINTED:
		(void)bpf_probe_read_user(&count, sizeof(count),
					  (void *)argument(s, step->count_arg & 7));
		return count < 0 ? 0 : (uint64_t)count;
	default:
		return 1;
	}
}

/* Whether a step is for a call with these arguments. */
static __always_inline int is_meant(struct scratch *s, const struct callcopy_step *step)
{
	uint64_t number;

	if (!step->on_arg)
		return 1;
	number = (uint32_t)argument(s, (step->on_arg - 1) & 7);
	return number < 64 && (step->on_bits >> number & 1);
}

__noinline int take_step(struct scratch *s, const struct callcopy_step *step)
{
	uint64_t pointer, count, total;
	uint32_t arg;

	if (!s || !step || !is_meant(s, step))
		return 0;
	arg = step->arg & 7;
	pointer = argument(s, arg);
	switch (step->what) {
	case CALLCOPY_DO_FILE:
		if ((int32_t)pointer >= 0)
			return add_file(s, (uint32_t)pointer, arg);
		return 0;
	case CALLCOPY_DO_STRING:
		return pointer ? add_string(s, pointer, step->limit, arg | CALLCOPY_STRING << 8, 0)
			       : 0;
	}
	if (!pointer)
		return 0;
	count = count_of(s, step);
	/* As a number of things it may have been an int. */
	if ((int64_t)count < 0)
		return 0;
	total = count * step->size;
	if (total > 0xffffffff)
		total = 0xffffffff;
	switch (step->what) {
	case CALLCOPY_DO_BYTES:
		return add_bytes(s, pointer, total > step->limit ? step->limit : (uint32_t)total,
				 arg | CALLCOPY_BYTES << 8, (uint32_t)total);
	case CALLCOPY_DO_STRINGS:
		return add_strings(s, pointer, step->limit, arg);
	case CALLCOPY_DO_PARTS:
		if (count > CALLCOPY_PARTS)
			count = CALLCOPY_PARTS;
		if (add_bytes(s, pointer, (uint32_t)(count * step->size), arg | CALLCOPY_BYTES << 8,
			      (uint32_t)total) < 0)
			return -1;
		return add_parts(s, pointer, count, step->limit, arg);
	case CALLCOPY_DO_MESSAGE:
		return add_message(s, pointer, step->size, step->limit, arg);
	case CALLCOPY_DO_FILES:
		return add_files(s, pointer, arg);
	}
	return 0;
}

/* Those of the entry or the exit, or only those of some arguments. */
static __always_inline void take_steps(struct scratch *s, struct callcopy_plan *plan,
				       uint32_t at_exit, uint32_t args)
{
	for (uint32_t i = 0; i < CALLCOPY_STEPS; i++) {
		struct callcopy_step *step = &plan->steps[i];

		if (i >= plan->step_count)
			break;
		if (step->at_exit == at_exit && (args >> (step->arg & 7) & 1))
			(void)take_step(s, step);
	}
}

static __always_inline uint32_t is_ignored(uint64_t ids)
{
	uint32_t pid = ids >> 32, tid = (uint32_t)ids;

	return bpf_map_lookup_elem(&ignored, &pid) || bpf_map_lookup_elem(&ignored, &tid);
}

/* 0, or enum calls_thread. */
static __always_inline uint32_t is_watched(uint64_t ids)
{
	uint32_t tid = (uint32_t)ids, cpu, *found, result = CALLS_WATCHED;

	if (!state.on)
		return 0;
	if (settings.by_thread) {
		found = bpf_map_lookup_elem(&threads, &tid);
		if (!found)
			return 0;
		result = *found;
	} else if (ids >> 32 == settings.self) {
		return 0;
	}
	if (settings.ignores && is_ignored(ids))
		return 0;
	if (settings.by_cpu) {
		cpu = bpf_get_smp_processor_id();
		if (!bpf_map_lookup_elem(&cpus, &cpu))
			return 0;
	}
	if (settings.by_cgroup && bpf_current_task_under_cgroup(&cgroups, 0) != 1)
		return 0;
	return result;
}

static __always_inline uint32_t is_32_bit(void)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();

#ifdef __TARGET_ARCH_x86
	return BPF_CORE_READ(task, thread_info.status) >> 1 & 1; /* TS_COMPAT */
#else
	return BPF_CORE_READ(task, thread_info.flags) >> 22 & 1; /* TIF_32BIT */
#endif
}

static __always_inline int64_t number_of(struct pt_regs *regs)
{
#ifdef __TARGET_ARCH_x86
	return (int64_t)regs->orig_ax;
#else
	return regs->syscallno;
#endif
}

static __always_inline void read_args(struct scratch *s, struct pt_regs *regs)
{
#ifdef __TARGET_ARCH_x86
	if (s->is_32) {
		s->args[0] = (uint32_t)regs->bx;
		s->args[1] = (uint32_t)regs->cx;
		s->args[2] = (uint32_t)regs->dx;
		s->args[3] = (uint32_t)regs->si;
		s->args[4] = (uint32_t)regs->di;
		s->args[5] = (uint32_t)regs->bp;
		return;
	}
	s->args[0] = regs->di;
	s->args[1] = regs->si;
	s->args[2] = regs->dx;
	s->args[3] = regs->r10;
	s->args[4] = regs->r8;
	s->args[5] = regs->r9;
#else
	s->args[0] = regs->orig_x0;
	s->args[1] = regs->regs[1];
	s->args[2] = regs->regs[2];
	s->args[3] = regs->regs[3];
	s->args[4] = regs->regs[4];
	s->args[5] = regs->regs[5];
#endif
}

static __always_inline struct callcopy_plan *plan_of(int64_t number, uint32_t is_32)
{
	uint32_t key = (uint32_t)number + (is_32 ? CALLCOPY_CALLS : 0);

	/* The calls of x32 have a bit of their own. */
	if (!is_32)
		key &= ~0x40000000U;
	if (number < 0 || (key & (CALLCOPY_CALLS - 1)) != ((uint32_t)number & ~0x40000000U))
		return NULL;
	return bpf_map_lookup_elem(&plans, &key);
}

static __always_inline struct scratch *begin(uint64_t ids, uint32_t is_exit, uint32_t is_32,
					     int64_t number, uint64_t now)
{
	uint32_t key = is_exit;
	struct scratch *s = bpf_map_lookup_elem(&scratches, &key);
	struct call_record *r;

	if (!s)
		return NULL;
	s->used = s->is_full = s->missed = 0;
	s->is_32 = is_32;
	s->is_exit = is_exit;
	r = &s->record;
	r->type = RECORD_SAMPLE;
	r->misc = 1; /* of the kernel */
	r->id = is_exit ? settings.exit_id : settings.enter_id;
	r->pid = ids >> 32;
	r->tid = (uint32_t)ids;
	r->time = now;
	r->cpu = bpf_get_smp_processor_id();
	r->reserved = 0;
	r->common_type = (uint16_t)(is_exit ? settings.exit_type : settings.enter_type);
	r->common_flags = r->common_preempt_count = 0;
	r->common_pid = (int32_t)ids;
	r->number = halves((uint64_t)number);
	return s;
}

static __always_inline void note_loss(uint64_t now)
{
	if (!state.lost_first)
		state.lost_first = now;
	state.lost_last = now;
	__sync_fetch_and_add(&state.lost, 1);
}

/* @fixed: bytes of the record before its items. Its size in all. */
static __always_inline uint32_t finish(struct scratch *s, uint32_t fixed)
{
	uint32_t size = fixed + (s->used & (SPACE - 1));
	uint32_t mark = CALLCOPY_MARK | (s->is_32 ? CALLCOPY_IS_32 : 0) |
			(s->is_full ? CALLCOPY_IS_FULL : 0);

	s->record.size = (uint16_t)size;
	s->record.raw_size = size - __builtin_offsetof(struct call_record, common_type);
	if (s->is_exit)
		s->record.exit.mark = mark;
	else
		s->record.entry.mark = mark;
	return size;
}

static __always_inline void put(struct call_record *record, uint64_t size, uint64_t now)
{
	uint64_t flags = BPF_RB_NO_WAKEUP;

	if (now - state.woken_ns > settings.wake_ns) {
		state.woken_ns = now;
		flags = BPF_RB_FORCE_WAKEUP;
	}
	barrier_var(size);
	if (size > sizeof(*record) || bpf_ringbuf_output(&ring, record, size, flags) < 0)
		note_loss(now);
}

static __always_inline void hold_back(struct scratch *s, uint64_t size)
{
	uint32_t key = 0;
	struct held *held = bpf_map_lookup_elem(&held_back, &key);

	barrier_var(size);
	if (!held || size > sizeof(s->record))
		return;
	(void)bpf_probe_read_kernel(&held->record, size, &s->record);
	held->size = (uint32_t)size;
}

static __always_inline void let_go(uint64_t now)
{
	uint32_t key = 0;
	struct held *held = bpf_map_lookup_elem(&held_back, &key);

	if (held && held->size)
		put(&held->record, held->size, now);
}

static __always_inline void keep_missed(uint32_t tid, uint32_t missed)
{
	if (missed && bpf_map_update_elem(&missing, &tid, &missed, BPF_ANY) == 0)
		__sync_fetch_and_add(&state.missed, 1);
}

/* What was not there at the entry, and may be now that the kernel has looked at it. */
static __always_inline uint32_t take_missed(uint32_t tid)
{
	uint32_t *found, missed;

	if (!state.missed)
		return 0;
	found = bpf_map_lookup_elem(&missing, &tid);
	if (!found)
		return 0;
	missed = *found;
	if (bpf_map_delete_elem(&missing, &tid) == 0)
		__sync_fetch_and_add(&state.missed, -1);
	return missed;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long number)
{
	uint64_t ids = bpf_get_current_pid_tgid(), now;
	struct callcopy_plan *plan;
	struct scratch *s;
	uint32_t is_32, watched = is_watched(ids), size;

	if (!watched)
		return 0;
	is_32 = is_32_bit();
	plan = plan_of(number, is_32);
	if (plan ? !plan->is_wanted : !settings.wants_other)
		return 0;
	now = bpf_ktime_get_ns();
	s = begin(ids, 0, is_32, number, now);
	if (!s)
		return 0;
	read_args(s, regs);
	s->args[CALLCOPY_ARGS] = 0;
	for (int i = 0; i < CALLCOPY_ARGS; i++)
		s->record.entry.args[i] = halves(s->args[i]);
	if (plan)
		take_steps(s, plan, 0, ~0U);
	size = finish(s, __builtin_offsetof(struct call_record, entry.items));
	if (watched == CALLS_WAITING) {
		hold_back(s, size);
		return 0;
	}
	put(&s->record, size, now);
	keep_missed((uint32_t)ids, s->missed);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_exit, struct pt_regs *regs, long result)
{
	uint64_t ids = bpf_get_current_pid_tgid(), now;
	struct callcopy_plan *plan;
	struct scratch *s;
	uint32_t is_32, missed;
	int64_t number;

	if (is_watched(ids) != CALLS_WATCHED)
		return 0;
	is_32 = is_32_bit();
	number = number_of(regs);
	plan = plan_of(number, is_32);
	/* Of a call that has forgotten its number (rt_sigreturn) the reader knows it. */
	if (plan ? !plan->is_wanted : number != -1 && !settings.wants_other)
		return 0;
	now = bpf_ktime_get_ns();
	s = begin(ids, 1, is_32, number, now);
	if (!s)
		return 0;
	read_args(s, regs);
	s->args[CALLCOPY_ARGS] = (uint64_t)result;
	s->record.exit.result = halves((uint64_t)result);
	missed = take_missed((uint32_t)ids);
	if (plan && missed)
		take_steps(s, plan, 0, missed);
	if (plan && result >= 0)
		take_steps(s, plan, 1, ~0U);
	if (settings.wants_stack)
		add_stack(s, ctx);
	put(&s->record, finish(s, __builtin_offsetof(struct call_record, exit.items)), now);
	return 0;
}

static __always_inline void watch(uint32_t tid)
{
	uint32_t watched = CALLS_WATCHED;

	if (bpf_map_update_elem(&threads, &tid, &watched, BPF_ANY) < 0)
		__sync_fetch_and_add(&state.untold, 1);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	uint32_t tid = (uint32_t)parent->pid;

	if (settings.by_thread && settings.follows && bpf_map_lookup_elem(&threads, &tid))
		watch((uint32_t)child->pid);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_end, struct task_struct *task)
{
	uint32_t tid = (uint32_t)task->pid;

	(void)take_missed(tid);
	if (settings.by_thread)
		(void)bpf_map_delete_elem(&threads, &tid);
	return 0;
}

/* A thread that becomes another program takes its process's number; the command begins so. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old)
{
	uint32_t tid = (uint32_t)old, *watched;

	if (!settings.by_thread)
		return 0;
	watched = bpf_map_lookup_elem(&threads, &tid);
	if (!watched)
		return 0;
	if (*watched == CALLS_WAITING)
		let_go(bpf_ktime_get_ns());
	else if (task->pid == old)
		return 0;
	if (task->pid != old)
		(void)bpf_map_delete_elem(&threads, &tid);
	watch((uint32_t)task->pid);
	return 0;
}
