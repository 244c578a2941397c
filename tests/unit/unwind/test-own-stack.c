/*
 * test-own-stack.c - unwind/unwinder.h on this program's own stack, whose true chain each function
 * notes as it is called: the addresses that __builtin_return_address(0) says.
 */
#include "../test.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

#include "object/cfi.h"
#include "object/elf-file.h"
#include "unwind/unwinder.h"

#ifdef __x86_64__
#define MACHINE "x86_64"
enum { SP = 7 };
#elif defined(__aarch64__)
#define MACHINE "aarch64"
enum { SP = 31 };
#endif

#ifdef MACHINE

enum { COPY = 16384, DEEP = 12, TRUE_MAX = 64 };

/* The chain as it is called, outermost first. */
static uintptr_t true_chain[TRUE_MAX];
static size_t true_count;
static struct unwind_result result;
static struct unwinder *unwinder;
static size_t copy_size = COPY;
static uintptr_t stack_end;

struct module {
	uintptr_t begin, end, bias;
	struct elf_file *file;
	struct cfi *cfi;
};
static struct module modules[32];
static size_t module_count;

static bool find(void *context, uint64_t addr, struct unwind_module *ret_module)
{
	for (size_t i = 0; i < module_count; i++) {
		if (addr < modules[i].begin || addr >= modules[i].end)
			continue;
		*ret_module =
			(struct unwind_module){ modules[i].cfi, modules[i].bias, &modules[i] };
		return true;
	}
	return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
	const char *path = module_count == 0 ? "/proc/self/exe" : info->dlpi_name;
	struct elf_file *file;

	if (module_count == 32 || elf_file_open(path, &file, NULL) < 0)
		return 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		modules[module_count++] =
			(struct module){ begin, begin + segment->p_memsz, info->dlpi_addr, file,
					 cfi_new(file, NULL) };
		return 0;
	}
	elf_file_free(file);
	return 0;
}

static void take_registers(const ucontext_t *context, struct unwind_registers *registers)
{
#ifdef __x86_64__
	static const int numbers[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				       REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
				       REG_R12, REG_R13, REG_R14, REG_R15 };

	for (uint8_t i = 0; i < 16; i++)
		unwind_registers_set(registers, i,
				     (uint64_t)context->uc_mcontext.gregs[numbers[i]]);
	registers->pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#else
	for (uint8_t i = 0; i < 31; i++)
		unwind_registers_set(registers, i, context->uc_mcontext.regs[i]);
	unwind_registers_set(registers, 31, context->uc_mcontext.sp);
	registers->pc = context->uc_mcontext.pc;
#endif
}

static void unwind(const ucontext_t *context)
{
	static uint8_t copy[COPY];
	struct unwind_registers registers = { 0 };
	struct unwind_request request = {
		.machine = unwind_registers_machine(MACHINE, 2),
		.registers = &registers,
		.memory = { .stack = copy, .stack_size = copy_size },
		.max = 100,
		.find = find,
	};

	take_registers(context, &registers);
	request.memory.stack_addr = registers.values[SP];
	if (stack_end - registers.values[SP] < copy_size) {
		request.memory.stack_size = stack_end - registers.values[SP];
		request.is_short = true;
	}
	memcpy(copy, (const void *)(uintptr_t)registers.values[SP], // NOLINT
	       request.memory.stack_size);
	result = unwinder_walk(unwinder, &request);
}

static void find_stack(void)
{
	pthread_attr_t attributes;
	void *begin;
	size_t size;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
	assert_int_equal(pthread_attr_getstack(&attributes, &begin, &size), 0);
	stack_end = (uintptr_t)begin + size;
	(void)pthread_attr_destroy(&attributes);
}

/* The chain from what called @frame on must be the true one; what is below is the test's own. */
static void check_from(size_t frame)
{
	for (size_t i = 0; i < true_count; i++, frame++) {
		assert_true(frame < result.count);
		assert_true(result.frames[frame].pc == true_chain[true_count - 1 - i]);
	}
}

static void note(void *address)
{
	true_chain[true_count++] = (uintptr_t)address;
}

static void (*volatile leaf)(void);

static __attribute__((noinline)) int deep(volatile int depth)
{
	volatile char room[100];

	note(__builtin_return_address(0));
	room[depth] = (char)depth;
	if (depth == 0)
		leaf();
	else
		(void)deep(depth - 1);
	return room[depth];
}

/* Of a size that only the frame pointer knows. */
static __attribute__((noinline)) int wide(volatile int size)
{
	volatile char *room = __builtin_alloca((size_t)size); // NOLINT

	note(__builtin_return_address(0));
	room[0] = 0;
	(void)deep(DEEP);
	return room[0];
}

static __attribute__((noinline)) void here(void)
{
	ucontext_t context;

	note(__builtin_return_address(0));
	(void)getcontext(&context);
	unwind(&context);
}

static void run(void (*what)(void))
{
	true_count = 0;
	leaf = what;
	(void)wide(300);
}

static void a_chain_of_calls_is_found_as_it_was_called(void **state)
{
	run(here);
	check_from(1);
	assert_int_equal(result.verdict, UNWIND_COMPLETE);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	ucontext_t own;

	(void)getcontext(&own);
	unwind(&own);
}

static __attribute__((noinline)) void raise_here(void)
{
	note(__builtin_return_address(0));
	(void)raise(SIGUSR1);
}

/* handler, what returns from it, the functions of libc that raised it, then the true chain */
static void a_handler_leads_to_what_it_interrupted(void **state)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	size_t frame = 1;

	(void)sigaction(SIGUSR1, &action, NULL);
	run(raise_here);
	while (frame < result.count && result.frames[frame].pc != true_chain[true_count - 1])
		frame++;
	check_from(frame);
	assert_true(result.frames[1].exact && result.frames[2].exact);
	assert_int_equal(result.verdict, UNWIND_COMPLETE);
}

/* The instruction that faults is the function's first: nothing called it one byte before. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	unwind(interrupted);
	leaf = here;
#ifdef __x86_64__
	interrupted->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)here;
#else
	interrupted->uc_mcontext.pc = (uintptr_t)here;
#endif
}

void own_stack_trap(void);
__asm__(".text\n"
	".type own_stack_trap, %function\n"
	"own_stack_trap:\n"
	".cfi_startproc\n"
#ifdef __x86_64__
	"	ud2\n"
#else
	"	udf #0\n"
#endif
	".cfi_endproc\n"
	".size own_stack_trap, . - own_stack_trap\n");

static void a_function_may_be_interrupted_at_its_first_instruction(void **state)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	size_t before;

	(void)sigaction(SIGILL, &action, NULL);
	run(own_stack_trap);
	(void)signal(SIGILL, SIG_DFL);
	before = true_count - 1; /* here() noted one more */
	assert_true(before > DEEP);
	assert_int_equal(result.verdict, UNWIND_COMPLETE);
}

static void a_short_copy_says_how_large_one_would_do(void **state)
{
	uint64_t needed;

	copy_size = 512;
	run(here);
	needed = result.needed;
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	assert_in_range(needed, 513, COPY);
	copy_size = (size_t)needed;
	run(here);
	assert_true(result.needed == 0 || result.needed > needed);
	copy_size = COPY;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_of_calls_is_found_as_it_was_called),
		cmocka_unit_test(a_handler_leads_to_what_it_interrupted),
		cmocka_unit_test(a_function_may_be_interrupted_at_its_first_instruction),
		cmocka_unit_test(a_short_copy_says_how_large_one_would_do),
	};
	int failed;

	unwinder = unwinder_new();
	find_stack();
	(void)dl_iterate_phdr(add_module, NULL);
	failed = cmocka_run_group_tests_name("own-stack", tests, NULL, NULL);
	for (size_t i = 0; i < module_count; i++) {
		cfi_free(modules[i].cfi);
		elf_file_free(modules[i].file);
	}
	unwinder_free(unwinder);
	return failed;
}

#else

int main(void)
{
	(void)puts("1..0 # SKIP the registers of this machine are not known here");
	return 0;
}

#endif
