#include "event/regs.h"

#include <errno.h>
#include <stddef.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"

enum { REG_COUNT_MAX = 64 };

#define BIT(n) (UINT64_C(1) << (n))

/* By bit; NULL: a register that the kernel does not sample in this mode. */
static const char *const x86_64_names[REG_COUNT_MAX] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",  "FLAGS", "CS",  "SS",
	NULL, NULL, NULL, NULL, "R8", "R9", "R10", "R11", "R12", "R13",   "R14", "R15",
};
static const char *const arm64_names[REG_COUNT_MAX] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",
};
static const char *const no_names[REG_COUNT_MAX] = { NULL };

static const struct {
	const char *const *names;
	uint64_t least, leaf;
} machines[] = {
	[REGS_X86_64] = { x86_64_names, BIT(7) | BIT(8), 0 },
	[REGS_ARM64] = { arm64_names, BIT(31) | BIT(32), BIT(30) },
	[REGS_OTHER] = { no_names, 0, 0 },
};

uint64_t regs_all(enum regs_machine machine)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < REG_COUNT_MAX; i++)
		if (machines[machine].names[i])
			mask |= BIT(i);
	return mask;
}

uint64_t regs_least(enum regs_machine machine)
{
	return machines[machine].least;
}

uint64_t regs_leaf(enum regs_machine machine)
{
	return machines[machine].leaf;
}

void regs_list(enum regs_machine machine, struct str *names)
{
	for (unsigned i = 0; i < REG_COUNT_MAX; i++) {
		if (!machines[machine].names[i])
			continue;
		if (names->size)
			str_add_char(names, ' ');
		str_add(names, machines[machine].names[i]);
	}
}

static int add_reg(enum regs_machine machine, const char *name, uint64_t *mask,
		   struct strobe_err *err)
{
	_cleanup_(str_done) struct str names = { 0 };

	for (unsigned i = 0; i < REG_COUNT_MAX; i++)
		if (machines[machine].names[i] && !strcasecmp(machines[machine].names[i], name)) {
			*mask |= BIT(i);
			return 0;
		}
	regs_list(machine, &names);
	err_set(err, -EINVAL, "unknown register '%s'", name);
	return err_hint(err, -EINVAL, "there are %s", str_text(&names));
}

int regs_parse(enum regs_machine machine, const char *text, uint64_t *ret_mask,
	       struct strobe_err *err)
{
	uint64_t mask = 0;
	struct str_part part;

	while (str_split(&text, ',', &part)) {
		_cleanup_(freep) char *name = xstrndup(part.text, part.size);
		int r = add_reg(machine, name, &mask, err);

		if (r < 0)
			return r;
	}
	*ret_mask = mask;
	return 0;
}
