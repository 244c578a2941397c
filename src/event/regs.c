#include "event/regs.h"

#include <errno.h>
#include <stddef.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "format/registers.h"

#define BIT(n) (UINT64_C(1) << (n))

static const struct {
	const char *arch; /* as uname -m has it */
	uint64_t all;     /* what the kernel samples in 64-bit code */
	uint64_t least, leaf;
} machines[] = {
	/* Not DS, ES, FS and GS; nor XMM0 to XMM15, which only PEBS has. */
	[REGS_X86_64] = { "x86_64", 0xff0fff, BIT(7) | BIT(8), 0 },
	/* Not vg, which only CPUs with SVE have. */
	[REGS_ARM64] = { "aarch64", 0x1ffffffff, BIT(31) | BIT(32), BIT(30) },
	[REGS_OTHER] = { NULL, 0, 0, 0 },
};

/* NULL: none that can be sampled. */
static const char *name_of(enum regs_machine machine, unsigned bit)
{
	if (!(machines[machine].all & BIT(bit)))
		return NULL;
	return registers_name(machines[machine].arch, bit);
}

const char *regs_arch(enum regs_machine machine)
{
	return machines[machine].arch;
}

uint64_t regs_all(enum regs_machine machine)
{
	return machines[machine].all;
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
	for (unsigned i = 0; i < REGISTERS_MAX; i++) {
		const char *name = name_of(machine, i);

		if (name)
			str_addf(names, "%s%s", names->size ? " " : "", name);
	}
}

static int add_reg(enum regs_machine machine, const char *name, uint64_t *mask,
		   struct strobe_err *err)
{
	_cleanup_(str_done) struct str names = { 0 };

	for (unsigned i = 0; i < REGISTERS_MAX; i++) {
		const char *known = name_of(machine, i);

		if (known && !strcasecmp(known, name)) {
			*mask |= BIT(i);
			return 0;
		}
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
