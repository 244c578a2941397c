/* test-callvalues.c - the arguments and results of system calls, from the bytes of their records.
 */
#include "../test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "base/mem.h"
#include "call-items.h"
#include "format/callfiles.h"
#include "format/callnames.h"
#include "format/callvalues.h"

#ifdef __x86_64__
#define HERE CALLABI_X86_64
#else
#define HERE CALLABI_ARM64
#endif

/* A call under test: records are built, then what is in them is compared as text. */
struct call {
	struct str enter, exit;
	uint64_t args[CALLCOPY_ARGS];
	const char *paths[CALLCASE_PATHS];
};

static void begin(struct call *call, uint64_t number)
{
	begin_enter(&call->enter, number, call->args);
	str_clear(&call->exit);
}

static void done(struct call *call)
{
	str_done(&call->enter);
	str_done(&call->exit);
}

static size_t add_value(const struct callvalue *value, struct str *out);

static size_t add_parts(const struct callvalue *value, struct str *out)
{
	size_t taken = 1;

	for (size_t i = 0; i < value->count; i++) {
		if (i > 0)
			str_add_char(out, ' ');
		if (value[taken].name)
			str_addf(out, "%s=", value[taken].name);
		taken += add_value(value + taken, out);
	}
	return taken;
}

static void add_names(const struct callvalue *value, struct str *out)
{
	const struct callname *item;
	uint64_t rest = value->number;
	size_t at = 0;
	bool any = false;

	while ((item = callnames_next(value->names, value->number, &rest, &at))) {
		str_addf(out, "%s%s", any ? "|" : "", item->name);
		any = true;
	}
	if (!any)
		str_addf(out, "%" PRId64, (int64_t)value->number);
}

static size_t add_value(const struct callvalue *value, struct str *out)
{
	size_t taken = 1;

	switch (value->kind) {
	case CALLVALUE_SIGNED:
		str_addf(out, "%" PRId64, (int64_t)value->number);
		break;
	case CALLVALUE_UNSIGNED:
		str_addf(out, "%" PRIu64, value->number);
		break;
	case CALLVALUE_HEX:
	case CALLVALUE_POINTER:
		str_addf(out, "%#" PRIx64, value->number);
		break;
	case CALLVALUE_OCTAL:
		str_addf(out, "%#" PRIo64, value->number);
		break;
	case CALLVALUE_NAMES:
		add_names(value, out);
		break;
	case CALLVALUE_WORD:
		str_add(out, value->text);
		break;
	case CALLVALUE_TEXT:
		str_addf(out, "'%.*s'", (int)value->size, value->text);
		break;
	case CALLVALUE_FD:
		str_addf(out, "%" PRId64, (int64_t)value->number);
		if (value->text)
			str_addf(out, "<%s>", value->text);
		break;
	case CALLVALUE_STRUCT:
		str_add_char(out, '{');
		taken = add_parts(value, out);
		str_add_char(out, '}');
		break;
	case CALLVALUE_ALL_BUT:
	case CALLVALUE_LIST:
		str_add(out, value->kind == CALLVALUE_LIST ? "" : "~");
		str_add_char(out, '[');
		taken = add_parts(value, out);
		str_add_char(out, ']');
		break;
	}
	if (value->is_cut)
		str_add(out, "...");
	assert_int_equal(taken, value->span);
	return taken;
}

static void assert_call(const struct call *call, enum callabi abi, const char *name,
			const char *expected)
{
	struct callvalues values = { 0 };
	struct callitems enter, exit;
	struct callcase c = { .abi = abi, .enter = &enter, .paths = call->paths };
	struct str text = { 0 };

	assert_int_equal(callitems_enter(call->enter.text, call->enter.size, false, &enter), 0);
	if (call->exit.size > 0) {
		assert_int_equal(callitems_exit(call->exit.text, call->exit.size, false, &exit), 0);
		c.exit = &exit;
	}
	c.spec = callspec_find(abi, enter.number);
	assert_non_null(c.spec);
	assert_string_equal(c.spec->name, name);
	callvalues_args(&values, &c, CALLVALUES_ALL);
	for (size_t i = 0; i < values.count;) {
		str_addf(&text, "%s%s=", text.size ? " " : "", values.items[i].name);
		i += add_value(&values.items[i], &text);
	}
	assert_string_equal(str_text(&text), expected);
	str_done(&text);
	callvalues_done(&values);
}

static void a_path_and_flags_are_told(void **state)
{
	struct call call = { .args = { (uint64_t)AT_FDCWD, 0x7000, O_RDONLY | O_CLOEXEC, 0xffff } };

	begin(&call, SYS_openat);
	add_item(&call.enter, 1, CALLCOPY_STRING, 0, "/etc/hosts", 11);
	assert_call(&call, HERE, "openat",
		    "dfd=AT_FDCWD filename='/etc/hosts' flags=O_RDONLY|O_CLOEXEC");
	done(&call);
}

static void a_mode_is_told_where_a_file_is_made(void **state)
{
	struct call call = { .args = { 5, 0x7000, O_WRONLY | O_CREAT, 0640 }, .paths = { "/tmp" } };

	begin(&call, SYS_openat);
	add_item(&call.enter, 1, CALLCOPY_STRING, 0, "a", 2);
	assert_call(&call, HERE, "openat",
		    "dfd=5</tmp> filename='a' flags=O_WRONLY|O_CREAT mode=0640");
	done(&call);
}

static void what_was_not_copied_is_a_pointer(void **state)
{
	struct call call = { .args = { (uint64_t)AT_FDCWD, 0x7f1234567890 } };

	begin(&call, SYS_openat);
	assert_call(&call, HERE, "openat", "dfd=AT_FDCWD filename=0x7f1234567890 flags=O_RDONLY");
	done(&call);
}

static void what_was_not_there_at_the_entry_comes_with_the_exit(void **state)
{
	struct call call = { .args = { (uint64_t)AT_FDCWD, 0x7000 } };

	begin(&call, SYS_openat);
	begin_exit(&call.exit, SYS_openat, 3);
	add_item(&call.exit, 1, CALLCOPY_STRING, 0, "late", 5);
	assert_call(&call, HERE, "openat", "dfd=AT_FDCWD filename='late' flags=O_RDONLY");
	done(&call);
}

static void a_buffer_is_cut_where_it_was_longer(void **state)
{
	struct call call = { .args = { 1, 0x7000, 3000 } };

	begin(&call, SYS_write);
	add_item(&call.enter, 1, CALLCOPY_BYTES, 3000, "hello", 5);
	assert_call(&call, HERE, "write", "fd=1 buf='hello'... count=3000");
	done(&call);
}

static void results_in_memory_are_read_at_the_exit(void **state)
{
	struct call call = { .args = { 3, 0x7000, 100 } };

	begin(&call, SYS_read);
	assert_call(&call, HERE, "read", "fd=3 buf=0x7000 count=100");
	begin_exit(&call.exit, SYS_read, 2);
	add_item(&call.exit, 1, CALLCOPY_BYTES, 2, "hi", 2);
	assert_call(&call, HERE, "read", "fd=3 buf='hi' count=100");
	done(&call);
}

static void a_string_without_its_end_was_cut(void **state)
{
	struct call call = { .args = { 0x1000, 1 } };

	begin(&call, SYS_memfd_create);
	add_item(&call.enter, 0, CALLCOPY_STRING, 0, "abc", 3);
	assert_call(&call, HERE, "memfd_create", "uname='abc'... flags=MFD_CLOEXEC");
	done(&call);
}

static void structs_lie_as_the_compiler_puts_them(void **state)
{
	struct call call = { .args = { 3, 0x7000 } };
	struct stat st = {
		.st_dev = 0x801, .st_ino = 17, .st_mode = S_IFREG | 0644, .st_size = 99
	};
	struct callvalues values = { 0 };
	struct callitems enter, exit;
	struct callcase c = { .abi = HERE, .enter = &enter, .exit = &exit };
	uint64_t found = 0;

	begin(&call, SYS_fstat);
	begin_exit(&call.exit, SYS_fstat, 0);
	add_item(&call.exit, 1, CALLCOPY_BYTES, sizeof(st), &st, sizeof(st));
	(void)callitems_enter(call.enter.text, call.enter.size, false, &enter);
	(void)callitems_exit(call.exit.text, call.exit.size, false, &exit);
	c.spec = callspec_find(HERE, SYS_fstat);
	callvalues_args(&values, &c, CALLVALUES_ALL);
	for (size_t i = 0; i < values.count; i++) {
		const struct callvalue *value = &values.items[i];

		if (strcmp(value->name, "st_ino") == 0)
			found += value->number == 17;
		if (strcmp(value->name, "st_size") == 0)
			found += value->number == 99 && !value->is_detail;
		if (strcmp(value->name, "st_mode") == 0)
			found += value->number == (S_IFREG | 0644);
		if (strcmp(value->name, "st_dev") == 0)
			found += value->number == 0x801 && value->is_detail;
	}
	assert_int_equal(found, 4);
	callvalues_done(&values);
	done(&call);
}

static void times_of_32_bits_are_narrower(void **state)
{
#ifdef __x86_64__
	struct call call = { .args = { 0x1000, 0 } };
	int32_t narrow[2] = { 1, -5 };

	begin(&call, 162);
	add_item(&call.enter, 0, CALLCOPY_BYTES, 8, narrow, sizeof(narrow));
	assert_call(&call, CALLABI_I386, "nanosleep", "rqtp={tv_sec=1 tv_nsec=-5} rmtp=0");
	done(&call);
#endif
}

static void halves_of_a_number_are_one(void **state)
{
#ifdef __x86_64__
	struct call call = { .args = { 3, 0x1000, 10, 5, 1 } };

	begin(&call, 180);
	assert_call(&call, CALLABI_I386, "pread64", "fd=3 buf=0x1000 count=10 pos=4294967301");
	done(&call);
#endif
}

static void addresses_of_sockets_are_told_by_family(void **state)
{
	struct call call = { .args = { 3, 0x7000, 16 } };
	struct sockaddr_in inet = { .sin_family = AF_INET, .sin_port = htons(8080) };
	struct sockaddr_in6 inet6 = { .sin6_family = AF_INET6, .sin6_port = htons(1) };
	struct sockaddr_un local = { .sun_family = AF_UNIX, .sun_path = "/run/x" };

	(void)inet_pton(AF_INET, "127.0.0.1", &inet.sin_addr);
	(void)inet_pton(AF_INET6, "fe80::1", &inet6.sin6_addr);
	begin(&call, SYS_connect);
	add_item(&call.enter, 1, CALLCOPY_BYTES, sizeof(inet), &inet, sizeof(inet));
	assert_call(
		&call, HERE, "connect",
		"fd=3 uservaddr={sa_family=AF_INET sin_port=8080 sin_addr=127.0.0.1} addrlen=16");
	begin(&call, SYS_connect);
	add_item(&call.enter, 1, CALLCOPY_BYTES, sizeof(inet6), &inet6, sizeof(inet6));
	assert_call(&call, HERE, "connect",
		    "fd=3 uservaddr={sa_family=AF_INET6 sin6_port=1 sin6_flowinfo=0 "
		    "sin6_addr=fe80::1 sin6_scope_id=0} addrlen=16");
	begin(&call, SYS_connect);
	add_item(&call.enter, 1, CALLCOPY_BYTES, sizeof(local), &local, sizeof(local));
	assert_call(&call, HERE, "connect",
		    "fd=3 uservaddr={sa_family=AF_UNIX sun_path='/run/x'} addrlen=16");
	begin(&call, SYS_connect);
	add_item(&call.enter, 1, CALLCOPY_BYTES, 2, &inet, 2);
	assert_call(&call, HERE, "connect",
		    "fd=3 uservaddr={sa_family=AF_INET sin_port=0} addrlen=16");
	done(&call);
}

static void an_option_is_of_its_level(void **state)
{
	struct call call = { .args = { 3, SOL_SOCKET, SO_REUSEADDR, 0x7000, 4 } };
	int one = 1;

	begin(&call, SYS_setsockopt);
	add_item(&call.enter, 3, CALLCOPY_BYTES, 4, &one, 4);
	assert_call(&call, HERE, "setsockopt",
		    "fd=3 level=SOL_SOCKET optname=SO_REUSEADDR optval=[1] optlen=4");
	call.args[1] = 12345;
	begin(&call, SYS_setsockopt);
	assert_call(&call, HERE, "setsockopt", "fd=3 level=12345 optname=2 optval=0x7000 optlen=4");
	done(&call);
}

static void what_fcntl_takes_is_of_its_command(void **state)
{
	struct call call = { .args = { 3, F_SETFD, FD_CLOEXEC } };

	begin(&call, SYS_fcntl);
	assert_call(&call, HERE, "fcntl", "fd=3 cmd=F_SETFD arg=FD_CLOEXEC");
	call.args[1] = F_SETFL;
	call.args[2] = O_APPEND;
	begin(&call, SYS_fcntl);
	assert_call(&call, HERE, "fcntl", "fd=3 cmd=F_SETFL arg=O_RDONLY|O_APPEND");
	call.args[1] = F_GETFL;
	begin(&call, SYS_fcntl);
	assert_call(&call, HERE, "fcntl", "fd=3 cmd=F_GETFL");
	call.args[1] = F_DUPFD_CLOEXEC;
	call.args[2] = 50;
	begin(&call, SYS_fcntl);
	assert_call(&call, HERE, "fcntl", "fd=3 cmd=F_DUPFD_CLOEXEC arg=50");
	/* Unknown commands may take anything. */
	call.args[1] = 12345;
	call.args[2] = 0x123456789;
	begin(&call, SYS_fcntl);
	assert_call(&call, HERE, "fcntl", "fd=3 cmd=12345 arg=0x123456789");
	done(&call);
}

static void texts_of_an_array_are_its_parts(void **state)
{
	struct call call = { .args = { 0x1000, 0x2000, 0x3000 } };
	uint64_t pointers[] = { 0x10, 0x20, 0x30, 0 };

	begin(&call, SYS_execve);
	add_item(&call.enter, 0, CALLCOPY_STRING, 0, "/bin/ls", 8);
	add_item(&call.enter, 1, CALLCOPY_PART, 0, "ls", 3);
	add_item(&call.enter, 1, CALLCOPY_PART, 2, "/", 2);
	add_item(&call.enter, 1, CALLCOPY_BYTES, sizeof(pointers), pointers, sizeof(pointers));
	assert_call(&call, HERE, "execve", "filename='/bin/ls' argv=['ls' 0x20 '/'] envp=0x3000");
	begin(&call, SYS_execve);
	add_item(&call.enter, 1, CALLCOPY_BYTES, 16, pointers, 16);
	assert_call(&call, HERE, "execve", "filename=0x1000 argv=[0x10 0x20]... envp=0x3000");
	done(&call);
}

static void iovecs_have_what_they_point_at(void **state)
{
	struct call call = { .args = { 1, 0x7000, 2 } };
	struct iovec vector[] = { { (void *)0x10, 5 }, { (void *)0x20, 100 } };

	begin(&call, SYS_writev);
	add_item(&call.enter, 1, CALLCOPY_BYTES, sizeof(vector), vector, sizeof(vector));
	add_item(&call.enter, 1, CALLCOPY_PART, 0, "abcde", 5);
	add_item(&call.enter, 1, CALLCOPY_PART, 1, "xyz", 3);
	assert_call(
		&call, HERE, "writev",
		"fd=1 vec=[{iov_base='abcde' iov_len=5} {iov_base='xyz'... iov_len=100}] vlen=2");
	call.args[0] = 0;
	begin(&call, SYS_readv);
	begin_exit(&call.exit, SYS_readv, 7);
	add_item(&call.exit, 1, CALLCOPY_BYTES, sizeof(vector), vector, sizeof(vector));
	add_item(&call.exit, 1, CALLCOPY_PART, 0, "abcde", 5);
	add_item(&call.exit, 1, CALLCOPY_PART, 1, "xy", 2);
	assert_call(&call, HERE, "readv",
		    "fd=0 vec=[{iov_base='abcde' iov_len=5} {iov_base='xy' iov_len=100}] vlen=2");
	done(&call);
}

static void a_message_has_a_name_and_iovecs(void **state)
{
	struct call call = { .args = { 3, 0x7000, MSG_NOSIGNAL } };
	struct sockaddr_in inet = { .sin_family = AF_INET, .sin_port = htons(53) };
	struct iovec vector = { (void *)0x10, 2 };
	struct msghdr message = { .msg_name = (void *)0x20,
				  .msg_namelen = sizeof(inet),
				  .msg_iov = (void *)0x30,
				  .msg_iovlen = 1 };

	begin(&call, SYS_sendmsg);
	add_item(&call.enter, 1, CALLCOPY_BYTES, sizeof(message), &message, sizeof(message));
	add_item(&call.enter, 1, CALLCOPY_PART, 0, &inet, sizeof(inet));
	add_item(&call.enter, 1, CALLCOPY_PART, 1, &vector, sizeof(vector));
	add_item(&call.enter, 1, CALLCOPY_PART, 2, "hi", 2);
	assert_call(&call, HERE, "sendmsg",
		    "fd=3 msg={msg_name={sa_family=AF_INET sin_port=53 sin_addr=0.0.0.0} "
		    "msg_namelen=16 msg_iov=[{iov_base='hi' iov_len=2}] msg_iovlen=1 "
		    "msg_control=0 msg_controllen=0 msg_flags=0} flags=MSG_NOSIGNAL");
	done(&call);
}

static void sets_are_lists_of_what_is_in_them(void **state)
{
	struct call call = { .args = { SIG_BLOCK, 0x7000, 0, 8 } };
	uint64_t few = 1U << (SIGINT - 1) | 1U << (SIGCHLD - 1), most = ~few;

	begin(&call, SYS_rt_sigprocmask);
	add_item(&call.enter, 1, CALLCOPY_BYTES, 8, &few, 8);
	assert_call(&call, HERE, "rt_sigprocmask",
		    "how=SIG_BLOCK nset=[SIGINT SIGCHLD] oset=0 sigsetsize=8");
	begin(&call, SYS_rt_sigprocmask);
	add_item(&call.enter, 1, CALLCOPY_BYTES, 8, &most, 8);
	assert_call(&call, HERE, "rt_sigprocmask",
		    "how=SIG_BLOCK nset=~[SIGINT SIGCHLD] oset=0 sigsetsize=8");
	done(&call);
}

static void an_array_of_structs_is_a_list(void **state)
{
	struct call call = { .args = { 0x7000, 2, (uint64_t)-1, 0, 0 } };
	struct pollfd polls[] = { { 3, POLLIN, 0 }, { -1, POLLOUT, POLLERR } };

	begin(&call, SYS_ppoll);
	add_item(&call.enter, 0, CALLCOPY_BYTES, sizeof(polls), polls, sizeof(polls));
	assert_call(&call, HERE, "ppoll",
		    "ufds=[{fd=3 events=POLLIN revents=0} {fd=-1 events=POLLOUT revents=POLLERR}] "
		    "nfds=2 tsp=0xffffffffffffffff sigmask=0 sigsetsize=0");
	done(&call);
}

static void how_a_child_ended_is_told(void **state)
{
	struct call call = { .args = { (uint64_t)-1, 0x7000, 0, 0 } };
	const struct {
		int status;
		const char *expected;
	} ends[] = {
		{ 3 << 8, "{exited=3}" },
		{ SIGKILL, "{signaled=SIGKILL}" },
		{ SIGSEGV | 0x80, "{signaled=SIGSEGV core=true}" },
		{ SIGSTOP << 8 | 0x7f, "{stopped=SIGSTOP}" },
		{ 0xffff, "{continued=true}" },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char expected[128];

		begin(&call, SYS_wait4);
		begin_exit(&call.exit, SYS_wait4, 1);
		add_item(&call.exit, 1, CALLCOPY_BYTES, 4, &ends[i].status, 4);
		(void)snprintf(expected, sizeof(expected), "upid=-1 stat_addr=%s options=0 ru=0",
			       ends[i].expected);
		assert_call(&call, HERE, "wait4", expected);
	}
	done(&call);
}

static void descriptors_that_a_call_made_have_files(void **state)
{
	struct call call = { .args = { 0x7000, O_CLOEXEC },
			     .paths = { [CALLCASE_PAIR] = "pipe:[1]", "pipe:[2]" } };
	int fds[2] = { 3, 4 };

	begin(&call, SYS_pipe2);
	begin_exit(&call.exit, SYS_pipe2, 0);
	add_item(&call.exit, 0, CALLCOPY_BYTES, sizeof(fds), fds, sizeof(fds));
	assert_call(&call, HERE, "pipe2", "fildes=[3<pipe:[1]> 4<pipe:[2]>] flags=O_CLOEXEC");
	done(&call);
}

static void numbers_that_are_no_limit_have_a_word(void **state)
{
	struct call call = { .args = { 0, 7, 0x1000, 0 } };
	uint64_t limits[2] = { 1024, UINT64_MAX };

	begin(&call, SYS_prlimit64);
	add_item(&call.enter, 2, CALLCOPY_BYTES, sizeof(limits), limits, sizeof(limits));
	assert_call(&call, HERE, "prlimit64",
		    "pid=0 resource=RLIMIT_NOFILE "
		    "new_rlim={rlim_cur=1024 rlim_max=RLIM_INFINITY} old_rlim=0");
	done(&call);
}

static void records_without_the_mark_are_the_tracepoints(void **state)
{
	struct call call = { .args = { 3, 0x7000, 5 } };
	struct callitems items;

	begin(&call, SYS_read);
	memset(call.enter.text + CALLCOPY_ENTER_SIZE, 0, 4);
	assert_int_equal(callitems_enter(call.enter.text, call.enter.size, false, &items), 0);
	assert_false(items.has_mark);
	assert_int_equal(items.number, SYS_read);
	assert_int_equal(items.args[2], 5);
	assert_int_equal(callitems_enter(call.enter.text, CALLCOPY_ENTER_SIZE - 1, false, &items),
			 -EBADMSG);
	assert_int_equal(callitems_exit(call.enter.text, CALLCOPY_EXIT_SIZE - 1, false, &items),
			 -EBADMSG);
	done(&call);
}

static void an_item_that_is_too_long_is_the_end(void **state)
{
	struct call call = { .args = { 3 } };
	struct callitems items;
	struct callitem item;
	size_t at = 0;

	begin(&call, SYS_read);
	add_item(&call.enter, 0, CALLCOPY_BYTES, 0, "abc", 3);
	add_item(&call.enter, 1, CALLCOPY_BYTES, 0, "abc", 3);
	call.enter.text[CALLCOPY_ENTER_SIZE + 4 + 16] = 9;
	assert_int_equal(callitems_enter(call.enter.text, call.enter.size, false, &items), 0);
	assert_true(callitems_next(&items, &at, &item));
	assert_false(callitems_next(&items, &at, &item));
	done(&call);
}

static const char *file_path(struct callfiles *files, const struct callcopy_file *file,
			     uint32_t more, const char *names, size_t size)
{
	struct str bytes = { 0 };
	struct callitem item;
	const char *path;

	str_add_bytes(&bytes, file, sizeof(*file));
	str_add_bytes(&bytes, names, size);
	item.head = (struct callcopy_item){ .size = (uint16_t)bytes.size,
					    .what = CALLCOPY_FILE,
					    .more = more };
	item.bytes = (const uint8_t *)bytes.text;
	path = callfiles_take(files, &item);
	str_done(&bytes);
	return path;
}

static void files_have_paths(void **state)
{
	struct callfiles files = { 0 };
	struct callcopy_file file = { .key = 1, .inode = 17, .mode = S_IFREG };
	struct callcopy_file other = { .key = 2, .inode = 5, .mode = S_IFSOCK };
	struct callcopy_file pipe = { .key = 3, .inode = 6, .magic = 0x50495045 };
	struct callcopy_file event = { .key = 4, .magic = 0x09041934 };

	assert_string_equal(file_path(&files, &file, 0, "hosts\0etc", 10), "/etc/hosts");
	assert_string_equal(file_path(&files, &file, CALLCOPY_FILE_KNOWN, "", 0), "/etc/hosts");
	assert_string_equal(file_path(&files, &file, CALLCOPY_FILE_DELETED, "x", 2),
			    "/x (deleted)");
	assert_string_equal(file_path(&files, &file, CALLCOPY_FILE_KNOWN, "", 0), "/x (deleted)");
	assert_string_equal(file_path(&files, &file, 0, "/", 2), "/");
	assert_string_equal(file_path(&files, &file, CALLCOPY_FILE_CUT, "b\0a", 4), ".../a/b");
	assert_string_equal(file_path(&files, &other, 0, "", 0), "socket:[5]");
	assert_string_equal(file_path(&files, &pipe, 0, "", 0), "pipe:[6]");
	assert_string_equal(file_path(&files, &event, 0, "[eventfd]", 10), "anon_inode:[eventfd]");
	file.key = 99;
	assert_null(file_path(&files, &file, CALLCOPY_FILE_KNOWN, "", 0));
	callfiles_done(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_and_flags_are_told),
		cmocka_unit_test(a_mode_is_told_where_a_file_is_made),
		cmocka_unit_test(what_was_not_copied_is_a_pointer),
		cmocka_unit_test(what_was_not_there_at_the_entry_comes_with_the_exit),
		cmocka_unit_test(a_buffer_is_cut_where_it_was_longer),
		cmocka_unit_test(results_in_memory_are_read_at_the_exit),
		cmocka_unit_test(a_string_without_its_end_was_cut),
		cmocka_unit_test(structs_lie_as_the_compiler_puts_them),
		cmocka_unit_test(times_of_32_bits_are_narrower),
		cmocka_unit_test(halves_of_a_number_are_one),
		cmocka_unit_test(addresses_of_sockets_are_told_by_family),
		cmocka_unit_test(an_option_is_of_its_level),
		cmocka_unit_test(what_fcntl_takes_is_of_its_command),
		cmocka_unit_test(texts_of_an_array_are_its_parts),
		cmocka_unit_test(iovecs_have_what_they_point_at),
		cmocka_unit_test(a_message_has_a_name_and_iovecs),
		cmocka_unit_test(sets_are_lists_of_what_is_in_them),
		cmocka_unit_test(an_array_of_structs_is_a_list),
		cmocka_unit_test(how_a_child_ended_is_told),
		cmocka_unit_test(descriptors_that_a_call_made_have_files),
		cmocka_unit_test(numbers_that_are_no_limit_have_a_word),
		cmocka_unit_test(records_without_the_mark_are_the_tracepoints),
		cmocka_unit_test(an_item_that_is_too_long_is_the_end),
		cmocka_unit_test(files_have_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
