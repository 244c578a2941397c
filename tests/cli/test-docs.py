"""The man pages say what the options tables say; nothing in them is made up."""
import os
import re

from tap import BUILD_ROOT, SOURCE_ROOT, case, check, contains, equal, main, need_program, read, run, skip, strobe

MAN = os.path.join(BUILD_ROOT, "docs/man")


def page(name):
    path = os.path.join(MAN, name + ".1")
    if not os.path.exists(path):
        need_program("scdoc")
        skip("man pages are not built")
    return read(path).replace("\\-", "-").replace("\\fB", "").replace("\\fI", "").replace("\\fR", "")


def commands():
    return strobe("--dump-docs", "commands").ok().lines()


def help_options(text):
    """All option words of a -h text."""
    found = set()
    for line in text.splitlines():
        left = re.match(r"^  (?=[ -])( {4})?((?:-\w|--[\w-]+)(?:, --[\w-]+)*)", line)
        if left:
            found.update(left.group(2).split(", "))
    check("--help" in found, "no --help in:\n" + text)
    return found


def prose(name):
    return read(os.path.join(SOURCE_ROOT, "docs/man", name + ".scd.in"))


@case
def each_option_of_h_is_in_the_man_page():
    for name in commands():
        text = page("strobe-" + name)
        for option in help_options(strobe(name, "-h").ok().out):
            check(re.search(r"(^|[\s,])%s\b" % re.escape(option), text, re.M),
                  "strobe-%s(1) does not have %s" % (name, option))
    text = page("strobe")
    for option in help_options(strobe("-h").ok().out):
        contains(text, option)


@case
def each_page_has_its_sections():
    for name in commands():
        text = page("strobe-" + name)
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"):
            check(re.search(r'^\.SH "?%s"?$' % section, text, re.M),
                  "strobe-%s(1) has no %s" % (name, section))
        check(not re.search(r"^@", text, re.M), "a mark is left in strobe-%s(1)" % name)
        contains(text, "strobe-%s - " % name)


@case
def strobe_1_lists_each_command():
    text = page("strobe")
    for name in commands():
        contains(text, "strobe-%s(1)" % name)


@case
def options_in_the_prose_exist():
    for name in commands():
        known = help_options(strobe(name, "-h").ok().out) | help_options(strobe("-h").ok().out)
        for option in re.findall(r"\*(--?[a-z][a-z0-9-]*)", prose("strobe-" + name)):
            negated = "--" + option[5:] if option.startswith("--no-") else "--no-" + option[2:]
            check(option in known or negated in known,
                  "strobe-%s.scd.in speaks of %s, which -h does not have" % (name, option))


@case
def examples_are_commands_that_parse():
    for name in ["strobe"] + ["strobe-" + c for c in commands()]:
        for block in re.findall(r"^```\n(.*?)^```", prose(name), re.S | re.M):
            for line in re.findall(r"^\s*(?:sudo )?strobe ([a-z][a-z-]*)(.*)$", block, re.M):
                result = strobe(line[0], "-h")
                check(result.code == 0 or result.err.startswith("strobe has no"),
                      "%s.scd.in: strobe %s: %s" % (name, line[0], result.err))
                known = help_options(result.out) if result.code == 0 else None
                for option in re.findall(r" (--[a-z][a-z0-9-]*)", line[1].split(" -- ")[0]):
                    check(known is None or option in known, "%s.scd.in: no %s" % (name, option))


@case
def man_reads_each_page_without_complaint():
    need_program("man")
    for name in ["strobe"] + ["strobe-" + c for c in commands()]:
        page(name)
        result = run("man", "--warnings", "-l", os.path.join(MAN, name + ".1"),
                     env={"MANWIDTH": "80", "MANROFFSEQ": ""}).ok()
        equal(result.err, "", name)
        check(result.out.strip(), name + " is empty")


main()
