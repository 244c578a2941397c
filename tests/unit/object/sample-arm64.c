/* sample-arm64.c - a call through a stub of the PLT. */
int elsewhere(void);
int here(void);

int here(void)
{
	return elsewhere() + 1;
}
