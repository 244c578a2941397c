/* test-recording.c - see test-recording.h. */
#include "cmd/test-recording.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/proc.h"

enum { FRAMES = 3 };

/* What leafloop is, from the inside out. */
static const char *const frames[FRAMES] = { "leaf", "parent", "leafloop" };

/* Runs strobe with these words; what it prints goes to @ret_text. The exit code, or -errno. */
static int run_strobe(const char *const *argv, struct str *ret_text)
{
	_cleanup_(closep) int out = -1, in = -1;
	posix_spawn_file_actions_t actions;
	char bytes[4096];
	int ends[2], status = 0, r;
	ssize_t size;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	out = ends[0];
	in = ends[1];
	if (posix_spawn_file_actions_init(&actions) != 0)
		return -ENOMEM;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		(void)posix_spawn_file_actions_adddup2(&actions, in, fd);
	r = posix_spawn(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (r != 0)
		return -r;
	(void)close(take_fd(in));
	while ((size = read(out, bytes, sizeof(bytes))) > 0)
		str_add_bytes(ret_text, bytes, (size_t)size);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EIO;
}

/* The first line of what a command printed. */
static int first_line(const struct str *text)
{
	return (int)strcspn(str_text(text), "\n");
}

/* Lines end with the name of a frame, and stand in the order of the chain. */
static bool has_frames(const struct str *text)
{
	size_t seen = 0;
	const char *rest = str_text(text);
	struct str_part line;

	while (seen < FRAMES && str_split(&rest, '\n', &line)) {
		size_t size = strlen(frames[seen]);

		if (line.size > size &&
		    memcmp(line.text + line.size - size, frames[seen], size) == 0 &&
		    line.text[line.size - size - 1] == ' ')
			seen++;
		else
			seen = 0;
	}
	return seen == FRAMES;
}

static enum probe_result fail(const char *what, int code, const struct str *text,
			      struct strobe_err *err)
{
	(void)err_set(err, -EIO, "%s ended with %d: %.*s", what, code, first_line(text),
		      str_text(text));
	return PROBE_FAILED;
}

static enum probe_result record_and_read(const char *path, struct str *details,
					 struct strobe_err *err)
{
	const char *self = proc_own_program();
	const char *const record[] = { self,           "record", "-q",       "-g", "-e",
				       "task-clock:u", "-o",     path,       "--", self,
				       "test",         "-w",     "leafloop", "1",  NULL };
	const char *const script[] = { self, "script", "-i", path, "-F", "ip,sym", NULL };
	_cleanup_(str_done) struct str text = { 0 };
	int r = run_strobe(record, &text);

	if (r != 0) {
		(void)err_set(err, -EACCES, "%.*s", first_line(&text), str_text(&text));
		(void)err_hint(err, -EACCES, "see the checks of clocks and rings");
		return PROBE_SKIP;
	}
	str_clear(&text);
	r = run_strobe(script, &text);
	if (r != 0)
		return fail("reading the recording", r, &text, err);
	str_addf(details, "%zu bytes of samples as text\n", text.size);
	if (text.size == 0) {
		(void)err_set(err, -EIO,
			      "the recording of a program that ran for a second is empty");
		return PROBE_FAILED;
	}
	if (!strstr(text.text, frames[0])) {
		(void)err_set(err, -EIO, "the functions of strobe itself have no names");
		(void)err_hint(err, -EIO, "was its symbol table taken off, as strip does?");
		return PROBE_SKIP;
	}
	if (!has_frames(&text)) {
		(void)err_set(err, -EIO,
			      "the call chain of leafloop is not leaf, parent, leafloop");
		return PROBE_FAILED;
	}
	return PROBE_OK;
}

static enum probe_result run(struct str *details, struct strobe_err *err)
{
	_cleanup_(str_done) struct str folder = { 0 }, path = { 0 };
	const char *below = getenv("TMPDIR");
	enum probe_result result;

	str_addf(&folder, "%s/strobe-test-XXXXXX", below && *below ? below : "/tmp");
	if (!mkdtemp(folder.text)) {
		(void)err_errno(err, "cannot make '%s'", folder.text);
		(void)err_hint(err, -EACCES, "set TMPDIR to a folder that you may write to");
		return PROBE_SKIP;
	}
	str_addf(&path, "%s/perf.data", folder.text);
	result = record_and_read(path.text, details, err);
	(void)unlink(path.text);
	(void)rmdir(folder.text);
	return result;
}

const struct probe test_recording_probe = { "A recording, its names and call chains", run };
