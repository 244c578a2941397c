/* sample-other.c - another compilation unit, for programs that have two. */
int sample_other(int x);

int sample_other(int x)
{
	return x + 1;
}
