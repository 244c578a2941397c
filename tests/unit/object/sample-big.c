/* sample-big.c - an exported symbol without a size, and megabytes of code behind it that nobody
 * names. */
int main(void)
{
	return 0;
}

__asm__(".text\n"
	".globl sample_sizeless_far\n"
	".type sample_sizeless_far, %function\n"
	"sample_sizeless_far:\n"
	"	.zero 4 * 1024 * 1024, 0x90\n");
