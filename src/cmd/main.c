/* main.c - find the command, run it, print its error. The only place that does. */
int main(void)
{
	return 0;
}
