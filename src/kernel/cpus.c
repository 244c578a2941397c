/* cpus.c - see cpus.h. */
#include "kernel/cpus.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

enum { CPU_LIMIT = 65536 }; /* far above any kernel's NR_CPUS */

bool cpus_has(const struct cpus *cpus, int cpu)
{
	for (size_t i = 0; i < cpus->count; i++)
		if (cpus->items[i] == cpu)
			return true;
	return false;
}

void cpus_done(struct cpus *cpus)
{
	free(cpus->items);
	*cpus = (struct cpus){ 0 };
}

/* Keeps the order; lists are short, and mostly ascending already. */
static void add(struct cpus *cpus, int cpu)
{
	size_t at = cpus->count;

	while (at > 0 && cpus->items[at - 1] > cpu)
		at--;
	if (at > 0 && cpus->items[at - 1] == cpu)
		return;
	grow(cpus);
	memmove(cpus->items + at + 1, cpus->items + at, (cpus->count - at) * sizeof(int));
	cpus->items[at] = cpu;
	cpus->count++;
}

static bool number(const char **text, int *ret_number)
{
	char *end;
	unsigned long n;

	if (!isdigit((unsigned char)**text))
		return false;
	n = strtoul(*text, &end, 10);
	if (n >= CPU_LIMIT)
		return false;
	*text = end;
	*ret_number = (int)n;
	return true;
}

int cpus_parse(struct cpus *cpus, const char *text, struct strobe_err *err)
{
	const char *p = text;

	do {
		int first, last;

		if (!number(&p, &first))
			goto bad;
		last = first;
		if (*p == '-' && (p++, !number(&p, &last) || last < first))
			goto bad;
		for (int cpu = first; cpu <= last; cpu++)
			add(cpus, cpu);
	} while (*p == ',' && p++);
	if (*p == '\0' || strcmp(p, "\n") == 0)
		return 0;
bad:
	return err_set(err, -EINVAL, "'%s' is no list of CPUs, such as 0-2,5", text);
}

int cpus_online(struct cpus *cpus, const char *root, struct strobe_err *err)
{
	char path[4096], text[4096];

	(void)snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/online", root ? root : "");
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	if (file && fgets(text, sizeof(text), file))
		return cpus_parse(cpus, text, err);
	if (root)
		return err_set(err, -ENOENT, "cannot read '%s'", path);
	/* /sys is not mounted in every container. */
	for (int cpu = 0; cpu < (int)sysconf(_SC_NPROCESSORS_ONLN); cpu++)
		add(cpus, cpu);
	return 0;
}
