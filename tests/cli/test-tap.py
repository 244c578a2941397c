"""The harness itself: a case that should fail does, and in words that help."""
import os
import sys

from tap import SOURCE_ROOT, Failure, Skip, case, check, contains, equal, golden, lacks, main, perf_path, run, \
    same_text, write

HEAD = "from tap import *\n"


def run_file(text, *args):
    write("inner.py", HEAD + text + "\nmain()\n")
    return run(sys.executable, "-B", "inner.py", *args,
               env={"PYTHONPATH": os.path.join(SOURCE_ROOT, "tests/lib")})


def fails(function, *args):
    try:
        function(*args)
    except Failure as failure:
        return str(failure)
    raise Failure("it passed")


@case
def each_kind_of_outcome_has_its_line():
    result = run_file("""
@case
def a_good_one(): pass
@case
def a_bad_one(): equal(1, 2, "numbers")
@case
def a_broken_one(): undefined_name()
@case
def a_skipped_one(): skip("no reason")
""")
    equal(result.code, 1)
    equal(result.lines()[:2], ["1..4", "ok 1 - a good one"])
    contains(result.out, "not ok 2 - a bad one\n# line 6: numbers\n# got      1\n# expected 2\n")
    contains(result.out, "not ok 3 - a broken one\n# Traceback")
    contains(result.out, "ok 4 - a skipped one # SKIP no reason\n")


@case
def words_on_the_command_line_choose_cases():
    text = "@case\ndef first(): pass\n@case\ndef second_one(): pass\n"
    equal(run_file(text, "second").lines(), ["1..1", "ok 1 - second one"])
    equal(run_file(text).code, 0)


@case
def each_case_has_an_empty_directory_that_goes_away():
    result = run_file("""
seen = set()
def look():
    check(os.listdir(".") == [] and os.getcwd() not in seen)
    seen.add(os.getcwd()); write("litter", "x"); os.mkdir("more")
@case
def one(): look()
@case
def two(): look()
@case
def nothing_is_left(): check(not any(os.path.exists(d) for d in seen)); equal(len(seen), 2)
""".replace("seen = set()", "import os\nseen = set()"))
    equal(result.code, 0, result.out)


@case
def nothing_outlives_its_case():
    result = run_file("""
@case
def one(): background(["sh", "-c", "sleep 1000 & wait"]); check(False)
""")
    equal(result.code, 1)
    contains(result.out, "not ok 1 - one")


@case
def checks_refuse_what_is_not_so():
    contains(fails(equal, "a", "b"), "got      'a'")
    fails(check, False)
    fails(contains, "abc", "x")
    fails(lacks, "abc", "b")
    contains(fails(same_text, "a\nb\n", "a\nc\n"), "-c\n+b")
    contains(fails(golden, "text", "no/such.txt"), "is missing")
    fails(run("false").ok)


@case
def a_report_of_a_sanitizer_fails_the_case():
    write("fake", "#!/bin/sh\necho 'AddressSanitizer: leak' >&2\n")
    os.chmod("fake", 0o755)
    result = run_file("import tap\ntap.STROBE = %r\n@case\ndef runs(): strobe('version')\n" % os.path.abspath("fake"))
    equal(result.code, 1)
    contains(result.out, "AddressSanitizer: leak")


@case
def a_perf_that_is_not_there_is_a_skip():
    before = os.environ["PATH"]
    os.environ["PATH"] = "/nonexistent"
    try:
        perf_path()
    except Skip as why:
        contains(str(why), "not installed")
    else:
        raise Failure("there is a perf in /nonexistent")
    finally:
        os.environ["PATH"] = before


main()
