/*
 * callcopy.h - what is copied of a program's memory while it makes a system call, and how that lies
 * in the records of its entry and its exit.
 *
 * Plain values that a BPF program in the kernel, the loader of it, and readers of recordings share;
 * all lie as a 64-bit machine's compiler puts them. `format` makes plans of what it knows of calls,
 * `kernel` hands them to the program, and `format` reads what came of it.
 *
 * A record is a sample of raw_syscalls:sys_enter or sys_exit. Its raw bytes are the tracepoint's
 * own, padded by four bytes as the kernel pads them, but these are not zeros:
 *
 *	sys_enter: common (8) | id | six arguments | u32 mark | items ...
 *	sys_exit:  common (8) | id | result        | u32 mark | items ...
 *
 * so that readers which know nothing of it see the tracepoint alone.
 */
#pragma once

#ifndef __bpf__
#include <stdint.h>
#else
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int int32_t;
typedef long long int64_t;
#endif

/* How a program entered the kernel: whose numbers and structs they are. */
enum callabi {
	CALLABI_X86_64,
	CALLABI_I386,
	CALLABI_ARM64,
	CALLABI_ARM,
	CALLABI_COUNT,
};

/* The mark: the number of its form in the upper half, which no padding has, and bits below. */
#define CALLCOPY_MARK 0x53430000U
#define CALLCOPY_MARK_MASK 0xffff0000U
enum callcopy_mark {
	CALLCOPY_IS_32 = 1 << 0,   /* by the ABI for programs of 32 bits */
	CALLCOPY_IS_FULL = 1 << 1, /* something found no room */
};

enum {
	CALLCOPY_ENTER_SIZE = 64, /* of a tracepoint's own bytes, before the mark */
	CALLCOPY_EXIT_SIZE = 24,
	CALLCOPY_ARGS = 6,
	CALLCOPY_STEPS = 8,       /* of a plan at most */
	CALLCOPY_CALLS = 1024,    /* numbers that may have a plan, of each of two ABIs */
	CALLCOPY_PARTS = 16,      /* of an array of pointers at most */
	CALLCOPY_PATH_MAX = 4096, /* bytes of a path, with its NUL */
	CALLCOPY_LEVELS = 32,     /* names that a file's path has at most */
};

/* An item of a record: its bytes follow, padded to 8. */
struct callcopy_item {
	uint16_t size; /* of the bytes */
	uint8_t arg;   /* whose */
	uint8_t what;  /* enum callcopy_what */
	uint32_t more; /* see there */
};

enum callcopy_what {
	CALLCOPY_BYTES,  /* of memory at the pointer; more: how many there would have been */
	CALLCOPY_STRING, /* the same of a text: it ends with a NUL unless it was cut */
	CALLCOPY_PART,   /* of memory at the pointer with number @more in the memory before */
	CALLCOPY_FAULT,  /* could not be read; more: the errno */
	CALLCOPY_FILE,   /* of a descriptor: struct callcopy_file, and names from the last to the
			    first, with a NUL behind each; more: bits of enum callcopy_file_is */
	CALLCOPY_STACK,  /* the user's call chain at the exit, innermost first, 8 bytes each */
};

enum callcopy_file_is {
	CALLCOPY_FILE_CUT = 1 << 0,     /* there would be more names */
	CALLCOPY_FILE_DELETED = 1 << 1, /* it has no name any more */
	CALLCOPY_FILE_KNOWN = 1 << 2,   /* an item before had its names: the same file */
};

struct callcopy_file {
	uint64_t key; /* equal of equal descriptions of files, until one is told anew */
	uint64_t inode;
	uint32_t magic; /* of the file system: statfs(2) */
	uint16_t mode;  /* type and rights: inode(7) */
	uint16_t reserved;
};

/* What to do with an argument. */
enum callcopy_do {
	CALLCOPY_NOTHING,
	CALLCOPY_DO_STRING,  /* size: at most */
	CALLCOPY_DO_BYTES,   /* size times the count: */
	CALLCOPY_DO_STRINGS, /* an array of pointers to texts; size: at most of each */
	CALLCOPY_DO_PARTS,   /* iovecs, and of each at most size bytes of what it points at */
	CALLCOPY_DO_MESSAGE, /* a struct msghdr: its name, its iovecs and what they point at */
	CALLCOPY_DO_FILE,    /* the descriptor's file */
	CALLCOPY_DO_FILES,   /* those of two descriptors at the pointer */
};

enum callcopy_counted {
	CALLCOPY_ONE,
	CALLCOPY_BY_ARGUMENT, /* the value of argument count_arg */
	CALLCOPY_BY_POINTED,  /* an int that argument count_arg points at */
	CALLCOPY_BY_RESULT,   /* what the call returned */
};

struct callcopy_step {
	uint8_t what; /* enum callcopy_do */
	uint8_t arg;  /* CALLCOPY_ARGS: the result */
	uint8_t at_exit;
	uint8_t counted; /* enum callcopy_counted */
	uint8_t count_arg;
	uint8_t on_arg; /* 0: always; else only where argument on_arg - 1 is the number of a bit of
			   on_bits */
	uint16_t limit; /* bytes that are copied at most */
	uint32_t size;  /* bytes of one */
	uint64_t on_bits;
};

/* What to do at a call. */
struct callcopy_plan {
	uint8_t is_wanted; /* else there is no record of it */
	uint8_t reserved[3];
	uint32_t step_count;
	struct callcopy_step steps[CALLCOPY_STEPS];
};
