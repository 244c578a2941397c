/* sample.c - an object with every kind of symbol, which the tests of ELF files take apart. It is
 * built without sanitizers, so that its tables hold what is written here.
 */
#include <stdlib.h>

int sample_global(int x);
int sample_weak(int x);
int sample_hidden_alias(int x);
int sample_outer(int x);

int sample_table[64];
static __thread int sample_thread_local;

static __attribute__((noinline)) int sample_static(int x)
{
	sample_thread_local += x;
	return x * 3 + sample_table[x & 63] + sample_thread_local;
}

__attribute__((noinline)) int sample_global(int x)
{
	return sample_static(x) + 1;
}

__attribute__((weak, alias("sample_global"))) int sample_weak(int x);

static __attribute__((used)) int sample_chosen(int x)
{
	return x + 2;
}

__asm__(".section .unloaded, \"\", %progbits\n"
	".type sample_unloaded, %object\n"
	"sample_unloaded:\n"
	"	.zero 16\n"
	".size sample_unloaded, . - sample_unloaded\n"
	".text\n");

#ifdef __x86_64__
static __attribute__((used)) void *sample_resolver_of_ifunc(void)
{
	return sample_chosen;
}

int sample_ifunc(int x) __attribute__((ifunc("sample_resolver_of_ifunc")));

__asm__(".text\n"
	".globl sample_sizeless\n"
	".type sample_sizeless, @function\n"
	"sample_sizeless:\n"
	"	.zero 64, 0x90\n"
	".globl sample_label\n"
	"sample_label:\n"
	"	.zero 16, 0x90\n"
	".globl sample_hidden_label\n"
	".hidden sample_hidden_label\n"
	"sample_hidden_label:\n"
	"	.zero 16, 0x90\n"
	"	ret\n"
	".globl sample_asm_outer\n"
	".type sample_asm_outer, @function\n"
	"sample_asm_outer:\n"
	"	.zero 16, 0x90\n"
	".type sample_asm_inner, @function\n"
	"sample_asm_inner:\n"
	"	.zero 16, 0x90\n"
	".size sample_asm_inner, . - sample_asm_inner\n"
	"	.zero 16, 0x90\n"
	".size sample_asm_outer, . - sample_asm_outer\n");
#endif

int main(int argc, char **argv)
{
	void *p = malloc((size_t)sample_global(argc));
#ifdef __x86_64__
	argc = sample_ifunc(argc);
#endif
	free(p);
	return argc + (int)strtol(argv[0], NULL, 0) + !getenv("SAMPLE");
}
