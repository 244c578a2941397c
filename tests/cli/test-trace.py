"""strobe trace: system calls of programs as they happen, with what they are called with."""
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import schema
from tap import STROBE, background, case, check, compile_c, contains, equal, lacks, main, need_program, need_root, newest_perf, on_a_terminal, read, run, skip, \
    strobe, wait_until, write

LINE = re.compile(r"^ *(?P<time>[\d.]+|\?) \( *(?P<duration>[\d.]*)(?: ms)? *\): (?P<comm>.*?)/(?P<tid>\d+) (?P<text>.*)$")


class Call:
    """A line of trace's: .name, .args, .result (None: it goes on), .time in ms, .comm, .tid."""

    def __init__(self, line):
        match = LINE.match(line)
        check(match, line)
        self.line, self.comm, self.tid = line, match["comm"], int(match["tid"])
        self.time = None if match["time"] == "?" else float(match["time"])
        self.duration = float(match["duration"]) if match["duration"] else None
        text = match["text"]
        self.continued = text.startswith(" ... [continued]: ")
        text = text.replace(" ... [continued]: ", "")
        self.name = text.split("(", 1)[0]
        self.goes_on = text.endswith(" ...")
        body, _, result = text.rpartition(" = ") if not self.goes_on else (text, "", None)
        self.args, self.result = body.strip()[len(self.name):], result


def calls(text):
    return [Call(line) for line in text.splitlines() if not line.startswith("LOST")]


@functools.cache
def missing_bpf():
    """Why there is no BPF; None: there is."""
    if "libbpf: [ on" not in strobe("version", "--build-options").out:
        return "strobe was built without BPF"
    probe = strobe("trace", "-o", "probe.txt", "true")
    return "BPF is not allowed here: " + probe.err.strip() if "BPF" in probe.err else None


def need_bpf():
    need_root()
    if missing_bpf():
        skip(missing_bpf())


def trace(*args, settings="", **more):
    """The lines of a command that is traced, and what it was."""
    env = {}
    if settings:
        write("perfconfig", "[trace]\n" + settings)
        env["PERF_CONFIG"] = os.path.abspath("perfconfig")
    result = strobe("trace", "-o", "trace.txt", *args, env=env, **more)
    with open("trace.txt", encoding="utf-8", errors="replace") as file:
        text = file.read()
    return calls(text), result


@functools.cache
def victim_bytes():
    with open(compile_c("calls.c", "calls", ["-O1", "-static"]), "rb") as file:
        return file.read()


def victim():
    """./calls, which is compiled once for all cases."""
    with open("calls", "wb") as file:
        file.write(victim_bytes())
    os.chmod("calls", 0o755)
    return os.path.abspath("calls")


@case
def calls_are_shown_with_strings_flags_structs_and_paths():
    need_bpf()
    found, result = trace(victim())
    equal((result.code, result.err), (7, ""))
    here = os.path.realpath(".")
    shown = {call.name + call.args + " = " + (call.result or "") for call in found if call.result}

    def has(text):
        check(text in shown, text + " is not among\n" + "\n".join(sorted(shown)))

    equal((found[0].name, found[0].result), ("execve", "0"))
    contains(found[0].args, 'filename: "%s", argv: ["%s"]' % (os.path.abspath("calls"), os.path.abspath("calls")))
    has('openat(dfd: CWD, filename: "calls.txt", flags: RDWR|CREAT|TRUNC, mode: 0640) = 3<%s/calls.txt>' % here)
    has('write(fd: 3<%s/calls.txt>, buf: "hello, world\\n", count: 13) = 13' % here)
    has('writev(fd: 3<%s/calls.txt>, vec: [{ .iov_base: "one\\n", .iov_len: 4 }, { .iov_base: "two\\t\\1\\377", .iov_len: 6 }],'
        ' vlen: 2) = 10' % here)
    has('read(fd: 3<%s/calls.txt>, buf: "hello, world\\none\\ntwo\\t\\1\\377", count: 4096) = 23' % here)
    has('openat(dfd: CWD, filename: "/does/not/exist", flags: RDONLY) = -1 ENOENT (No such file or directory)')
    has('close(fd: 1234) = -1 EBADF (Bad file descriptor)')
    has('openat(dfd: CWD, filename: 0x8, flags: WRONLY) = -1 EFAULT (Bad address)')
    has('rename(oldname: "calls.txt", newname: "calls.dir/moved") = 0')
    has('readlink(path: "calls.dir/link", buf: "moved", bufsiz: 4096) = 5')
    check({'faccessat(dfd: 3</>, filename: "etc", mode: X_OK|R_OK) = 0', 'faccessat2(dfd: 3</>, filename: "etc", mode: X_OK|R_OK) = 0'} &
          shown, shown)
    check(any(re.search(r'^connect\(fd: 3<socket:\[\d+\]>, uservaddr: \{ .sa_family: INET, .sin_port: 9, .sin_addr: 127.0.0.1 \}, '
                        r'addrlen: 16\) = 0$', text) for text in shown), shown)
    check(any(re.search(r'^timerfd_create\(clockid: MONOTONIC, flags: CLOEXEC\) = 3<anon_inode:\[timerfd\]>$', text)
              for text in shown), shown)
    check(any(re.search(r'^write\(fd: 3<anon_inode:\[eventfd\]>, ', text) for text in shown), shown)
    has('rt_sigprocmask(how: BLOCK, nset: [USR1, CHLD], sigsetsize: 8) = 0')
    equal((found[-1].name, found[-1].args, found[-1].result), ("exit_group", "(error_code: 7)", "?"))


@case
def times_grow_and_children_are_followed():
    need_bpf()
    found, _ = trace(victim())
    parent = found[0].tid
    times = [call.time for call in found if call.tid == parent and not call.continued]
    equal(times, sorted(times))
    equal(found[0].time, 0.0)
    tids = {call.tid for call in found}
    equal(len(tids), 4)
    # The one that became another program, by vfork and execve.
    contains("\n".join(call.line for call in found), 'execve(filename: "/proc/self/exe", argv: ["calls", "exit", "three"]')
    ends = [call for call in found if call.name == "wait4" and call.result]
    equal([re.search(r"stat_addr: (\{.*?\})", call.args)[1] for call in ends],
          ["{ .exited: 3 }", "{ .exited: 3 }", "{ .signaled: KILL }"])
    alone, _ = trace("--no-inherit", victim())
    equal({call.tid for call in alone}, {alone[0].tid})


@case
def only_what_was_asked_for_is_shown():
    need_bpf()
    program = victim()

    def names(*args):
        return {call.name for call in trace(*args, program)[0]}

    equal(names("-e", "openat,close"), {"openat", "close"})
    equal(names("-e", "rename,sock*"), {"rename", "socket", "socketpair"})
    network = names("-e", "network")
    check({"socket", "connect", "sendto", "recvfrom"} <= network and "openat" not in network, network)
    others = names("-e", "!desc,execve")
    check("getpid" in others and not {"read", "openat", "execve"} & others, others)
    failed, _ = trace("--failure", program)
    check(failed and all(call.result.startswith("-1 E") or call.result == "?" for call in failed), [c.line for c in failed])
    slow, _ = trace("--duration", "0.9", program)
    check("nanosleep" in {call.name for call in slow} or "clock_nanosleep" in {call.name for call in slow})
    check(all(call.duration >= 0.9 for call in slow), [call.line for call in slow])
    equal(len(trace("--max-events", "3", program)[0]), 3)


@case
def what_is_no_call_and_no_event_is_an_error():
    result = strobe("trace", "-e", "nonsense_call", "true")
    equal(result.code, 2)
    contains(result.err, "nonsense_call")
    equal(strobe("trace", "-e", "!nonsense_call", "true").code, 2)
    equal(strobe("trace", "--duration", "long", "true").code, 2)


@case
def texts_are_as_long_as_was_asked_for():
    need_bpf()
    found, _ = trace("-e", "write", "--string-limit", "5", victim())
    contains(found[0].args, 'buf: "hello"..., count: 13')
    long = "x" * 3000
    found, _ = trace("-e", "write", "--string-limit", "4000", "--", "printf", long, stdout=subprocess.DEVNULL)
    contains("".join(call.args for call in found), '"%s"' % long)


@case
def settings_change_how_lines_look():
    need_bpf()
    strobe("trace", "-o", "trace.txt", "-e", "openat,lseek", victim(),
           env={"PERF_CONFIG": write_settings("show_zeros = yes\nshow_prefix = yes\nshow_arg_names = no\nargs_alignment = 0\n"
                                              "show_timestamp = no\nshow_duration = no\n")})
    with open("trace.txt", encoding="utf-8") as file:
        text = file.read()
    check(re.search(r'^calls/\d+ openat\(AT_FDCWD, "calls.txt", O_RDWR\|O_CREAT\|O_TRUNC, 0640\) = 3<.*/calls.txt>$', text, re.M), text)
    check(re.search(r"^calls/\d+ lseek\(3<.*>, 0, SEEK_SET\) = 0$", text, re.M), text)


def write_settings(lines):
    write("perfconfig", "[trace]\n" + lines)
    return os.path.abspath("perfconfig")


@case
def a_process_is_traced_in_the_middle_of_a_call_until_it_ends():
    need_bpf()
    sleeper = background(["sh", "-c", "read a; echo $a >/dev/null; sleep 0.1; exit 4"], stdin=subprocess.PIPE)
    tracer = background([STROBE, "trace", "-p", str(sleeper.pid), "-o", "trace.txt"], stderr=subprocess.PIPE)
    time.sleep(1)
    sleeper.stdin.write(b"word\n")
    sleeper.stdin.close()
    equal(tracer.wait(30), 0)
    with open("trace.txt", encoding="utf-8") as file:
        text = file.read()
    contains(text, "... [continued]: read(")
    contains(text, 'write(fd: 1</dev/null>, buf: "word\\n", count: 5)')
    contains(text, "exit_group(error_code: 4)")


@case
def calls_that_go_on_are_shown_at_once_and_ctrl_c_ends_it():
    need_bpf()
    sleeper = background(["sh", "-c", "while read a; do echo $a; done"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    tracer = background([STROBE, "trace", "-p", str(sleeper.pid), "-o", "trace.txt"], stderr=subprocess.PIPE)

    def shown(text):
        try:
            with open("trace.txt", encoding="utf-8") as file:
                return text in file.read()
        except FileNotFoundError:
            return False

    time.sleep(1)
    sleeper.stdin.write(b"word\n")
    sleeper.stdin.flush()
    wait_until(lambda: shown('write(fd: 1</dev/null>, buf: "word\\n", count: 5)'), 10)
    wait_until(lambda: shown(" ..."), 10)
    tracer.send_signal(signal.SIGINT)
    equal(tracer.wait(30), -signal.SIGINT)


@case
def what_finds_no_room_is_told():
    need_bpf()
    result = strobe("trace", "-m", "4K", "-o", "trace.txt", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=20000")
    equal(result.code, 0)
    with open("trace.txt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    losses = [re.match(r"LOST (\d+) records between ([\d.]+) and ([\d.]+) ms$", line) for line in lines if line.startswith("LOST")]
    check(losses and all(losses), lines[:20])
    for loss in losses:
        check(int(loss[1]) > 0 and float(loss[2]) <= float(loss[3]), loss[0])


@case
def all_of_a_fast_program_is_in_the_file():
    need_bpf()
    found, result = trace("dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=20000")
    equal(result.code, 0)
    reads = [call for call in found if call.name == "read" and "</dev/zero>" in call.args]
    writes = [call for call in found if call.name == "write" and "</dev/null>" in call.args]
    equal((len(reads), len(writes)), (20000, 20000))
    check(all(call.result == "1" and 'buf: "\\0", count: 1' in call.args for call in reads + writes))


@case
def a_mistyped_name_is_told_with_what_may_be_meant():
    for typed, said in (("opnat", "did you mean 'openat'?"), ("sched:sched_switch,wrte", "did you mean 'write'?"),
                        ("!opnat", "did you mean 'openat'?"), ("cpu-clok", "did you mean 'cpu-clock'?")):
        result = strobe("trace", "-e", typed, "--", "true")
        equal(result.code, 2)
        contains(result.err, said)
    result = strobe("trace", "-e", "nosuch:event", "--", "true")
    equal(result.code, 2)
    contains(result.err, "'nosuch:event' does not exist here")


@case
def the_command_s_exit_code_is_passed_on():
    need_bpf()
    equal(trace("sh", "-c", "exit 5")[1].code, 5)
    equal(trace("sh", "-c", "kill -TERM $$")[1].code, 143)
    result = strobe("trace", "-o", "trace.txt", "does-not-exist")
    check(result.code != 0, result.code)
    contains(result.err, "does-not-exist")


@case
def thousands_of_threads_are_followed():
    need_bpf()
    source = "#include <pthread.h>\n#include <unistd.h>\n#include <sys/syscall.h>\n" \
             "static void *run(void *n) { syscall(SYS_getpriority, 0, 0); return 0; }\n" \
             "int main(void) { for (int i = 0; i < 2000; i++) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); } }\n"
    program = compile_c(source, flags=["-O1", "-pthread"])
    found, result = trace("-e", "getpriority", program)
    equal(result.code, 0)
    equal(len({call.tid for call in found}), 2000)


SUMMARY = re.compile(r"^   (\w+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +[\d.]+%(?: +([\d.]+))?$", re.M)


def rows(text):
    """Of a summary: what is said of each call."""
    return {row[0]: {"calls": int(row[1]), "errors": int(row[2]), "total": float(row[3]), "min": float(row[4]),
                     "avg": float(row[5]), "max": float(row[6]), "cpu": float(row[7]) if row[7] else None}
            for row in SUMMARY.findall(text)}


@case
def calls_are_added_up_by_thread_or_together():
    need_bpf()
    program = victim()
    found, _ = trace(program)
    result = strobe("trace", "-s", "--summary-mode", "total", "--errno-summary", program)
    equal(result.code, 7)
    together = rows(result.err)
    for name in ("write", "close", "openat", "socket"):
        lines = [call for call in found if call.name == name and call.result]
        equal((name, together[name]["calls"], together[name]["errors"]),
              (name, len(lines), sum(call.result.startswith("-1") for call in lines)))
    for name, row in together.items():
        check(row["min"] <= row["avg"] <= row["max"] <= row["total"] + 0.001, (name, row))
    # What slept for a millisecond took that long, and hardly any of it a CPU.
    sleep = together.get("nanosleep") or together["clock_nanosleep"]
    check(sleep["total"] >= 1 and sleep["cpu"] < sleep["total"], sleep)
    check(re.search(r"^   openat +.*\n\t+E(NOENT|FAULT): 1\n\t+E(NOENT|FAULT): 1$", result.err, re.M), result.err)
    alone = strobe("trace", "-s", program).err
    equal(len(re.findall(r"^ \S+ \(\d+\), \d+ events, [\d.]+%$", alone, re.M)), 4)
    both = strobe("trace", "-S", "-e", "rename", program).err
    contains(both, 'rename(oldname: "calls.txt"')
    equal(rows(both)["rename"]["calls"], 1)


@case
def what_was_recorded_is_shown_as_what_happens():
    need_bpf()
    program = victim()
    live = [(call.name, re.sub(r"0x[0-9a-f]+|\[\d+\]|\d{4,}", "", call.args)) for call in trace(program)[0] if call.result]
    result = strobe("trace", "record", "-o", "calls.data", program)
    equal(result.code, 7)
    contains(result.err, "[ strobe trace record: Captured and wrote")
    shown = strobe("trace", "-i", "calls.data").ok().err
    recorded = [(call.name, re.sub(r"0x[0-9a-f]+|\[\d+\]|\d{4,}", "", call.args)) for call in calls(shown) if call.result]
    equal(len(recorded), len(live))
    # Of several threads, ends come in any order.
    equal({name for name, _ in recorded}, {name for name, _ in live})
    contains(shown, 'write(fd: 3<%s/calls.txt>, buf: "hello, world\\n", count: 13)' % os.path.realpath("."))
    with open("calls.data", "rb") as file:
        piped = strobe("trace", "-i", "-", stdin=file.read()).ok().err
    check(len(calls(piped)) > 10, piped)
    only = calls(strobe("trace", "-i", "calls.data", "-e", "rename,unlink").ok().err)
    equal({call.name for call in only}, {"rename", "unlink"})
    equal(rows(strobe("trace", "-i", "calls.data", "-s", "--summary-mode", "total").ok().err)["rename"]["calls"], 1)


def traced_json(*args, **more):
    """The lines of --format json, which follow the schema, without the first and the last."""
    write("trace.json", "")
    strobe("trace", "--format", "json", "-o", "trace.json", *args, **more)
    with open("trace.json", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for line in lines:
        schema.check_value("trace", line)
    equal([lines[0]["type"], lines[-1]["type"]], ["recording", "end"])
    return lines[1:-1]


def quoted(value):
    """As the text has it, but for how bytes are written that are no letters."""
    return json.dumps(value) if value.isprintable() and value.isascii() else "?"


def shown_value(value):
    """The text of a value of JSON; '?': where the text has another form; '!': perhaps with bits that have no name."""
    if isinstance(value, (int, str)):
        return str(value)
    if "text" in value:
        text = quoted(value["text"])
        return text + "..." if value.get("cut") and text != "?" else text
    if "names" in value:
        return "|".join(value["names"]) + "!" if value["names"] else "?"
    if "fd" in value:
        return "%d<%s>" % (value["fd"], value["path"]) if "path" in value else str(value["fd"])
    if "struct" in value:
        parts = [".%s: %s" % (name, shown_value(part)) for name, part in value["struct"].items()]
    else:
        parts = [shown_value(part) for part in value.get("list", value.get("all_but"))]
    text = ", ".join(parts + ["..."] if value.get("cut") else parts)
    return "{ %s }" % text if "struct" in value else ("~" if "all_but" in value else "") + "[%s]" % text


def decimal(text):
    """With octal numbers so."""
    return re.sub(r"\b0([0-7]+)\b", lambda match: str(int(match[1], 8)), text)


@case
def json_says_what_the_text_says():
    need_bpf()
    strobe("trace", "record", "-o", "calls.data", victim())
    shown = strobe("trace", "-i", "calls.data", "-v", "--duration", "0.000001",
                   env={"PERF_CONFIG": write_settings("show_zeros = yes\nshow_prefix = yes\nargs_alignment = 0\n")}).ok().err
    texts = [call for call in calls("\n".join(line for line in shown.splitlines() if LINE.match(line)))]
    values = [line for line in traced_json("-i", "calls.data") if line["outcome"] == "returned" and line["time_ns"]]
    equal([(call.tid, call.name) for call in texts], [(line["tid"], line["name"]) for line in values])
    compared = 0
    for call, line in zip(texts, values):
        args = "(%s)" % ", ".join("%s: %s" % (name, shown_value(value)) for name, value in line["args"].items())
        pattern = re.escape(args).replace("\\?", ".*?").replace("!", r"(?:\|0[x0-9a-f]*)?").replace("0x0", "(?:0x0|NULL)")
        check(re.fullmatch(pattern, call.args) or re.fullmatch(pattern, decimal(call.args)), (call.args, args))
        compared += "?" not in args
        if "errno" in line:
            contains(call.result, "-1 %s (" % line["error"] if line["errno"] < 512 else "?")
        else:
            result = shown_value(line["result"])
            check(result.rstrip("!") in (call.result, decimal(call.result), "?"), (call.result, result))
    check(compared > 100, compared)
    opened = next(line for line in values if line["args"].get("filename") == {"text": "calls.txt"})
    equal(opened["args"], {"dfd": "AT_FDCWD", "filename": {"text": "calls.txt"},
                           "flags": {"value": "0x242", "names": ["O_RDWR", "O_CREAT", "O_TRUNC"]}, "mode": 0o640})
    equal(opened["result"], {"fd": 3, "path": os.path.realpath("calls.txt")})
    bytes_written = next(line["args"]["vec"] for line in values if line["name"] == "writev")["list"][1]["struct"]["iov_base"]
    equal(bytes.fromhex(bytes_written["text_hex"]), b"two\t\1\377")


@case
def json_has_sums_events_faults_and_calls_that_go_on():
    need_bpf()
    lines = traced_json("-S", "-F", "all", "-e", "sched:sched_process_exec,rename,exit_group", "--call-graph", "fp", victim())
    of = {kind: [line for line in lines if line["type"] == kind] for kind in ("call", "event", "fault", "summary")}
    contains([line["trace"]["fields"]["filename"] for line in of["event"]], os.path.abspath("calls"))
    check(any(line["code"]["dso"] and line["addr"]["dso"] for line in of["fault"]), of["fault"][:3])
    equal({line["name"] for line in of["call"]}, {"rename", "exit_group"})
    check(all(line["outcome"] == "never" for line in of["call"] if line["name"] == "exit_group"))
    renames = [row for line in of["summary"] for row in line["calls"] if row["name"] == "rename"]
    equal([row["count"] for row in renames], [1])
    check(any(line["frames"] for line in of["call"] if line["name"] == "rename"), of["call"])
    lines = traced_json("-e", "*nanosleep", "sh", "-c", "sleep 1 & sleep 0.1")
    equal({(line["outcome"], line["args"]["rqtp"]["struct"]["tv_sec"]) for line in lines if line["type"] == "call"},
          {("returned", 0), ("not_yet", 1)})


@case
def perf_reads_what_strobe_recorded_and_the_other_way_round():
    need_bpf()
    perf = newest_perf()
    program = victim()
    strobe("trace", "record", "-o", "strobe.data", program)
    by_perf = run(perf, "trace", "-i", "strobe.data")
    names = [call.name for call in calls(strobe("trace", "-i", "strobe.data").ok().err) if not call.continued]
    theirs = [Call(line).name for line in by_perf.err.splitlines() + by_perf.out.splitlines()
              if LINE.match(line) and "[continued]" not in line]
    check(len(names) > 100 and abs(len(names) - len(theirs)) <= 8, (len(names), len(theirs), by_perf.err[:500]))
    if run(perf, "trace", "record", "-o", "perf.data", program).code != 7:
        skip("this perf does not record system calls here")
    shown = calls(strobe("trace", "-i", "perf.data").ok().err)
    contains("\n".join(call.line for call in shown), "-1 EBADF (Bad file descriptor)")
    check({"openat", "socket", "rename", "wait4"} <= {call.name for call in shown})


@case
def without_bpf_memory_is_read_when_a_call_is_told_of():
    need_root()
    found, result = trace("--no-bpf", "-v", "-e", "openat,writev", compile_c("held-memory.c", "held", ["-O1", "-static"]))
    equal(result.code, 7, result.err)
    contains(result.err, "what pointers point at is read when a call is told of, and may have changed by then: --no-bpf")
    shown = [call.name + call.args for call in found if call.name == "openat" or call.name == "writev"]
    equal(len(shown), 5, shown)
    equal(shown[0], 'openat(dfd: CWD, filename: "held.txt", flags: RDWR|CREAT, mode: 0640)')
    equal(shown[1], 'openat(dfd: CWD, filename: 0x8, flags: WRONLY)')
    check(re.match(r"openat\(dfd: CWD, filename: 0x[0-9a-f]+ffa, flags: WRONLY\)$", shown[2]), shown[2])
    equal(shown[3], 'openat(dfd: CWD, filename: "xxxxxxxxxx", flags: WRONLY)')
    equal(shown[4], r'writev(fd: 3, vec: [{ .iov_base: "one\n", .iov_len: 4 }, { .iov_base: "t\33wo\n", .iov_len: 5 }], vlen: 2)')
    # A recording has it, too; what is only counted is not read.
    strobe("trace", "record", "--no-bpf", "-o", "held.data", "./held").code
    contains(strobe("trace", "-i", "held.data", "-e", "openat").err, 'filename: "held.txt"')
    lacks(strobe("trace", "-s", "-v", "--no-bpf", "./held").err, "is read when")


@case
def other_events_and_page_faults_stand_between_calls():
    need_bpf()
    program = victim()
    _, result = trace("-e", "sched:sched_process_exec,openat", program)
    equal(result.code, 7)
    with open("trace.txt", encoding="utf-8") as file:
        text = file.read()
    check(re.search(r'sched:sched_process_exec\(filename: "%s", pid: \d+' % re.escape(program), text), text)
    contains(text, 'openat(dfd: CWD, filename: "calls.txt"')
    strobe("trace", "-o", "trace.txt", "-F", "all", "--no-syscalls", program)
    with open("trace.txt", encoding="utf-8") as file:
        text = file.read()
    check(re.search(r"calls/\d+ m(in|aj)fault \[.*\] => .*calls@0x[0-9a-f]+ \(d[.k]\)$", text, re.M), text)
    lacks(text, "openat(")


@case
def call_chains_stand_below_calls():
    need_bpf()
    program = compile_c("calls.c", "calls", ["-O0", "-g", "-fno-omit-frame-pointer"])
    for how in ("fp", "dwarf"):
        strobe("trace", "-o", "trace.txt", "--call-graph", how, "-e", "mkdir", program)
        with open("trace.txt", encoding="utf-8") as file:
            text = file.read()
        check(re.search(r"mkdir\(.*\n( {39}\S.*\n)* {39}files \(.*/calls\)\n {39}main \(.*/calls\)\n", text) or how == "fp" and
              re.search(r"mkdir\(.*\n {39}\S", text), how + "\n" + text)


@case
def names_cannot_move_the_terminal_nor_begin_a_line():
    need_bpf()
    name = "\x1b[2J\n\u009bx"
    os.symlink("/bin/cat", name)
    write("\x1b[2J\ny", "")
    for options in ((), ("-s",)):
        sent = on_a_terminal("trace", *options, "./" + name, "\x1b[2J\ny", stream="stderr")
        contains(sent.decode(), "\\x1b[2J\\x0a\\xc2\\x9bx")
        check(not re.search(rb"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]|\xc2\x9b", sent), sent)
    strobe("trace", "-o", "trace.txt", "./" + name, "\x1b[2J\ny").ok()
    with open("trace.txt", "rb") as file:
        text = file.read()
    check(b"\x1b[2J\\x0a" in text, text)
    check(b"[2J\n" not in text, text)


@case
def what_runs_in_a_control_group_is_traced():
    need_bpf()
    with open("/proc/mounts", encoding="utf-8") as file:
        mounts = file.read()
    unified = re.findall(r"^\S+ (\S+) cgroup2 ", mounts, re.M)
    if not unified or "perf_event" in mounts:
        skip("no cgroup v2 for perf events")
    name = "strobe-test-%d" % os.getpid()
    group = os.path.join(unified[0], name)
    inside = 'sleep 0.1; (echo 0 >%s/cgroup.procs; exec cat /etc/hostname >/dev/null); cat /etc/hosts >/dev/null' % group
    os.mkdir(group)
    try:
        for how in ([], ["--no-bpf", "-a"]):
            found, result = trace(*how, "-G", name, "--", "sh", "-c", inside)
            equal(result.code, 0, result.err)
            check(any(call.name == "execve" and call.comm == "cat" for call in found), [call.line for call in found][:9])
            equal(sum(call.name == "exit_group" for call in found), 1)
        contains(strobe("trace", "-G", "no-such-group", "true").err, "no cgroup 'no-such-group'")
    finally:
        os.rmdir(group)


@case
def names_that_the_headers_do_not_have_are_the_kernel_s():
    need_bpf()
    with open("/sys/kernel/btf/vmlinux", "rb") as file:
        if b"\0BPF_TOKEN_CREATE\0" not in file.read():
            skip("the kernel is older than the command")
    if os.uname().machine != "x86_64":
        skip("the call has another number here")
    program = "import ctypes; ctypes.CDLL(None).syscall(321, 36, 0, 0); ctypes.CDLL(None).syscall(321, 99999, 0, 0)"
    found, _ = trace("-e", "bpf", sys.executable, "-c", program)
    equal([call.args for call in found], ["(cmd: TOKEN_CREATE)", "(cmd: 99999)"])


def as_user(*args, caps=""):
    """By a user who has these capabilities and no others: setpriv(1) names them so."""
    sets = "-all" + caps
    return run(need_program("setpriv"), "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps", sets, "--ambient-caps", sets,
               *args, env={"ASAN_OPTIONS": "detect_leaks=0"})


def place_for_all():
    """strobe and the program that holds still, where everybody may run them."""
    os.chmod(".", 0o777)
    shutil.copy(STROBE, "strobe")
    os.chmod(compile_c("held-memory.c", "held", ["-O1", "-static"]), 0o755)
    return os.path.abspath("strobe"), os.path.abspath("held")


@case
def an_ordinary_user_is_told_which_gate_is_closed_and_what_opens_it():
    need_root()
    exe, _ = place_for_all()
    result = as_user(exe, "trace", "true")
    lacks(result.err, "Sanitizer")
    equal(result.code, 1)
    if os.stat("/sys/kernel/tracing").st_mode & 0o007:
        skip("tracefs is open to all here")
    contains(result.err, "tracepoints in '/sys/kernel/tracing' are not readable for this user")
    contains(result.err, "hint: as root: setcap cap_bpf,cap_perfmon+ep on the strobe binary; or as root: mount -o remount,gid=65534,mode=750 "
                         "/sys/kernel/tracing")
    if read("/proc/sys/kernel/perf_event_paranoid").strip() != "2":
        skip("kernel.perf_event_paranoid is not 2")
    # The capability is to read what tracefs is not open for.
    result = as_user(exe, "trace", "true", caps=",+dac_read_search")
    contains(result.err, "no permission to watch the kernel with 'raw_syscalls:sys_enter': kernel.perf_event_paranoid is 2")
    contains(result.err, "hint: as root: sysctl kernel.perf_event_paranoid=1, or: setcap cap_perfmon")


@case
def an_ordinary_user_sees_strings_of_own_programs():
    need_root()
    exe, program = place_for_all()
    # What opens the gates for the whole machine would do so for other tests, too.
    gates = ",+perfmon,+dac_read_search"
    result = as_user(exe, "trace", "-v", program, caps=gates)
    if "unrecognized" in result.err or "setpriv" in result.err:
        skip("setpriv does not know these capabilities")
    equal(result.code, 7, result.err)
    contains(result.err, "is read when a call is told of, and may have changed by then: BPF is not for this user")
    contains(result.err, 'openat(dfd: CWD, filename: "held.txt", flags: RDWR|CREAT, mode: 0640)')
    result = as_user("sh", "-c", "%s & exec %s trace -e writev -p $!" % (program, exe), caps=gates)
    equal(result.code, 0, result.err)
    # Others' programs are seen, but not what they have in memory.
    child = background(["sh", "-c", "while :; do : </etc/hostname; sleep 0.05; done"])
    result = as_user(exe, "trace", "-v", "-e", "openat", "-p", str(child.pid), "--", "sleep", "0.5", caps=gates)
    contains(result.err, "memory of programs that this user may not trace cannot be read")
    check(re.search(r"sh/\d+ openat\(dfd: CWD, filename: 0x[0-9a-f]+", result.err), result.err)


@case
def capabilities_of_the_file_give_an_ordinary_user_all():
    need_bpf()
    exe, program = place_for_all()
    if run(need_program("setcap"), "cap_bpf,cap_perfmon+ep", exe).code != 0:
        skip("file capabilities cannot be set here")
    result = as_user(exe, "trace", "-v", program)
    equal(result.code, 7, result.err)
    contains(result.err, "copied by BPF")
    contains(result.err, 'openat(dfd: CWD, filename: "held.txt", flags: RDWR|CREAT, mode: 0640) ')
    contains(result.err, "= 3<%s/held.txt>" % os.path.realpath("."))


main()
