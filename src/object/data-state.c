/* data-state.c - see data-state.h. */
#include "object/data-state.h"

struct data_value data_state_slot(const struct data_state *state, int64_t offset)
{
	for (size_t i = 0; i < DATA_STATE_SLOTS; i++) {
		if (state->slots[i].value.kind != DATA_VALUE_UNKNOWN &&
		    state->slots[i].offset == offset)
			return state->slots[i].value;
	}
	return (struct data_value){ 0 };
}

void data_state_clear(struct data_state *state, int64_t offset, uint64_t size)
{
	for (size_t i = 0; i < DATA_STATE_SLOTS; i++) {
		struct data_slot *slot = &state->slots[i];

		if ((uint64_t)slot->offset - (uint64_t)offset < size ||
		    (uint64_t)offset - (uint64_t)slot->offset < DATA_STATE_SLOT)
			slot->value = (struct data_value){ 0 };
	}
}

void data_state_put(struct data_state *state, int64_t offset, struct data_value value)
{
	data_state_clear(state, offset, DATA_STATE_SLOT);
	if (value.kind == DATA_VALUE_UNKNOWN)
		return;
	state->slots[state->next_slot] = (struct data_slot){ offset, value };
	state->next_slot = (state->next_slot + 1) % DATA_STATE_SLOTS;
}

void data_state_forget(struct data_state *state, uint64_t registers)
{
	for (size_t i = 0; i < INSN_REGISTERS; i++) {
		if (registers >> i & 1)
			state->values[i] = (struct data_value){ 0 };
	}
}

static bool meet(const struct data_here *here, struct data_value *value, struct data_value other)
{
	struct data_value met = data_value_meet(here, *value, other);
	bool changed = !data_value_same(*value, met);

	*value = met;
	return changed;
}

bool data_state_meet(const struct data_here *here, struct data_state *state,
		     const struct data_state *other)
{
	bool changed = false;

	for (size_t i = 0; i < INSN_REGISTERS; i++)
		changed |= meet(here, &state->values[i], other->values[i]);
	for (size_t i = 0; i < DATA_STATE_SLOTS; i++) {
		struct data_slot *slot = &state->slots[i];

		if (slot->value.kind != DATA_VALUE_UNKNOWN)
			changed |= meet(here, &slot->value, data_state_slot(other, slot->offset));
	}
	return changed;
}
