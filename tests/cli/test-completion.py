"""Completion for bash, asked as bash asks it."""
import os

import recordings
from tap import BUILD_ROOT, STROBE, case, check, equal, lacks, main, need_program, run, skip, strobe, write

SCRIPT = os.path.join(BUILD_ROOT, "completions/strobe")


def complete(*words):
    """What is offered for the last of the words."""
    need_program("bash")
    program = '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _strobe; printf "%s\\n" "${COMPREPLY[@]}"'
    result = run("bash", "-u", "-c", program, "bash", SCRIPT, "strobe", *words,
                 env={"PATH": os.path.dirname(STROBE) + ":" + os.environ["PATH"]})
    equal(result.err, "")
    return result.out.split()


@case
def commands_are_completed():
    equal(complete("vers"), ["version"])
    equal(complete(""), strobe("--dump-docs", "commands").ok().lines())
    equal(complete("--no-pager", "vers"), ["version"])
    equal(complete("--buildid-dir", "version", "hel"), ["help"])
    equal(complete("help", "vers"), ["version"])


@case
def settings_are_completed():
    equal(complete("config", "report.perc"), ["report.percent-limit"])
    equal(complete("config", "buildid.d"), ["buildid.dir"])


@case
def options_are_completed():
    equal(complete("version", "--buil"), ["--build-options"])
    equal(complete("--vers"), ["--version"])
    for name in strobe("--dump-docs", "commands").ok().lines():
        check("--help" in complete(name, "--"), name)


@case
def words_of_options_are_completed():
    equal(sorted(complete("report", "--sort", "comm,symb")),
          ["comm,symbol" + rest for rest in ("", "_daddr", "_from", "_iaddr", "_size", "_to")])
    equal(complete("report", "-s", "+paral"), ["+parallelism"])
    equal(complete("report", "--sort", "=", "overhead_c"), ["overhead_children"])
    equal(complete("script", "-F", "+brstacki,+brstackinsnl"), ["+brstacki,+brstackinsnlen"])
    equal(complete("script", "--fields", "comm,ti"), ["comm,tid", "comm,time"])
    equal(complete("test", "-w", "no"), ["noploop"])
    equal(complete("test", "-w", "noploop,no"), [])


@case
def events_are_completed_from_the_list():
    if "page-faults" not in strobe("list", "--raw-dump", "sw").out.split():
        skip("no events here")
    equal(complete("record", "-e", "page-f"), ["page-faults"])
    equal(complete("stat", "--event", "cs,{faults,minor-f"), ["cs,{faults,minor-faults"])
    equal(complete("list", "tracep"), ["tracepoint"])


@case
def all_words_of_options_are_taken():
    recording = recordings.data("flat")
    for command, option in (("report", "-s"), ("report", "-F"), ("script", "-F")):
        words = complete(command, option, "")
        check(len(words) > 40, command)
        for word in words:
            lacks(strobe(command, "-i", recording, option, word).err, "unknown ")


@case
def file_names_are_completed_where_an_option_wants_one():
    write("some-file", "")
    equal(complete("--buildid-dir", "some"), ["some-file"])


@case
def perfs_own_completion_finds_its_words():
    names = strobe("--dump-docs", "commands").ok().lines()
    equal(strobe("--list-cmds").ok().out, " ".join(names) + " \n")
    check("--no-pager --list-cmds" in strobe("--list-opts").ok().out)
    for name in names:
        words = strobe(name, "--list-opts").ok().out
        check(words.endswith(" --help \n") or words == "--help \n", words)
        check("--compression-level" not in words, words)
    check("--freq --count" in strobe("record", "--list-opts").ok().out)
    script = "/usr/share/bash-completion/completions/perf"
    if not os.path.exists(script):
        return
    os.symlink(STROBE, "perf")
    ask = '. %s; words=("$@"); cword=$(($# - 1)); cur=${words[cword]}; prev=${words[cword - 1]}; __perf_main; echo "${COMPREPLY[@]}"'
    for words, answer in ((["rep"], "report"), (["record", "--buildid-a"], "--buildid-all"), (["--no-p"], "--no-pager")):
        equal(run("bash", "-c", ask % script, "bash", os.path.abspath("perf"), *words).out.split(), [answer])


main()
