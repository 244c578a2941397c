"""strobe trace says of calls what strace says of them: the same calls, names, numbers, texts and results.

What is compared is what is said and not how: of each call the set of all names of flags and values, texts and numbers other than 0.
strobe leaves out what means nothing (the fd of an anonymous mapping, -1 or not), and strace what is 0; addresses, times, inodes, counts of what
a process used and numbers of processes are other ones each time.
"""
import os
import re

from tap import SOURCE_ROOT, case, check, compile_c, equal, main, need_program, need_root, run, skip, strobe, write

SETTINGS = "[trace]\nshow_zeros = yes\nshow_prefix = yes\nshow_arg_names = no\nargs_alignment = 0\nshow_timestamp = no\nshow_duration = no\n"
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\b[A-Z][A-Z0-9_]*\b|-?\b0x[0-9a-f]+\b|-?\b\d+\b')
# Of these calls, members of structs are other ones each time.
UNSTABLE = {"getrusage", "sysinfo", "clock_gettime", "statfs", "getrandom"}
# Numbers of these members are.
UNSTABLE_MEMBERS = re.compile(r"\b(st_ino|st_dev|st_[amc]time(?:_nsec)?|stx_ino|stx_mnt_id|stx_[abmc]time|stx_dev\w*|stx_rdev\w*)\b ?[:=] ?"
                              r"(?:makedev\([^)]*\)|\{[^}]*\}|\w+)")
# strace's names for what has another in libc's headers.
ALIASES = {"RLIM64_INFINITY": "RLIM_INFINITY", "UTIME_OMIT": "1073741822"}
# Names of zero, where no other flag of theirs is set.
ZEROS = {"NULL", "AT_STATX_SYNC_AS_STAT"}
# What strobe does not say (docs/differences.md, "What is not there yet"), and what it says more of.
GAPS = [r"^[gs]etsockopt\(.*SO_RCVTIMEO", r"^sendmmsg\(", r"^prctl\(PR_SET_NAME", r"^prctl\(PR_SET_PDEATHSIG"]
STARTERS = {"clone", "clone3", "vfork", "fork", "getpid", "gettid", "set_tid_address"}


def tokens(text, pids):
    """All that is said, but for numbers of processes."""
    text = re.sub(r"/\*.*?\*/", "", text)
    text = UNSTABLE_MEMBERS.sub("", text)
    text = re.sub(r"(\d+)\*1024", lambda match: str(int(match[1]) * 1024), text)
    text = re.sub(r'inet_addr\("([\d.]+)"\)', r"\1", text)
    text = re.sub(r'inet_pton\(AF_INET6, "([^"]*)", &sin6_addr\)', r"\1", text)
    text = re.sub(r"htons\((\d+)\)", r"\1", text)
    # A set of signals.
    text = re.sub(r"\[((?!SIG)(?:[A-Z]+\d*|RT\w+)(?: (?:[A-Z]+\d*|RT\w+))*)\]", lambda m: " ".join("SIG" + name for name in m[1].split()), text)
    text = re.sub(r"WIF\w+\(s\)(?: && W\w+\(s\) == )?", "", text)
    said = set()
    for token in TOKEN.findall(text):
        token = ALIASES.get(token, token)
        if token in ZEROS:
            continue
        if re.match(r"-?\d|-?0x", token):
            number = int(token, 8) if re.match(r"0[0-7]+$", token) else int(token, 0)
            # Addresses in the stack and of the loader are not the same.
            if number in pids or not 0 < abs(number) < 1 << 40 or number == -1:
                continue
            token = str(number)
        said.add(token)
    return said


def difference(mine, other, pids):
    """What only one of two says."""
    # Flags that are a result.
    other = (*other[:2], re.sub(r"^0x\w+ \(flags (.*)\)$", r"\1", other[2]))
    texts = [(call[0] + "(%s)" % call[1], re.match(r"\S+(?: E\w+)?", call[2])[0]) for call in (mine, other)]
    # What poll(2) changed stands behind strace's result.
    late = re.search(r" \((\[.*)\)$", other[2])
    sets = [(tokens(args, pids), tokens(result, pids)) for args, result in texts]
    if late:
        sets[1] = (sets[1][0] | tokens(late[1], pids), sets[1][1])
    if mine[0] in UNSTABLE or sets[0] == sets[1]:
        return None
    return "%s = %s\n%s = %s\nonly strobe: %s, only strace: %s\n" % (
        *texts[0], *texts[1], *[[a - b for a, b in zip(sets[i], sets[1 - i])] for i in (0, 1)])


def strace_calls(program):
    run("strace", "-v", "-s", "200", "-o", "strace.txt", "setarch", "-R", program)
    with open("strace.txt", encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    found = [re.match(r"^(\w+)\((.*)\) += (.*)$", line) for line in lines]
    return [match.groups() for match in found if match]


def strobe_calls(program):
    write("perfconfig", SETTINGS)
    strobe("trace", "-v", "--no-inherit", "--string-limit", "200", "-o", "trace.txt", "setarch", "-R", program,
           env={"PERF_CONFIG": os.path.abspath("perfconfig")})
    with open("trace.txt", encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    # Without the paths of descriptors.
    return joined(re.sub(r"\b(\d+)<[^>]*>", r"\1", line) for line in lines)


def joined(lines):
    """A call that takes long has two lines, where it began and where it ended."""
    found, begun = [], {}
    for line in lines:
        whole = re.match(r"^(\S+/\d+)  ?(\.\.\. \[continued\]: )?(\w+)\((.*)\) = (.*)$", line)
        part = re.match(r"^(\S+/\d+) (\w+)\((.*)\) \.\.\.$", line)
        if part:
            begun[part[1]] = len(found)
            found.append((part[2], part[3], ""))
        elif whole and whole[2] and whole[1] in begun:
            name, args, _ = found[begun[whole[1]]]
            found[begun[whole[1]]] = (name, "%s, %s" % (args, whole[4]), whole[5])
        elif whole and not whole[2]:
            found.append(whole.groups()[2:])
    return found


def own(calls):
    """Those that the program makes, and not setarch before it."""
    starts = [i for i, call in enumerate(calls) if call[0] == "execve"]
    # Whether a thread has ended before it is waited for, nobody knows.
    return [call for call in calls[starts[-1] + 1:] if call[0] != "futex"]


def compare_program(program, gaps=()):
    """All differences are gaps, and each gap is one."""
    ours, theirs = own(strobe_calls(program)), own(strace_calls(program))
    equal([call[0] for call in ours], [call[0] for call in theirs])
    pids = {int(call[2]) for call in ours + theirs if call[0] in STARTERS and call[2].isdigit()}
    wrong = [text for text in (difference(mine, other, pids) for mine, other in zip(ours, theirs)) if text]
    unknown = [text for text in wrong if not any(re.search(gap, text) for gap in gaps)]
    check(not unknown, "\n".join(unknown))
    equal([gap for gap in gaps if not any(re.search(gap, text) for text in wrong)], [], "gaps that are none any more")


def need_both():
    need_root()
    need_program("strace")
    need_program("setarch")
    if "BPF" in strobe("trace", "-o", "probe.txt", "true").err:
        skip("BPF is not allowed here")


def compare(name, gaps=()):
    need_both()
    compare_program(compile_c(name + ".c", name, ("-O1", "-static", "-pthread")), gaps)


@case
def what_strace_says_of_each_kind_of_argument_is_said():
    compare("kinds", GAPS)


@case
def what_strace_says_of_many_calls_is_said():
    compare("calls")


@case
def what_strace_says_of_a_program_of_32_bits_is_said():
    need_both()
    # Compilers that know the machine often have no C library for it.
    source = os.path.join(SOURCE_ROOT, "tests/programs/calls32.c")
    built = run("gcc", "-m32", "-O1", "-idirafter", "/usr/include/x86_64-linux-gnu", "-nostdlib", "-static", "-ffreestanding", "-fno-pic", "-fno-stack-protector", "-o", "calls32", source)
    if built.code != 0 or run(os.path.abspath("calls32")).code != 5:
        skip("programs of 32 bits cannot be made, or do not run here")
    compare_program(os.path.abspath("calls32"))


main()
