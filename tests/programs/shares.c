/*
 * shares.c - main calls mid, mid calls hot and warm: hot takes three quarters of the time.
 *
 * Their names show what readers do with them: hot is plain, warm is C++'s warm(int), cool is
 * Rust's, by both of its manglings.
 */
#include "freestanding.h"

NOINLINE void hot(unsigned long turns)
{
	work(turns);
}

void warm(unsigned long turns) __asm__("_Z4warmi");
NOINLINE void warm(unsigned long turns)
{
	work(turns);
}

void cool(unsigned long turns) __asm__("_ZN6shares4cool17h0123456789abcdefE");
NOINLINE void cool(unsigned long turns)
{
	work(turns);
}

void cold(unsigned long turns) __asm__("_RNvCs1234_6shares4cold");
NOINLINE void cold(unsigned long turns)
{
	work(turns);
}

NOINLINE void mid(void)
{
	hot(12);
	warm(2);
	cool(1);
	cold(1);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 4; i++)
		mid();
	return 0;
}
