/*
 * data-flow.c - see data-flow.h.
 *
 * The code is gone through from first to last, with what registers are known to have. Where it can
 * be reached by a jump, that is what is known at all places that it is reached from. Loops jump
 * back, so all is done again until nothing changes any more.
 */
#include "object/data-flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "object/cfi.h"
#include "object/data-accesses.h"
#include "object/data-joints.h"
#include "object/data-state.h"
#include "object/data-types.h"
#include "object/data-value.h"
#include "object/insn-moves.h"
#include "object/variables.h"

enum {
	PASSES_MAX = 16,      /* then nothing is believed of where jumps lead to */
	VARIABLES_MAX = 1024, /* that hold at one place */
	CANARY_OFFSET = 0x28, /* in the thread's block, on x86-64 */
};

struct following {
	const struct data_flow_code *code;
	struct data_here here;
	struct data_state state;
	bool goes_on;    /* the instruction before may be followed by this one */
	bool is_reached; /* from the function's beginning, as far as is known */
	bool changed;
	struct data_access before; /* of what may run as one with this: the one before */
	struct {
		struct insn_moves *items;
		size_t count, capacity;
	} insns; /* of those that cannot be read, nothing is known afterwards */
	struct data_joints joints;
	size_t next_joint;
	/* Places of variables that hold here. */
	struct {
		const struct variable **items;
		size_t count, capacity;
	} variables;
	size_t next_variable;
	int frame_reg; /* has the frame's address less @frame_offset; or -1 */
	int64_t frame_offset;
};

static void read_insns(struct following *f)
{
	const struct data_flow_code *code = f->code;
	size_t shortest = insn_moves_convention(code->reader)->shortest;

	for (size_t at = 0; at < code->size;) {
		struct insn_moves *insn;

		grow(&f->insns);
		insn = &f->insns.items[f->insns.count++];
		if (!insn_moves_read(code->reader, code->bytes + at, code->size - at,
				     code->begin + at, insn))
			*insn = (struct insn_moves){ .lost = UINT64_MAX,
						     .size = shortest,
						     .goes_on = true };
		at += insn->size;
	}
}

/* Which variables are where, and where the frame is. */
static void look_around(struct following *f)
{
	const struct variables_function *function = f->here.function;
	struct cfi_row row;
	size_t kept = 0;

	for (size_t i = 0; i < f->variables.count; i++) {
		if (f->here.vaddr < f->variables.items[i]->end)
			f->variables.items[kept++] = f->variables.items[i];
	}
	f->variables.count = kept;
	while (function && f->next_variable < function->count &&
	       function->items[f->next_variable].begin <= f->here.vaddr) {
		const struct variable *variable = &function->items[f->next_variable++];

		if (f->here.vaddr >= variable->end || variable->kind == VARIABLE_IN_FRAME ||
		    f->variables.count == VARIABLES_MAX)
			continue;
		grow(&f->variables);
		f->variables.items[f->variables.count++] = variable;
	}
	f->frame_reg = -1;
	if (f->code->cfi && cfi_find(f->code->cfi, f->here.vaddr, &row) == 0 &&
	    row.cfa.kind == CFI_REGISTER && row.cfa.reg < INSN_REGISTERS) {
		f->frame_reg = row.cfa.reg;
		f->frame_offset = row.cfa_offset;
	}
}

/* Numbers of a file may be any: they go round. */
static int64_t negated(int64_t number)
{
	return (int64_t) - (uint64_t)number;
}

/* What a variable that is there says of its register. */
static struct data_value value_of_variable(const struct following *f,
					   const struct variable *variable)
{
	struct data_value value = data_value_of(&f->here, variable->type);

	switch (variable->kind) {
	case VARIABLE_IN_REGISTER:
		return value;
	case VARIABLE_OF_REGISTER:
		return data_value_add(value, negated(variable->offset));
	case VARIABLE_AT_REGISTER:
		return (struct data_value){ DATA_VALUE_POINTER, variable->type, -variable->offset,
					    NULL };
	default:
		return (struct data_value){ 0 };
	}
}

/*
 * Of several variables in one register, most is told by what the register itself is, and not some
 * bytes from there, by what has fields, and by the largest: others are in it.
 */
static bool tells_more(const struct variable *variable, const struct data_value *value,
		       const struct variable *other, const struct data_value *before)
{
	bool is_exact = variable->kind == VARIABLE_IN_REGISTER,
	     was_exact = other->kind == VARIABLE_IN_REGISTER;
	bool has_fields = value->type && value->type->kind == DATA_TYPE_FIELDS,
	     had_fields = before->type && before->type->kind == DATA_TYPE_FIELDS;

	if (has_fields != had_fields)
		return has_fields;
	if (is_exact != was_exact)
		return is_exact;
	return value->type && before->type && value->type->size > before->type->size;
}

/* A register keeps what a variable was in it, when the variable is said to be there no more. */
static void believe_variables(struct following *f)
{
	const struct variable *told[INSN_REGISTERS] = { 0 };

	for (size_t i = 0; i < f->variables.count; i++) {
		const struct variable *variable = f->variables.items[i];
		struct data_value value, *known;

		if (variable->reg < 0 || variable->reg >= INSN_REGISTERS)
			continue;
		value = value_of_variable(f, variable);
		known = &f->state.values[variable->reg];
		if (value.kind == DATA_VALUE_UNKNOWN ||
		    (told[variable->reg] &&
		     !tells_more(variable, &value, told[variable->reg], known)))
			continue;
		*known = value;
		told[variable->reg] = variable;
	}
	if (f->frame_reg >= 0)
		f->state.values[f->frame_reg] =
			(struct data_value){ DATA_VALUE_FRAME, NULL, negated(f->frame_offset),
					     NULL };
}

static struct data_value value_of(const struct following *f, int reg)
{
	return reg >= 0 && reg < INSN_REGISTERS ? f->state.values[reg] : (struct data_value){ 0 };
}

/* Where an operand in memory is. With an index, that is in some element of an array. */
static struct data_value address_of(const struct following *f, const struct insn_memory *memory)
{
	struct data_value value;

	if (memory->in_segment)
		return (struct data_value){ 0 };
	if (memory->base == INSN_REG_PC || (memory->base == INSN_REG_NONE && memory->offset != 0))
		return (struct data_value){ DATA_VALUE_NUMBER, NULL, memory->offset, NULL };
	value = value_of(f, memory->base);
	if (value.kind == DATA_VALUE_UNKNOWN && memory->scale == 1)
		value = value_of(f, memory->index);
	value = data_value_add(value, memory->offset);
	return memory->index == INSN_REG_NONE ? value : data_value_index(&f->here, value);
}

/*
 * An index counts elements of an array that is in a struct. Where no array is at the offset, the
 * compiler has put a part of it into the index, and nobody knows which field it is.
 */
static bool may_be_there(const struct following *f, const struct insn_memory *memory,
			 const struct data_type *type, uint64_t offset)
{
	return memory->index == INSN_REG_NONE || memory->scale <= 1 ||
	       type->kind != DATA_TYPE_FIELDS || type->size == memory->scale ||
	       data_types_has_array(f->here.types, type, offset);
}

/* What an operand, and @further bytes, is: the variable itself, or what its address leads to. */
static bool find_data(const struct following *f, const struct insn_memory *memory, int64_t further,
		      const struct data_type **ret_type, uint64_t *ret_offset)
{
	for (size_t i = 0; i < f->variables.count; i++) {
		const struct variable *variable = f->variables.items[i];
		uint64_t offset =
			(uint64_t)memory->offset + (uint64_t)further - (uint64_t)variable->offset;

		if (variable->kind != VARIABLE_AT_REGISTER || variable->reg != memory->base ||
		    offset >= variable->type->size)
			continue;
		*ret_type = variable->type;
		*ret_offset = offset;
		return true;
	}
	return data_value_target(&f->here, data_value_add(address_of(f, memory), further), ret_type,
				 ret_offset) &&
	       may_be_there(f, memory, *ret_type, *ret_offset);
}

/* What was put away where an operand is, if that is no variable. */
static struct data_value slot_of(const struct following *f, const struct insn_memory *memory,
				 int64_t further)
{
	struct data_value address = address_of(f, memory);

	if (address.kind != DATA_VALUE_FRAME || memory->index != INSN_REG_NONE)
		return (struct data_value){ 0 };
	return data_state_slot(&f->state, data_value_add(address, further).offset);
}

static struct data_value loaded_by(struct following *f, const struct insn_moves *insn,
				   int64_t further)
{
	const struct data_type *type;
	uint64_t offset;

	if (insn->memory_count == 0)
		return (struct data_value){ 0 };
	if (find_data(f, &insn->memory[0], further, &type, &offset))
		return data_value_load(&f->here, type, offset);
	return slot_of(f, &insn->memory[0], further);
}

/* What a store does to slots. */
static void take_store(struct following *f, const struct insn_moves *insn)
{
	const struct insn_memory *memory =
		insn->memory_count > 0 ? &insn->memory[insn->memory_count - 1] : NULL;
	struct data_value address;

	if (!memory || !memory->writes)
		return;
	address = address_of(f, memory);
	if (address.kind != DATA_VALUE_FRAME || memory->index != INSN_REG_NONE)
		return;
	if (insn->stores != INSN_REG_NONE)
		data_state_put(&f->state, address.offset, value_of(f, insn->stores));
	else
		data_state_clear(&f->state, address.offset,
				 memory->size ? memory->size : DATA_STATE_SLOT);
}

static struct data_value result_of(struct following *f, const struct insn_moves *insn,
				   const struct insn_move *move)
{
	struct data_value source = value_of(f, move->source), other;

	switch (move->kind) {
	case INSN_MOVE_COPY:
		return data_value_add(source, move->number);
	case INSN_MOVE_EITHER:
		return data_value_meet(&f->here, source, value_of(f, move->other));
	case INSN_MOVE_INDEX:
		other = value_of(f, move->other);
		if (source.kind != DATA_VALUE_UNKNOWN && other.kind != DATA_VALUE_UNKNOWN)
			return (struct data_value){ 0 };
		return data_value_index(&f->here,
					source.kind != DATA_VALUE_UNKNOWN ? source : other);
	case INSN_MOVE_NUMBER:
		return (struct data_value){ DATA_VALUE_NUMBER, NULL, move->number, NULL };
	case INSN_MOVE_LOAD:
		return loaded_by(f, insn, move->number);
	case INSN_MOVE_ADDRESS:
		return insn->memory_count > 0 ? address_of(f, &insn->memory[0])
					      : (struct data_value){ 0 };
	default:
		return (struct data_value){ 0 };
	}
}

static void take_call(struct following *f, const struct insn_moves *insn)
{
	const struct insn_convention *convention = insn_moves_convention(f->code->reader);

	data_state_forget(&f->state, convention->lost_in_calls);
	if (insn->to && f->here.variables)
		f->state.values[convention->result] =
			data_value_of(&f->here, variables_result(f->here.variables, insn->to));
}

static void take_moves(struct following *f, const struct insn_moves *insn)
{
	struct data_value results[INSN_MOVES_MOST];

	for (size_t i = 0; i < insn->count; i++)
		results[i] = result_of(f, insn, &insn->items[i]);
	take_store(f, insn);
	if (insn->lost == UINT64_MAX)
		f->state = (struct data_state){ 0 };
	data_state_forget(&f->state, insn->lost);
	for (size_t i = 0; i < insn->count; i++)
		f->state.values[insn->items[i].target] = results[i];
	if (insn->calls)
		take_call(f, insn);
}

/* A register that is put away, or comes back. */
static bool find_stored(struct following *f, const struct insn_moves *insn,
			const struct insn_memory *memory, struct data_access *access)
{
	struct data_value value = slot_of(f, memory, 0);

	if (memory->writes && address_of(f, memory).kind == DATA_VALUE_FRAME)
		value = value_of(f, insn->stores);
	access->type = value.declared;
	access->offset = 0;
	return value.declared;
}

static struct data_access own_access(struct following *f, const struct insn_moves *insn)
{
	struct data_access access = { .kind = insn->of_stack ? DATA_ACCESS_STACK
							     : DATA_ACCESS_UNKNOWN };

	for (size_t i = 0; i < insn->memory_count; i++) {
		const struct insn_memory *memory = &insn->memory[i];

		if (!memory->reads && !memory->writes)
			continue;
		if (memory->in_segment && memory->base == INSN_REG_NONE &&
		    memory->offset == CANARY_OFFSET)
			return (struct data_access){ .kind = DATA_ACCESS_CANARY };
		if (find_data(f, memory, 0, &access.type, &access.offset) ||
		    find_stored(f, insn, memory, &access)) {
			access.kind = DATA_ACCESS_TYPE;
			return access;
		}
	}
	return access;
}

/* A comparison with memory and the jump behind it are one: samples hit either. */
static struct data_access access_of(struct following *f, const struct insn_moves *insn)
{
	struct data_access access = own_access(f, insn);

	if (insn->jumps && insn->goes_on && access.kind == DATA_ACCESS_UNKNOWN)
		access = f->before;
	f->before = insn->fuses ? access : (struct data_access){ 0 };
	return access;
}

/* The first one that is not behind us; or NULL. */
static struct data_joint *next_joint(const struct following *f)
{
	return f->next_joint < f->joints.count ? &f->joints.items[f->next_joint] : NULL;
}

/*
 * What is known where an instruction begins. What nobody is known to come to may be padding, or
 * what a table of jumps leads to: it starts with nothing, and says nothing of where it goes on.
 */
static void arrive(struct following *f)
{
	struct data_joint *joint = next_joint(f);

	if (joint && joint->vaddr == f->here.vaddr) {
		if (f->is_reached)
			f->changed |= data_joints_reach(&f->here, joint, &f->state);
		if (joint->is_reached)
			f->state = joint->state;
		else if (!f->goes_on)
			f->state = (struct data_state){ 0 };
		f->is_reached = joint->is_reached;
	} else if (!f->goes_on || f->joints.too_many) {
		f->state = (struct data_state){ 0 };
	}
	for (; joint && joint->vaddr <= f->here.vaddr; joint = next_joint(f))
		f->next_joint++;
}

static void leave(struct following *f, const struct insn_moves *insn)
{
	struct data_joint *joint =
		insn->jumps && f->is_reached ? data_joints_at(&f->joints, insn->to) : NULL;

	if (joint)
		f->changed |= data_joints_reach(&f->here, joint, &f->state);
	f->goes_on = insn->goes_on;
	f->is_reached &= insn->goes_on;
}

/* @each may be NULL: then only what reaches where is found out. */
static void pass(struct following *f, data_flow_each *each, void *context)
{
	f->state = (struct data_state){ 0 };
	f->is_reached = f->goes_on = true;
	f->changed = false;
	f->before = (struct data_access){ 0 };
	f->next_joint = f->next_variable = f->variables.count = 0;
	f->here.vaddr = f->code->begin;
	for (size_t i = 0; i < f->insns.count; i++) {
		const struct insn_moves *insn = &f->insns.items[i];

		arrive(f);
		look_around(f);
		believe_variables(f);
		if (each) {
			struct data_access access = access_of(f, insn);

			if (access.kind != DATA_ACCESS_UNKNOWN)
				each(context, f->here.vaddr, &access);
		}
		take_moves(f, insn);
		leave(f, insn);
		f->here.vaddr += insn->size;
	}
}

void data_flow_follow(const struct data_flow_code *code, data_flow_each *each, void *context)
{
	struct following f = {
		.code = code,
		.here = { code->types, code->variables, code->function, code->begin },
	};
	size_t passes = 0;

	read_insns(&f);
	data_joints_find(&f.joints, f.insns.items, f.insns.count, code->begin, code->size);
	do
		pass(&f, NULL, NULL);
	while (f.changed && ++passes < PASSES_MAX);
	if (f.changed)
		data_joints_doubt(&f.joints);
	pass(&f, each, context);
	free(f.insns.items);
	data_joints_done(&f.joints);
	free(f.variables.items);
}
