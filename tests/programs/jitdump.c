/*
 * jitdump.c - code that is made at run time, and replaced by other code at the same address; a JIT
 * dump tells so, in the current folder; or, with the word "map", a perf map.
 *
 * Each function is a loop that runs for a while. Before each, all memory for code is made writable
 * and then code again, as compilers do that never let it be both.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
/* push %rbp; mov %rsp, %rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const uint8_t loop[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3 };
#else
enum { MACHINE = EM_AARCH64 };
/* 1: subs x0, x0, 1; b.ne 1b; ret */
static const uint8_t loop[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff,
				0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6 };
#endif

static FILE *dump, *map;
static uint8_t *memory;
static uint64_t count;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void begin_map(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
}

static void begin_dump(void)
{
	struct {
		uint32_t magic, version, size, machine, pad, pid;
		uint64_t time, flags;
	} header = { 0x4A695444, 1, sizeof(header), MACHINE, 0, (uint32_t)getpid(), now(), 0 };
	char path[64];

	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	dump = fopen(path, "w+");
	fwrite(&header, sizeof(header), 1, dump);
	fflush(dump);
	if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		exit(1);
}

static void tell(const char *name, const uint8_t *place)
{
	struct {
		uint32_t type, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, address, code_size, index;
	} load = { .time = now(),
		   .pid = (uint32_t)getpid(),
		   .tid = (uint32_t)getpid(),
		   .vma = (uintptr_t)place,
		   .address = (uintptr_t)place,
		   .code_size = sizeof(loop),
		   .index = count++ };
	struct {
		uint32_t type, size;
		uint64_t time, address, lines;
		uint64_t line_address;
		uint32_t line, column;
		char file[8];
	} lines = { 2, sizeof(lines), load.time, load.address, 1, load.address, 42, 0, "made.js" };

	load.size = (uint32_t)(sizeof(load) + strlen(name) + 1 + sizeof(loop));
	fwrite(&lines, sizeof(lines), 1, dump);
	fwrite(&load, sizeof(load), 1, dump);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(loop, sizeof(loop), 1, dump);
	fflush(dump);
}

static void tell_map(const char *name, const uint8_t *place)
{
	fprintf(map, "%lx %zx %s\n", (unsigned long)place, sizeof(loop), name);
	fflush(map);
}

static void __attribute__((noinline)) run(const char *name, unsigned at, unsigned long turns)
{
	uint8_t *place = memory + at;
	void (*made)(unsigned long);

	mprotect(memory, PAGE, PROT_READ | PROT_WRITE);
	memcpy(place, loop, sizeof(loop));
	mprotect(memory, PAGE, PROT_READ | PROT_EXEC);
	__builtin___clear_cache((char *)place, (char *)place + sizeof(loop));
	if (map)
		tell_map(name, place);
	else
		tell(name, place);
	memcpy(&made, &place, sizeof(made));
	made(turns);
	__asm__ volatile("" : : : "memory"); /* no jump into what is made: a call */
}

int main(int argc, char **argv)
{
	unsigned long turns = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000000;

	if (argc > 2 && strcmp(argv[2], "map") == 0)
		begin_map();
	else
		begin_dump();
	memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	run("elsewhere", 64, turns / 4);
	run("first", 0, turns);
	run("second", 0, 2 * turns);
	run("_ZN5third3runEi", 0, turns);
	run("elsewhere_again", 128, turns / 4);
	return fclose(map ? map : dump);
}
