/* data-joints.c - see data-joints.h. */
#include "object/data-joints.h"

#include <stdlib.h>

#include "base/mem.h"

enum { JOINTS_MAX = 1 << 14 }; /* a state is some kilobytes */

static int by_number(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Where jumps lead to, each place once. */
static size_t find_targets(const struct insn_moves *insns, size_t count, uint64_t begin,
			   uint64_t size, uint64_t *targets)
{
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (insns[i].jumps && insns[i].to - begin < size)
			targets[found++] = insns[i].to;
	}
	if (found > 0)
		qsort(targets, found, sizeof(*targets), by_number);
	for (size_t i = 0; i < found; i++) {
		if (kept == 0 || targets[kept - 1] != targets[i])
			targets[kept++] = targets[i];
	}
	return kept;
}

void data_joints_find(struct data_joints *joints, const struct insn_moves *insns, size_t count,
		      uint64_t begin, uint64_t size)
{
	uint64_t *targets = xcalloc(count + 1, sizeof(*targets));
	size_t found = find_targets(insns, count, begin, size, targets);

	*joints = (struct data_joints){ .too_many = found > JOINTS_MAX };
	if (!joints->too_many) {
		joints->items = xcalloc(found + 1, sizeof(*joints->items));
		joints->count = found;
		for (size_t i = 0; i < found; i++)
			joints->items[i].vaddr = targets[i];
	}
	free(targets);
}

void data_joints_done(struct data_joints *joints)
{
	free(joints->items);
}

static int by_vaddr(const void *a, const void *b)
{
	const struct data_joint *left = a, *right = b;

	return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

struct data_joint *data_joints_at(const struct data_joints *joints, uint64_t vaddr)
{
	const struct data_joint wanted = { .vaddr = vaddr };

	return joints->count > 0 ? bsearch(&wanted, joints->items, joints->count,
					   sizeof(*joints->items), by_vaddr)
				 : NULL;
}

bool data_joints_reach(const struct data_here *here, struct data_joint *joint,
		       const struct data_state *state)
{
	if (joint->is_reached)
		return data_state_meet(here, &joint->state, state);
	joint->is_reached = true;
	joint->state = *state;
	return true;
}

void data_joints_doubt(struct data_joints *joints)
{
	for (size_t i = 0; i < joints->count; i++) {
		joints->items[i].is_reached = true;
		joints->items[i].state = (struct data_state){ 0 };
	}
}
