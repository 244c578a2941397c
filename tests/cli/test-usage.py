"""What strobe says of itself, and of what was typed wrongly."""
import os
import re
import signal
import subprocess

from tap import STROBE, case, check, contains, equal, lacks, main, perf, perf_path, run, strobe


def commands():
    return strobe("--dump-docs", "commands").ok().lines()


def options(command):
    """One long name of each kind that "-h" lists: what is alike in value and in how it is written is parsed alike."""
    found = re.findall(r"^ .{0,6}?(?:, | )--([a-z0-9-]+)((?:\S| (?! ))*)", strobe(command, "-h").ok().out, re.M)
    check("help" in dict(found), "no --help in the help of " + command)
    return list({(name.startswith("no-"), value): name for name, value in found}.values())


@case
def without_a_command_the_usage_goes_to_stderr():
    result = strobe()
    equal(result.code, 2)
    equal(result.out, "")
    contains(result.err, "usage: strobe")


@case
def help_lists_every_command_in_order():
    names = commands()
    check(names and names == sorted(names), "not sorted: %s" % names)
    for args in (["help"], ["-h"], ["--help"]):
        result = strobe(*args).ok()
        equal(re.findall(r"^  ([a-z][a-z0-9-]*) ", result.out, re.M), names)
        equal(result.err, "")


@case
def every_command_prints_its_options_on_h():
    for name in commands():
        result = strobe(name, "-h").ok()
        contains(result.out, "usage: strobe %s [OPTIONS]" % name)
        equal(result.err, "")
        equal(strobe(name, "--help").ok().out, result.out)
        for line in result.lines():
            check(len(line) <= 80, "wider than 80: " + line)


@case
def help_of_a_command_is_its_page_or_its_options():
    contains(strobe("help", "version", env={"PATH": "/nonexistent"}).ok().out, "usage: strobe version")
    equal(strobe("help", "recrod").code, 2)


@case
def each_option_of_perf_is_there_or_said_to_be_missing():
    seen = 0
    for name in commands():
        ours = strobe(name, "--list-opts").ok().out.split()
        for word in [] if name in ("help", "top") else perf(name, "--list-opts").out.split():
            seen += word.startswith("--")
            if word in ours or not word.startswith("--"):
                continue
            # Whatever it takes, nothing runs: what takes no value is refused, and behind another stands -h.
            result = strobe(name, word + "=1", "-h")
            lacks(result.err, "unknown option")
            if re.match(r"strobe %s: perf has '" % name, result.err):
                equal(result.code, 2, word)
    check(seen > 150, str(seen))
    for words, message in ((["record", "--group"], "hint: braces make a group"), (["report", "--samples", "2"], "perf has '--samples'"),
                           (["record", "-z"], "perf has '--compression-level'"), (["report", "-M", "intel"], "strobe has not yet")):
        result = strobe(*words)
        equal(result.code, 2)
        contains(result.err, message)
        lacks(result.err, "did you mean")


@case
def an_unknown_command_is_refused_with_the_nearest_name():
    result = strobe("vresion")
    equal(result.code, 2)
    equal(result.out, "")
    equal(result.err, "strobe: unknown command 'vresion'\n  hint: did you mean 'version'?\n")
    result = strobe("zzzzzzz")
    equal(result.code, 2)
    contains(result.err, "strobe: unknown command 'zzzzzzz'\n")


@case
def a_command_that_only_perf_has_is_named_in_one_line():
    have = commands()
    seen = 0
    for name in run(perf_path(), "--list-cmds").ok().out.split():
        if name in have:
            continue
        result = strobe(name)
        equal(result.code, 2)
        equal(result.out, "")
        equal(result.err, "strobe: there is no '%s' command\n" % name)
        seen += 1
    check(seen > 0 or len(have) > 30)
    contains(strobe("help", "sched").err, "strobe help: there is no 'sched' command\n  hint: 'strobe -h' lists the commands that")


@case
def the_beginning_of_a_command_is_enough_to_guess_it():
    for words, hint in ((["rep"], "did you mean 'report'?"), (["help", "rec"], "did you mean 'record'?"),
                        (["help", "nonsense"], "'strobe -h' lists the commands"), (["help", "recrod"], "did you mean 'record'?")):
        result = strobe(*words)
        equal(result.code, 2)
        contains(result.err, "hint: " + hint)


@case
def an_unknown_option_is_refused_by_every_command():
    for name in commands():
        for word in ("--no-such-option", "--no-such=3", "-\x7f", "--helpp"):
            result = strobe(name, word)
            equal(result.code, 2, "strobe %s %s" % (name, word))
            contains(result.err, "strobe %s: unknown option" % name)
        contains(strobe(name, "--hlep").err, "did you mean '--help'?")


@case
def every_option_can_be_asked_to_negate_without_harm():
    for name in commands():
        for option in options(name):
            word = option[3:] if option.startswith("no-") else "no-" + option
            result = strobe(name, "--" + word, "-h")
            check(result.code in (0, 2), "strobe %s --%s: %d" % (name, word, result.code))


@case
def an_option_that_ends_the_line_wants_its_value_or_does_without():
    for name in commands():
        for option in options(name):
            result = strobe(name, "-h", "--" + option)
            equal(result.code, 0, "-h comes first")
            result = strobe(name, "--%s=" % option, "-h")
            check(result.code in (0, 2), "strobe %s --%s=: %d %s" % (name, option, result.code, result.err))


@case
def the_version_is_told_in_every_way_perf_tells_it():
    version = strobe("version").ok().out
    check(re.fullmatch(r"strobe version \d+\.\d+\.\d+\n", version), version)
    for args in (["--version"], ["-v"]):
        equal(strobe(*args).ok().out, version)
    built = strobe("version", "--build-options").ok().out
    check(built.startswith(version), built)
    for line in built.splitlines()[1:]:
        check(re.fullmatch(r" *[\w-]+: \[ (on |OFF) \]", line), line)
    equal(strobe("-vv").ok().out, built)


@case
def called_as_perf_it_is_the_same():
    os.symlink(STROBE, "perf")
    for args in (["version"], ["-h"], ["vresion"], ["version", "-x"]):
        ours, linked = strobe(*args), run(os.path.abspath("perf"), *args)
        equal((linked.code, linked.out, linked.err), (ours.code, ours.out, ours.err))


@case
def output_that_nobody_can_take_is_a_failure():
    with open("/dev/full", "wb") as full:
        result = strobe("version", stdout=full)
    equal(result.code, 1)
    equal(result.err, "strobe: cannot write to standard output: No space left on device\n")


@case
def a_closed_stdout_is_a_failure_and_not_somebody_elses_file():
    result = run("sh", "-c", '"$0" version >&-', STROBE)
    equal(result.code, 1)
    contains(result.err, "cannot write to standard output")


@case
def a_reader_that_goes_away_ends_it_quietly():
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([STROBE, "help"], stdout=write_end, stderr=subprocess.PIPE, check=False,
                          restore_signals=True)
    os.close(write_end)
    equal(done.returncode, -signal.SIGPIPE)
    equal(done.stderr, b"")


@case
def the_documentation_dump_knows_its_parts_only():
    for args in ([], ["nonsense"], ["head"], ["head", "nonsense"], ["list", "x"]):
        result = strobe("--dump-docs", *args)
        equal(result.code, 2, str(args))
        equal(result.out, "")
    lacks(strobe("-h").ok().out, "dump-docs")


main()
