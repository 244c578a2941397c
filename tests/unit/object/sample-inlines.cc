/* sample-inlines.cc - functions within functions that have linkage names. */
extern "C" volatile int sample_value;
volatile int sample_value;

namespace inner {
struct Cell {
	__attribute__((always_inline)) explicit Cell(int start)
	{
		sample_value = start;
		sample_value++;
	}
};

inline __attribute__((always_inline)) Cell make(int start)
{
	return Cell(start + 1);
}
}

extern "C" __attribute__((noinline)) void sample_outer(int count)
{
	inner::make(count);
	sample_value *= 2;
}

int main(int argc, char **)
{
	sample_outer(argc);
}
