/*
 * bpf-spin.c - "bpf-spin SECONDS": loads a BPF program of two functions, says "loaded ID", and lets
 * the kernel run it for so long.
 *
 * The program is a socket filter that no socket has: BPF_PROG_TEST_RUN runs it. It has no BTF, so
 * the kernel calls its functions bpf_prog_TAG_strobe_spin and bpf_prog_TAG_F. Exit code 77: not
 * allowed here.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	NOT_ALLOWED = 77,
	TURNS = 2000,  /* of the loop; the verifier walks all of them */
	REPEAT = 5000, /* runs for each system call */
};

static const struct bpf_insn program[] = {
	/* strobe_spin: call the function behind it, end with its result */
	{ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = 1 },
	{ .code = BPF_JMP | BPF_EXIT },
	/* r0 = 0; do r0++ while (r0 != TURNS); r0 = 0 */
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_0, .imm = 1 },
	{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = BPF_REG_0, .off = -2, .imm = TURNS },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static int load(void)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(*program),
		.license = (uintptr_t) "MIT",
		.prog_name = "strobe_spin",
	};

	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static uint32_t id_of(int fd)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = {
		.info = { .bpf_fd = (uint32_t)fd,
			  .info_len = sizeof(info),
			  .info = (uintptr_t)&info },
	};

	return syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) < 0 ? 0 : info.id;
}

static int spin(int fd)
{
	char packet[64] = { 0 };
	union bpf_attr attr = {
		.test = { .prog_fd = (uint32_t)fd,
			  .data_size_in = sizeof(packet),
			  .data_in = (uintptr_t)packet,
			  .repeat = REPEAT },
	};

	return (int)syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr));
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	struct timespec start, now;
	int fd = load();

	if (fd < 0) {
		perror("bpf-spin");
		return errno == EPERM || errno == ENOSYS ? NOT_ALLOWED : 1;
	}
	printf("loaded %u\n", id_of(fd));
	(void)fflush(stdout);
	(void)clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		if (spin(fd) < 0) {
			perror("bpf-spin: run");
			return 1;
		}
		(void)clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 <
		 seconds);
	return 0;
}
