/* sample-inlines.c - functions within functions; test-inlines.c knows the numbers of these lines.
 */
extern volatile int sample_value;
volatile int sample_value;

static inline __attribute__((always_inline)) void innermost(void)
{
	sample_value++;
	sample_value++;
}

static inline __attribute__((always_inline)) void middle(int count)
{
	for (int i = 0; i < count; i++)
		innermost();
	sample_value--;
}

__attribute__((noinline)) void sample_outer(int count)
{
	middle(count);
	sample_value *= 2;
}

__attribute__((noinline)) void sample_other(int count)
{
	innermost();
	sample_value = count;
}

int main(int argc, char **argv)
{
	sample_outer(argc);
	sample_other(argc);
	return 0;
}
