/* test-live-unwind.c - stage/live-unwind.h, bytes to bytes: no kernel, and files that cannot be
 * opened, so that frame pointers lead. */
#include "../test.h"

#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>

#include "base/stack-sum.h"
#include "base/str.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "data/writer.h"
#include "stage/live-unwind.h"
#include "stage/stages.h"
#include "stage/told.h"
#include "unwind/unwinder.h"

enum { PID = 42, ID = 5, STACK_WORDS = 8, NAME_SIZE = 8 };

static const char program_name[NAME_SIZE] = "/bin/x", vdso_name[NAME_SIZE] = "[vdso]";
#define CODE UINT64_C(0x400000)
#define KERNEL_IP UINT64_C(0xffffffff81000010)
#define STACK UINT64_C(0x7ffe0000)

static const uint64_t types = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			      PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			      PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT;

static struct attr attr_of_copies(void)
{
	return (struct attr){ .sample_type = types,
			      .sample_id_all = 1,
			      .sample_regs_user = 1 << 6 | 1 << 7 | 1 << 8, /* BP, SP, IP */
			      .sample_stack_user = 8 * STACK_WORDS,
			      .exclude_callchain_user = 1 };
}

static unsigned open_count;

static int open_nothing(void *context, uint32_t pid, const struct map *map)
{
	open_count++;
	return -ENOENT;
}

static void add(struct str *out, uint64_t value)
{
	str_add_bytes(out, &value, sizeof(value));
}

static void add_header(struct str *out, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = { .type = type, .misc = misc };

	str_add_bytes(out, &header, sizeof(header));
}

static const struct perf_event_header *end(struct str *out)
{
	((struct perf_event_header *)(void *)out->text)->size = (uint16_t)out->size;
	return (const void *)out->text;
}

/* pid, tid | start | size | pgoff | device, inode | prot, flags | name | trailer */
static const struct perf_event_header *mapping(struct str *out, const char *name)
{
	str_clear(out);
	add_header(out, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	add(out, (uint64_t)PID << 32 | PID);
	add(out, CODE);
	add(out, 0x1000);
	add(out, 0);
	add(out, 1);
	add(out, 77);
	add(out, 0);
	add(out, UINT64_C(2) << 32 | 5);
	str_add_bytes(out, name, NAME_SIZE);
	add(out, (uint64_t)PID << 32 | PID);
	add(out, 100);
	add(out, ID);
	return end(out);
}

/* sp, then two frames: the frame pointers and return addresses of functions that keep them. */
static const uint64_t by_pointers[STACK_WORDS] = { 0, 0, STACK + 48, CODE + 0x20,
						   0, 0, 0,          CODE + 0x30 };

/* The same copy of functions that have two words each. */
static const uint64_t by_rows[STACK_WORDS] = { 0, CODE + 0x20, 0, CODE + 0x30,
					       0, CODE + 0x40, 0, CODE + 0x50 };

static const struct perf_event_header *sample_of(struct str *out, uint64_t abi,
						 const uint64_t *stack)
{
	const size_t size = STACK_WORDS * sizeof(*stack);

	str_clear(out);
	add_header(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	add(out, ID);
	add(out, KERNEL_IP);
	add(out, (uint64_t)PID << 32 | PID);
	add(out, 200);
	add(out, 2);
	add(out, (uint64_t)PERF_CONTEXT_KERNEL);
	add(out, KERNEL_IP);
	add(out, abi);
	if (abi) {
		add(out, STACK + 16);
		add(out, STACK);
		add(out, CODE + 0x10);
	}
	add(out, abi ? size : 0);
	if (abi) {
		str_add_bytes(out, stack, size);
		add(out, size);
	}
	add(out, 99); /* the weight, behind the copy */
	return end(out);
}

static const struct perf_event_header *sample(struct str *out, uint64_t abi)
{
	return sample_of(out, abi, by_pointers);
}

/* A recorder's way to the file. */
struct way {
	struct told *told;
	struct live_unwind *live;
	struct stages *stages;
	struct stage *stage;
};

static struct way start_with(struct told *told, struct live_unwind_options options,
			     const char *name)
{
	struct way way = { told, live_unwind_new(&options), stages_new(), NULL };
	const uint64_t ids[] = { ID };
	const struct writer_event event = { .attr = attr_of_copies(), .ids = ids, .id_count = 1 };
	struct str bytes = { 0 };

	stages_add(way.stages, told_stage(told));
	stages_add(way.stages, live_unwind_stage(way.live));
	way.stage = stages_stage(way.stages);
	way.stage->begin(way.stage, &event, 1);
	way.stage->look(way.stage, mapping(&bytes, name));
	way.stage->settle(way.stage);
	str_done(&bytes);
	return way;
}

static struct way start(bool keeps_registers)
{
	struct told *told = told_new();
	const struct live_unwind_options options = {
		.stack = { .told = told, .arch = "x86_64", .open = open_nothing },
		.keeps_registers = keeps_registers,
	};

	return start_with(told, options, program_name);
}

static void end_way(struct way *way)
{
	stages_free(way->stages);
	live_unwind_free(way->live);
	told_free(way->told);
}

/* What comes out, read by the attr that is said to describe it. */
static void pass(const struct way *way, uint64_t abi, struct str *out, struct sample *ret_sample)
{
	struct stage *stage = way->stage;
	struct attr attr = attr_of_copies();
	struct str bytes = { 0 };
	const struct perf_event_header *header = sample(&bytes, abi);

	stage->look(stage, header);
	stage->settle(stage);
	stage->pass(stage, header, out);
	stage->change_attr(stage, &attr);
	assert_int_equal(attr.exclude_callchain_user, 0);
	assert_int_equal(sample_decode(&attr, (const void *)out->text, ret_sample), 0);
	str_done(&bytes);
}

static void a_copy_becomes_a_call_chain(void **state)
{
	const uint64_t expected[] = { (uint64_t)PERF_CONTEXT_KERNEL,
				      KERNEL_IP,
				      (uint64_t)PERF_CONTEXT_USER,
				      CODE + 0x10,
				      CODE + 0x1f,
				      CODE + 0x2f };
	struct way way = start(false);
	struct stack_sum sum;
	struct sample made;
	struct str out = { 0 };

	pass(&way, PERF_SAMPLE_REGS_ABI_64, &out, &made);
	assert_int_equal(made.callchain_count, 6);
	assert_memory_equal(made.callchain, expected, sizeof(expected));
	assert_true(made.regs_user.count == 0 && made.stack_size == 0);
	assert_true(made.weight == 99 && made.time == 200 && made.ip == KERNEL_IP);
	live_unwind_sum(way.live, &sum);
	assert_true(sum.count == 1 && sum.no_cfi == 1);
	assert_string_equal(sum.objects[0].name, "x");
	str_done(&out);
	end_way(&way);
}

static void behind_a_stack_that_is_not_complete_stands_why(void **state)
{
	struct way way = start(false);
	struct sample made;
	struct str out = { 0 };
	const struct perf_event_header *header;
	const struct record_stack_update *update;

	pass(&way, PERF_SAMPLE_REGS_ABI_64, &out, &made);
	header = (const void *)out.text;
	update = (const void *)(out.text + header->size);
	assert_int_equal(out.size, header->size + sizeof(*update));
	assert_int_equal(update->header.type, RECORD_EVENT_UPDATE);
	assert_int_equal(update->header.size, sizeof(*update));
	assert_true(update->kind == RECORD_UPDATE_STACK && update->id == ID);
	assert_true(update->time_ns == 200 && update->tid == PID);
	assert_int_equal(update->verdict, UNWIND_NO_CFI);
	str_done(&out);
	end_way(&way);
}

static bool is_stored(const struct way *way)
{
	struct sample made;
	struct str out = { 0 };
	bool stored;

	pass(way, PERF_SAMPLE_REGS_ABI_64, &out, &made);
	stored = made.stack_size > 0;
	assert_int_equal(made.callchain_count, stored ? 2 : 6);
	assert_int_equal(made.regs_user.count, stored ? 3 : 0);
	assert_true(made.weight == 99);
	str_done(&out);
	return stored;
}

static void copies_are_stored_where_rings_fill_up(void **state)
{
	struct way way = start(false);
	const struct perf_event_header lost = { .type = PERF_RECORD_LOST, .size = sizeof(lost) };
	struct stack_sum sum;

	way.stage->fill(way.stage, 95);
	assert_false(is_stored(&way)); /* once is no rule */
	way.stage->fill(way.stage, 55);
	way.stage->fill(way.stage, 95);
	assert_false(is_stored(&way));
	way.stage->fill(way.stage, 95);
	assert_true(is_stored(&way));
	way.stage->fill(way.stage, 20);
	assert_true(is_stored(&way)); /* for a while */
	live_unwind_sum(way.live, &sum);
	assert_true(sum.stored == 2 && sum.stored_from_ns == 200 && sum.stored_until_ns == 200);
	assert_int_equal(sum.count, 2);
	end_way(&way);
	way = start(false);
	way.stage->look(way.stage, &lost);
	assert_true(is_stored(&way));
	end_way(&way);
}

static void registers_that_were_asked_for_stay(void **state)
{
	struct way way = start(true);
	struct sample made;
	struct str out = { 0 };

	pass(&way, PERF_SAMPLE_REGS_ABI_64, &out, &made);
	assert_int_equal(made.regs_user.count, 3);
	assert_true(made.regs_user.values[2] == CODE + 0x10);
	assert_true(made.weight == 99);
	str_done(&out);
	end_way(&way);
}

static void a_thread_of_the_kernel_has_only_its_part(void **state)
{
	struct way way = start(false);
	struct sample made;
	struct str out = { 0 };

	pass(&way, PERF_SAMPLE_REGS_ABI_NONE, &out, &made);
	assert_int_equal(made.callchain_count, 2);
	assert_true(made.weight == 99);
	str_done(&out);
	end_way(&way);
}

static void a_file_is_opened_once_and_other_records_pass_as_they_are(void **state)
{
	struct way way = start(false);
	struct stage *stage = way.stage;
	struct str bytes = { 0 }, out = { 0 };
	const struct perf_event_header *header = mapping(&bytes, program_name);
	unsigned before = open_count;

	stage->look(stage, header);
	stage->settle(stage);
	stage->pass(stage, header, &out);
	assert_int_equal(open_count, before);
	assert_int_equal(out.size, bytes.size);
	assert_memory_equal(out.text, bytes.text, out.size);
	str_done(&bytes);
	str_done(&out);
	end_way(&way);
}

/*
 * A file whose functions have two words on the stack, something and the return address; those of
 * its second half were called by nobody.
 */
static struct {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[3];
	char names[32];
	uint32_t frames[19]; /* a CIE of 20 bytes, two FDEs of 20 and of 24 bytes, the end */
	uint8_t rest[0xe00];
} image;

static void make_image(void)
{
	/* Lengths, ids, then what a CIE and FDEs consist of: version 1, no augmentation, factors 1
	 * and -8, return address 16; CFA = rsp + 16, return address at CFA - 8. An FDE begins with
	 * its function's address and size, 8 bytes each. */
	static const uint32_t frames[] = {
		16, 0,  0x78010001, 0x10070c10, 0x00000190,                /* CIE at 0 */
		20, 24, 0,          0,          0x800,      0,             /* FDE at 20 */
		24, 48, 0x800,      0,          0x800,      0, 0x00001007, /* DW_CFA_undefined 16 */
		0,
	};
	const size_t at = (size_t)((uint8_t *)image.frames - (uint8_t *)&image);
	const size_t names = (size_t)(image.names - (char *)&image);

	image.header = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, 1 },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(image.header),
		.e_shoff = sizeof(image.header) + sizeof(image.segment),
		.e_ehsize = sizeof(image.header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
	};
	image.segment = (Elf64_Phdr){ .p_type = PT_LOAD,
				      .p_flags = PF_R | PF_X,
				      .p_filesz = sizeof(image),
				      .p_memsz = sizeof(image) };
	image.sections[1] = (Elf64_Shdr){ .sh_name = 1,
					  .sh_type = SHT_PROGBITS,
					  .sh_flags = SHF_ALLOC,
					  .sh_addr = at,
					  .sh_offset = at,
					  .sh_size = sizeof(frames) };
	image.sections[2] = (Elf64_Shdr){ .sh_name = 11,
					  .sh_type = SHT_STRTAB,
					  .sh_offset = names,
					  .sh_size = sizeof(image.names) };
	memcpy(image.names, "\0.eh_frame\0.shstrtab", 21);
	memcpy(image.frames, frames, sizeof(frames));
}

/* What the process has behind the copy. */
static uint64_t outer_words[4];
static bool has_memory;

static size_t read_memory(void *context, uint32_t pid, uint64_t addr, void *bytes, size_t size)
{
	static const uint64_t begin = STACK + STACK_WORDS * sizeof(uint64_t);

	(void)context;
	if (!has_memory || pid != PID)
		return 0;
	for (size_t i = 0; i < size / sizeof(uint64_t); i++) {
		uint64_t at = addr + i * sizeof(uint64_t), word = 0;

		if (at >= begin + sizeof(outer_words))
			return i * sizeof(uint64_t);
		if (at >= begin)
			word = outer_words[(at - begin) / sizeof(uint64_t)];
		else if (at >= STACK)
			word = by_rows[(at - STACK) / sizeof(uint64_t)];
		memcpy((uint8_t *)bytes + i * sizeof(uint64_t), &word, sizeof(word));
	}
	return size;
}

static size_t frames_of(const struct way *way, unsigned *ret_verdict)
{
	struct str bytes = { 0 }, out = { 0 };
	const struct perf_event_header *header =
		sample_of(&bytes, PERF_SAMPLE_REGS_ABI_64, by_rows);
	const struct record_stack_update *update;
	struct attr attr = attr_of_copies();
	struct sample made;
	size_t count;

	way->stage->look(way->stage, header);
	way->stage->settle(way->stage);
	way->stage->pass(way->stage, header, &out);
	way->stage->change_attr(way->stage, &attr);
	assert_int_equal(sample_decode(&attr, (const void *)out.text, &made), 0);
	header = (const void *)out.text;
	update = (const void *)(out.text + header->size);
	*ret_verdict = out.size > header->size ? update->verdict : UNWIND_COMPLETE;
	count = made.callchain_count - 3; /* the kernel's part, and the user's mark */
	str_done(&bytes);
	str_done(&out);
	return count;
}

static void what_memory_had_later_teaches_nobody(void **state)
{
	struct told *told = told_new();
	const struct live_unwind_options options = {
		.stack = { .told = told,
			   .arch = "x86_64",
			   .open = open_nothing,
			   .read = read_memory,
			   .vdso = &image,
			   .vdso_size = sizeof(image) },
	};
	struct way way;
	unsigned verdict;

	make_image();
	way = start_with(told, options, vdso_name);
	outer_words[1] = CODE + 0x60;
	outer_words[3] = CODE + 0x810;
	has_memory = true;
	assert_int_equal(frames_of(&way, &verdict), 7);
	assert_int_equal(verdict, UNWIND_STITCHED);
	has_memory = false;
	assert_int_equal(frames_of(&way, &verdict), 5);
	assert_int_equal(verdict, UNWIND_TRUNCATED);
	end_way(&way);
}

static void a_damaged_sample_stays_as_it_is(void **state)
{
	struct way way = start(false);
	struct stage *stage = way.stage;
	struct str bytes = { 0 }, out = { 0 };

	(void)sample(&bytes, PERF_SAMPLE_REGS_ABI_64);
	((struct perf_event_header *)(void *)bytes.text)->size -= 32;
	stage->look(stage, (const void *)bytes.text);
	stage->settle(stage);
	stage->pass(stage, (const void *)bytes.text, &out);
	assert_int_equal(out.size, bytes.size - 32);
	assert_memory_equal(out.text, bytes.text, out.size);
	str_done(&bytes);
	str_done(&out);
	end_way(&way);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_becomes_a_call_chain),
		cmocka_unit_test(registers_that_were_asked_for_stay),
		cmocka_unit_test(a_thread_of_the_kernel_has_only_its_part),
		cmocka_unit_test(a_file_is_opened_once_and_other_records_pass_as_they_are),
		cmocka_unit_test(a_damaged_sample_stays_as_it_is),
		cmocka_unit_test(behind_a_stack_that_is_not_complete_stands_why),
		cmocka_unit_test(copies_are_stored_where_rings_fill_up),
		cmocka_unit_test(what_memory_had_later_teaches_nobody),
	};

	return cmocka_run_group_tests_name("live-unwind", tests, NULL, NULL);
}
