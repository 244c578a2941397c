#include "../test.h"

#include <byteswap.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "data/body.h"
#include "data/buildids.h"
#include "data/eventdesc.h"
#include "data/feature.h"
#include "data/pmus.h"
#include "data/topology.h"

#define LIST(...)                                                                                  \
	{                                                                                          \
		.items = (const char *[]){ __VA_ARGS__ },                                          \
		.count = sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *),                 \
	}

static const struct machine_topology TOPOLOGY = {
	.sockets = LIST("0-1"),
	.dies = LIST("0", "1"),
	.threads = LIST("0", "1"),
	.cpus = (struct machine_cpu[]){ { 4, 2, 1 }, { -1, 3, 0 } },
	.cpu_count = 2,
};

static const struct machine_memory MEMORY = {
	.block_size = 1 << 27,
	.nodes = (struct machine_blocks[]){ { 1, 70, (uint64_t[]){ 0xff, 0x20 } } },
	.count = 1,
};

static const struct machine_domains DOMAINS = {
	.version = 17,
	.max_count = 2,
	.cpus = (struct machine_cpu_domains[]){ { 0,
						  (struct machine_domain[]){
							  { 0, "MC", "03", "0-1" },
							  { 1, "PKG", "0f", "0-3" } },
						  2 },
						{ 1, NULL, 0 } },
	.count = 2,
};

static struct body_out encoded(unsigned feature)
{
	struct body_out out = { 0 };

	switch (feature) {
	case FEATURE_HOSTNAME:
		feature_string_encode("host", &out);
		break;
	case FEATURE_CMDLINE:
		feature_cmdline_encode(&(struct machine_list)LIST("perf", "it's", ""), &out);
		break;
	case FEATURE_CPU_TOPOLOGY:
		topology_cpus_encode(&TOPOLOGY, &out);
		break;
	case FEATURE_NUMA_TOPOLOGY:
		topology_numa_encode(
			&(struct machine_numa){
				(struct machine_node[]){ { 0, 100, 50, "0-1" }, { 2, 7, 3, "" } },
				2 },
			&out);
		break;
	case FEATURE_CACHE:
		topology_cache_encode(
			&(struct machine_caches){
				(struct machine_cache[]){ { 1, 64, 64, 8, "Data", "32K", "0" } },
				1 },
			&out);
		break;
	case FEATURE_MEM_TOPOLOGY:
		topology_memory_encode(&MEMORY, &out);
		break;
	case FEATURE_HYBRID_TOPOLOGY:
		topology_hybrid_encode(
			&(struct machine_hybrid){
				(struct machine_hybrid_pmu[]){ { "cpu_core", "0-3" } }, 1 },
			&out);
		break;
	case FEATURE_CPU_DOMAIN_INFO:
		topology_domains_encode(&DOMAINS, &out);
		break;
	case FEATURE_PMU_MAPPINGS:
		pmus_mappings_encode(
			&(struct machine_pmus){
				(struct machine_pmu[]){ { 1, "software" }, { 4, "cpu" } }, 2 },
			&out);
		break;
	case FEATURE_PMU_CAPS:
		pmus_caps_encode(
			&(struct machine_all_caps){
				(struct machine_caps[]){
					{ "pt", (struct machine_cap[]){ { "mtc", "1" } }, 1 } },
				1 },
			&out);
		break;
	case FEATURE_EVENT_DESC:
		eventdesc_encode(
			&(struct eventdesc_list){
				(struct eventdesc[]){
					{ { .size = 64, .config = 7 },
					  "a",
					  (uint64_t[]){ 8, 9 },
					  2 },
					{ { .size = 136, .sig_data = 3 }, "b", NULL, 0 } },
				2 },
			&out);
		break;
	case FEATURE_GROUP_DESC:
		eventdesc_groups_encode(
			&(struct eventdesc_groups){
				(struct eventdesc_group[]){ { NULL, 0, 2 }, { "mine", 2, 3 } }, 2 },
			&out);
		break;
	default:
		fail();
	}
	return out;
}

/* Decodes a body of any of the features above; what comes out lies in @arena. */
static int decode(unsigned feature, const void *bytes, size_t size, bool foreign,
		  struct arena *arena, void *ret)
{
	switch (feature) {
	case FEATURE_HOSTNAME:
		return feature_string_decode(bytes, size, foreign, ret);
	case FEATURE_CMDLINE:
		return feature_cmdline_decode(bytes, size, foreign, arena, ret);
	case FEATURE_CPU_TOPOLOGY:
		return topology_cpus_decode(bytes, size, foreign, 2, arena, ret);
	case FEATURE_NUMA_TOPOLOGY:
		return topology_numa_decode(bytes, size, foreign, arena, ret);
	case FEATURE_CACHE:
		return topology_cache_decode(bytes, size, foreign, arena, ret);
	case FEATURE_MEM_TOPOLOGY:
		return topology_memory_decode(bytes, size, foreign, arena, ret);
	case FEATURE_HYBRID_TOPOLOGY:
		return topology_hybrid_decode(bytes, size, foreign, arena, ret);
	case FEATURE_CPU_DOMAIN_INFO:
		return topology_domains_decode(bytes, size, foreign, 2, arena, ret);
	case FEATURE_PMU_MAPPINGS:
		return pmus_mappings_decode(bytes, size, foreign, arena, ret);
	case FEATURE_PMU_CAPS:
		return pmus_caps_decode(bytes, size, foreign, arena, ret);
	case FEATURE_EVENT_DESC:
		return eventdesc_decode(bytes, size, foreign, arena, ret);
	case FEATURE_GROUP_DESC:
		return eventdesc_groups_decode(bytes, size, foreign, arena, ret);
	default:
		fail();
		return 0;
	}
}

static const unsigned FEATURES[] = {
	FEATURE_HOSTNAME,        FEATURE_CMDLINE,         FEATURE_CPU_TOPOLOGY,
	FEATURE_NUMA_TOPOLOGY,   FEATURE_CACHE,           FEATURE_MEM_TOPOLOGY,
	FEATURE_HYBRID_TOPOLOGY, FEATURE_CPU_DOMAIN_INFO, FEATURE_PMU_MAPPINGS,
	FEATURE_PMU_CAPS,        FEATURE_EVENT_DESC,      FEATURE_GROUP_DESC,
};

/* Room for whatever a decoder gives. */
union any {
	struct machine_topology topology;
	struct machine_domains domains;
	char bytes[256];
};

static void a_body_that_ends_early_is_bad_at_every_byte(void **state)
{
	for (size_t i = 0; i < sizeof(FEATURES) / sizeof(*FEATURES); i++) {
		struct body_out out = encoded(FEATURES[i]);

		for (size_t size = 0; size < out.size; size++) {
			struct arena arena = { 0 };
			union any any;
			/* Of its own, so that a byte too much is noticed. */
			uint8_t *cut = xcalloc(size + 1, 1);
			uint8_t *bytes = realloc(cut, size ? size : 1);
			int r;

			memcpy(bytes, out.bytes, size);
			r = decode(FEATURES[i], bytes, size, false, &arena, &any);
			/* Old recorders ended CPU_TOPOLOGY behind a part. */
			if (r != 0 || FEATURES[i] != FEATURE_CPU_TOPOLOGY)
				assert_int_equal(r, -EBADMSG);
			arena_done(&arena);
			free(bytes);
		}
		body_done(&out);
	}
}

static void a_body_with_any_word_turned_to_ones_never_reaches_beyond_its_end(void **state)
{
	for (size_t i = 0; i < sizeof(FEATURES) / sizeof(*FEATURES); i++) {
		struct body_out out = encoded(FEATURES[i]);

		for (size_t at = 0; at + 4 <= out.size; at++) {
			struct arena arena = { 0 };
			union any any;
			uint8_t *bytes = malloc(out.size);

			memcpy(bytes, out.bytes, out.size);
			memset(bytes + at, 0xff, 4);
			(void)decode(FEATURES[i], bytes, out.size, false, &arena, &any);
			(void)decode(FEATURES[i], bytes, out.size, true, &arena, &any);
			arena_done(&arena);
			free(bytes);
		}
		body_done(&out);
	}
}

static void topology_comes_back_as_it_was_written(void **state)
{
	struct body_out out = encoded(FEATURE_CPU_TOPOLOGY);
	struct machine_topology topology;
	struct arena arena = { 0 };

	assert_int_equal(topology_cpus_decode(out.bytes, out.size, false, 2, &arena, &topology), 0);
	assert_int_equal(topology.sockets.count, 1);
	assert_string_equal(topology.sockets.items[0], "0-1");
	assert_int_equal(topology.dies.count, 2);
	assert_string_equal(topology.threads.items[1], "1");
	assert_memory_equal(topology.cpus, TOPOLOGY.cpus, 2 * sizeof(*topology.cpus));
	arena_done(&arena);
	body_done(&out);
}

static void a_group_without_a_name_is_called_as_in_perf_s_files(void **state)
{
	struct body_out out = encoded(FEATURE_GROUP_DESC);
	struct eventdesc_groups groups;
	struct arena arena = { 0 };

	assert_non_null(memmem(out.bytes, out.size, "{anon_group}", 12));
	assert_int_equal(eventdesc_groups_decode(out.bytes, out.size, false, &arena, &groups), 0);
	assert_int_equal(groups.count, 2);
	assert_null(groups.items[0].name);
	assert_int_equal(groups.items[0].member_count, 2);
	assert_string_equal(groups.items[1].name, "mine");
	assert_int_equal(groups.items[1].leader, 2);
	arena_done(&arena);
	body_done(&out);
}

static void memory_blocks_come_back_as_they_were_written(void **state)
{
	struct body_out out = encoded(FEATURE_MEM_TOPOLOGY);
	struct machine_memory memory;
	struct arena arena = { 0 };

	assert_int_equal(topology_memory_decode(out.bytes, out.size, false, &arena, &memory), 0);
	assert_int_equal(memory.block_size, MEMORY.block_size);
	assert_int_equal(memory.nodes[0].node, 1);
	assert_int_equal(memory.nodes[0].bit_count, 70);
	assert_int_equal(memory.nodes[0].words[0], 0xff);
	assert_int_equal(memory.nodes[0].words[1], 0x20);
	arena_done(&arena);
	body_done(&out);
}

static void domains_have_names_only_from_version_17_on(void **state)
{
	struct machine_domain domain = { .level = 0, .name = "MC", .mask = "3", .cpus = "0-1" };
	struct machine_cpu_domains cpu = { .cpu = 0, .items = &domain, .count = 1 };

	for (uint32_t version = 16; version <= 17; version++) {
		struct machine_domains domains = { version, 1, &cpu, 1 }, read;
		struct body_out out = { 0 };
		struct arena arena = { 0 };

		topology_domains_encode(&domains, &out);
		assert_int_equal(
			topology_domains_decode(out.bytes, out.size, false, 1, &arena, &read), 0);
		assert_string_equal(read.cpus[0].items[0].cpus, "0-1");
		if (version == 17)
			assert_string_equal(read.cpus[0].items[0].name, "MC");
		else
			assert_null(read.cpus[0].items[0].name);
		arena_done(&arena);
		body_done(&out);
	}
}

static void events_come_back_with_their_attrs_names_and_ids(void **state)
{
	struct body_out out = encoded(FEATURE_EVENT_DESC);
	struct eventdesc_list list;
	struct arena arena = { 0 };

	assert_int_equal(eventdesc_decode(out.bytes, out.size, false, &arena, &list), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].name, "a");
	assert_int_equal(list.items[0].attr.size, 64);
	assert_int_equal(list.items[0].attr.config, 7);
	assert_int_equal(list.items[0].id_count, 2);
	assert_int_equal(list.items[0].ids[1], 9);
	assert_int_equal(list.items[1].attr.sig_data, 3);
	assert_int_equal(list.items[1].id_count, 0);
	arena_done(&arena);
	body_done(&out);
}

static void a_body_of_the_other_byte_order_is_turned(void **state)
{
	struct body_out out = { 0 };
	struct feature_clock_data clock;

	body_put_u32(&out, bswap_32(1));
	body_put_u32(&out, bswap_32(7));
	body_put_u64(&out, bswap_64(1234567890123ULL));
	body_put_u64(&out, bswap_64(42));
	assert_int_equal(feature_clock_data_decode(out.bytes, out.size, true, &clock), 0);
	assert_int_equal(clock.clockid, 7);
	assert_int_equal(clock.tod_ns, 1234567890123ULL);
	assert_int_equal(clock.clock_ns, 42);
	assert_int_equal(feature_clock_data_decode(out.bytes, out.size, false, &clock), -EBADMSG);
	body_done(&out);
}

static void more_cpus_online_than_there_are_is_bad(void **state)
{
	struct feature_nrcpus cpus = { .available = 1, .online = 2 };
	struct body_out out = { 0 };

	feature_nrcpus_encode(&cpus, &out);
	assert_int_equal(feature_nrcpus_decode(out.bytes, out.size, false, &cpus), -EBADMSG);
	body_done(&out);
}

static void build_ids_are_walked_and_the_walk_stops_at_damage(void **state)
{
	struct buildids_entry entry = { .misc = PERF_RECORD_MISC_KERNEL,
					.pid = BUILDIDS_PID_KERNEL,
					.id = { 1, 2, 3 },
					.id_size = 16,
					.name = "[kernel.kallsyms]" };
	struct buildids_entry read;
	struct buildids_walk walk;
	struct body_out out = { 0 };

	buildids_encode(&entry, &out);
	entry.misc = PERF_RECORD_MISC_USER;
	entry.name = "/usr/bin/sixtyfour-bytes-long-so-that-its-nul-needs-a-block-more";
	entry.id_size = 20;
	buildids_encode(&entry, &out);
	assert_int_equal(out.size % 4, 0);

	walk = buildids_begin(out.bytes, out.size, false);
	assert_true(buildids_next(&walk, &read));
	assert_int_equal(read.misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(read.pid, -1);
	assert_int_equal(read.id_size, 16);
	assert_memory_equal(read.id, entry.id, 16);
	assert_string_equal(read.name, "[kernel.kallsyms]");
	assert_true(buildids_next(&walk, &read));
	assert_string_equal(read.name, entry.name);
	assert_int_equal(read.id_size, 20);
	assert_false(buildids_next(&walk, &read));
	assert_int_equal(walk.left, 0);

	walk = buildids_begin(out.bytes, out.size - 1, false);
	assert_true(buildids_next(&walk, &read));
	assert_false(buildids_next(&walk, &read));
	assert_int_not_equal(walk.left, 0);
	body_done(&out);
}

static void the_name_of_a_feature_is_that_of_perf(void **state)
{
	assert_string_equal(feature_name(FEATURE_TRACING_DATA), "TRACING_DATA");
	assert_string_equal(feature_name(34), "CLN_SIZE");
	for (unsigned feature = FEATURE_TRACING_DATA; feature < FEATURE_PERF_END; feature++)
		assert_non_null(feature_name(feature));
	assert_null(feature_name(0));
	assert_null(feature_name(FEATURE_PERF_END));
	assert_null(feature_name(1000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_that_ends_early_is_bad_at_every_byte),
		cmocka_unit_test(a_body_with_any_word_turned_to_ones_never_reaches_beyond_its_end),
		cmocka_unit_test(topology_comes_back_as_it_was_written),
		cmocka_unit_test(a_group_without_a_name_is_called_as_in_perf_s_files),
		cmocka_unit_test(memory_blocks_come_back_as_they_were_written),
		cmocka_unit_test(domains_have_names_only_from_version_17_on),
		cmocka_unit_test(events_come_back_with_their_attrs_names_and_ids),
		cmocka_unit_test(a_body_of_the_other_byte_order_is_turned),
		cmocka_unit_test(more_cpus_online_than_there_are_is_bad),
		cmocka_unit_test(build_ids_are_walked_and_the_walk_stops_at_damage),
		cmocka_unit_test(the_name_of_a_feature_is_that_of_perf),
	};

	return cmocka_run_group_tests_name("feature", tests, NULL, NULL);
}
