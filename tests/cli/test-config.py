"""Files of settings: what "config" shows and writes, and what the other commands make of them."""
import os

from tap import (SOURCE_ROOT, case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_root, perf, read,
                 same_text, strobe, write)

RECORDINGS = os.path.join(SOURCE_ROOT, "tests/recordings")


def home(**more):
    """The environment of somebody whose home is here, and who has no settings."""
    return dict({"HOME": os.getcwd(), "XDG_CONFIG_HOME": None, "PERF_CONFIG": None}, **more)


def config(*words, **more):
    return strobe("config", *words, env=home(**more))


def settings(*items):
    """The environment in which just these hold: "report.children=false"."""
    text = ""
    for item in items:
        name, value = item.split("=", 1)
        section, key = name.split(".", 1)
        text += "[%s]\n\t%s = %s\n" % (section, key, value)
    return {"PERF_CONFIG": write(os.path.abspath("settings"), text)}


def results(text):
    """Without what is no result."""
    return "".join(line + "\n" for line in text.splitlines() if not line.startswith("# (Tip"))


def same_with(command, *items):
    """With these settings strobe prints what perf prints with them, and something else than without."""
    argv = command.split() + ["-i", os.path.join(RECORDINGS, items[0])]
    env = settings(*items[1:])
    ours = strobe(*argv, env=env).ok().out
    check(ours != strobe(*argv).ok().out, "%s changes nothing in %s" % (items[1:], command))
    same_text(results(ours), results(perf(*argv, env=env).ok().out), expected_name="perf")


@case
def a_value_is_written_and_shown():
    equal(config("report.children=false", "call-graph.order=caller").ok().out, "")
    equal(read(".config/strobe/config"), "[report]\n\tchildren = false\n[call-graph]\n\torder = caller\n")
    equal(config("report.children").ok().out, "report.children=false\n")
    equal(config("report.group").ok().out, "")
    config("report.group=true").ok()
    for words in ([], ["-l"], ["--list"], ["--user"]):
        equal(config(*words).ok().out, "report.children=false\nreport.group=true\ncall-graph.order=caller\n")
    equal(config("call-graph.order", "report.children").ok().out, "call-graph.order=caller\nreport.children=false\n")


@case
def the_list_is_what_perf_lists():
    write(".perfconfig", "; mine\n[A-b]\n\tone = 1\n\tone = 2 # the last\n[c.d]\n  e = \" x \" ; y\n"
                         "  f = a   b\\tc \\\n   d\n[a-b]\n\ttwo=\n[g \"H i\"]\n j = k\n")
    same_text(config("-l").ok().out, perf("config", "-l", env=home()).ok().out, expected_name="perf")
    same_text(config("a-b.one", "nosuch.key", "g.H i.j").ok().out,
              perf("config", "a-b.one", "nosuch.key", "g.H i.j", env=home()).ok().out, expected_name="perf")


@case
def perf_reads_what_strobe_writes():
    env = home(PERF_CONFIG=os.path.abspath("mine"))
    for value in ("1", "a b", " a", "a;b", "a#b", "\"a\"", "a\\b", "a\tb"):
        strobe("config", "report.sort_order=" + value, env=env).ok()
        equal(perf("config", "report.sort_order", env=env).ok().out, "report.sort_order=%s\n" % value)


@case
def strobes_own_file_counts_more_than_perfs():
    write(".perfconfig", "[report]\n\tchildren = true\n\tgroup = true\n")
    config("report.children=false").ok()
    equal(read(".perfconfig"), "[report]\n\tchildren = true\n\tgroup = true\n")
    equal(config().ok().out, "report.children=false\nreport.group=true\n")
    os.mkdir("elsewhere")
    equal(config(XDG_CONFIG_HOME=os.path.abspath("elsewhere")).ok().out, "report.children=true\nreport.group=true\n")


@case
def perf_config_names_the_only_file():
    write(".perfconfig", "[report]\n\tgroup = true\n")
    mine = os.path.abspath("mine")
    config("report.children=false", PERF_CONFIG=mine).ok()
    equal(read("mine"), "[report]\n\tchildren = false\n")
    equal(config(PERF_CONFIG=mine).ok().out, "report.children=false\n")
    equal(config(PERF_CONFIG="/dev/null").ok().out, "")
    equal(config("--user", PERF_CONFIG=mine).ok().out, "report.group=true\n")


@case
def a_device_is_not_written_over():
    result = config("report.children=false", PERF_CONFIG="/dev/null")
    equal(result.code, 1)
    contains(result.err, "'/dev/null' is no file to write settings to")
    check(not os.path.isfile("/dev/null"))


@case
def a_file_that_is_too_large_is_left_alone():
    os.makedirs(".config/strobe")
    text = "[report]\n\tchildren = true\n" + "# a note\n" * 120000
    write(".config/strobe/config", text)
    result = config("report.children=false")
    equal(result.code, 1)
    contains(result.err, "config' is too large for settings: more than 1 MiB")
    check(read(".config/strobe/config") == text, "the file has changed")
    equal(os.listdir(".config/strobe"), ["config"])


@case
def a_change_keeps_comments_links_and_permissions():
    os.makedirs(".config/strobe")
    write("real", "# mine\n[report]\n\tchildren = true # why\n")
    os.chmod("real", 0o640)
    os.symlink("../../real", ".config/strobe/config")
    config("report.children=false").ok()
    equal(read("real"), "# mine\n[report]\n\tchildren = false # why\n")
    check(os.path.islink(".config/strobe/config"))
    equal(os.stat("real").st_mode & 0o777, 0o640)
    equal(sorted(os.listdir(".")), [".config", "real"])


@case
def a_mistyped_setting_gets_the_nearest():
    result = config("report.children=false", "report.percent-limt=3")
    equal(result.code, 2)
    contains(result.err, "'report.percent-limt' is not written: nothing reads it")
    contains(result.err, "did you mean 'report.percent-limit'?")
    check(not os.path.exists(".config"), "something was written")
    for known in ("report.sort-order=sym", "annotate.use_offset=1", "colors.top=red", "Colors.top=red", "tui.report=off"):
        equal(config(known).ok().err, "")
    equal(config("quite.different=3").ok().err, "strobe config: 'quite.different' is written, but nothing reads it\n")


@case
def a_value_without_sense_is_not_written():
    for item, why in (("report.children=maybe", "true or false, not 'maybe'"), ("report.percent-limit=abc", "abc"),
                      ("record.call-graph=magic", "unknown call graph 'magic'"), ("call-graph.order=x", "x"),
                      ("hist.percentage=some", "some"), ("report.skip-empty=2x", "true or false, not '2x'")):
        result = config(item)
        equal(result.code, 2, item)
        contains(result.err, "'%s' is not written: " % item.split("=")[0])
        contains(result.err, why)
    check(not os.path.exists(".config"), "something was written")


@case
def a_setting_is_taken_out_of_the_own_file_only():
    config("report.children=false", "report.percent-limit=2").ok()
    config("--unset", "report.children").ok()
    equal(config().ok().out, "report.percent-limit=2\n")
    for words, code, message in ((["report.children"], 1, "'report.children' is not set"), ([], 2, "--unset wants the name"),
                                 (["report.percent-limit=1"], 2, "names alone"), (["x"], 2, "'x' has no section")):
        result = config("--unset", *words)
        equal(result.code, code, str(words))
        contains(result.err, message)
    write(".perfconfig", "[report]\n\tchildren = false\n")
    result = config("--unset", "report.children")
    equal(result.code, 1)
    contains(result.err, "hint: it stands in '%s/.perfconfig', line 2" % os.getcwd())
    equal(config("report.children").ok().out, "report.children=false\n")


@case
def words_that_are_no_settings_are_refused():
    for words, message in ((["children=1"], "'children' has no section"), (["children"], "'children' has no section"),
                           ([".x=1"], "'.x' has no section"), (["report.children="], "has no value"),
                           (["report.1=2"], "cannot be the name"), (["-l", "report.children"], "takes no"),
                           (["--user", "--system"], "too many"), (["report.group=1", "x"], "'x' has no section")):
        result = config(*words)
        equal(result.code, 2, str(words))
        contains(result.err, message)
    check(not os.path.exists(".config"), "something was written")


@case
def a_broken_line_is_named_and_the_others_count():
    write("broken", "[report]\nchildren\npercent-limit = 20\n")
    result = strobe("config", env=home(PERF_CONFIG="broken")).ok()
    equal(result.out, "report.percent-limit=20\n")
    equal(result.err.count("'broken', line 2: this is no setting"), 1, result.err)
    report = strobe("report", "-i", os.path.join(RECORDINGS, "flat.data"), env=home(PERF_CONFIG="broken")).ok()
    equal(report.err.count("'broken', line 2"), 1, report.err)


@case
def a_value_without_sense_is_named_and_left_out():
    recording = os.path.join(RECORDINGS, "stacks.data")
    plain = strobe("report", "-i", recording).ok()
    for item in ("report.percent-limit=abc", "report.children=maybe", "hist.percentage=some", "call-graph.order=x",
                 "call-graph.print-type=none", "call-graph.sort-key=x", "call-graph.threshold=200",
                 "call-graph.print-limit=x"):
        env = settings(item)
        result = strobe("report", "-i", recording, env=env).ok()
        equal(result.out, plain.out)
        contains(result.err, "'%s', line 2: '%s' is left out: " % (env["PERF_CONFIG"], item.split("=")[0]))


@case
def settings_of_others_are_not_read():
    need_root()
    write(".perfconfig", "[report]\n\tgroup = true\n")
    os.chown(".perfconfig", 12345, 12345)
    result = config().ok()
    equal(result.out, "")
    contains(result.err, ".perfconfig' belong to another user")


@case
def reports_follow_the_settings_as_perfs_do():
    for items in (("report.percent-limit=20",), ("report.children=false",), ("report.children=0",),
                  ("report.sort_order=sym",), ("call-graph.print-type=fractal",), ("call-graph.print-type=flat",),
                  ("call-graph.print-type=folded",), ("call-graph.order=callee",), ("call-graph.threshold=30",),
                  ("call-graph.print-limit=1",), ("report.percent-limit=20", "call-graph.threshold=0"),
                  ("call-graph.threshold=0", "report.percent-limit=20")):
        same_with("report --stdio", "stacks.data", *items)
    same_with("report --stdio -s +cpu", "stacks.data", "report.sort_order=sym")
    same_with("report --stdio --no-children", "stacks.data", "call-graph.order=caller")
    same_with("report --stdio -g callee", "stacks.data", "call-graph.print-type=flat")
    same_with("report --stdio -g graph", "stacks.data", "call-graph.order=callee")
    same_with("report --stdio", "groups.data", "report.group=false")
    same_with("report --stdio", "groups.data", "report.skip-empty=false")
    same_with("report --stdio -g none -s dso -c family", "family.data", "hist.percentage=relative")


@case
def the_setting_for_groups_makes_none():
    argv = ["report", "--stdio", "-i", os.path.join(RECORDINGS, "events.data")]
    same_text(strobe(*argv, env=settings("report.group=true")).ok().out, strobe(*argv).ok().out)


@case
def the_command_line_counts_more():
    argv = ["report", "--stdio", "-i", os.path.join(RECORDINGS, "stacks.data")]
    for option, item in (("--percent-limit=0.5", "report.percent-limit=20"), ("--children", "report.children=false"),
                         ("-gcaller", "call-graph.order=callee"), ("-ssym", "report.sort_order=dso"),
                         ("-g", "call-graph.print-type=flat")):
        same_text(strobe(*argv, option, env=settings(item)).ok().out, strobe(*argv, option).ok().out)


@case
def scripts_follow_the_order():
    same_with("script", "stacks.data", "call-graph.order=caller")


@case
def counts_of_nothing_are_shown():
    argv = ["report", "--stats", "-i", os.path.join(RECORDINGS, "flat.data")]
    text = strobe(*argv, env=settings("report.skip-empty=false")).ok().out
    contains(text, "LOST events:          0  ( 0.0%)")
    same_text(text, perf(*argv, env=settings("report.skip-empty=false")).ok().out, expected_name="perf")
    lacks(strobe(*argv).ok().out, "LOST events:          0")


def recorded(options, *items):
    """What evlist -v says of a recording made with these settings."""
    program = compile_c("int main(void) { for (volatile int i = 0; i < 30000000; i++); }")
    strobe("record", "-q", "-o", "x.data", "-e", "task-clock:u", "--store-stacks", *options, "--", program, env=settings(*items)).ok()
    return strobe("evlist", "-v", "-i", "x.data").ok().out


@case
def recordings_follow_the_settings():
    need_perf_events()
    lacks(recorded([], "call-graph.record-mode=dwarf"), "CALLCHAIN")
    contains(recorded(["-g"], "call-graph.record-mode=dwarf"), "sample_stack_user: 8192")
    contains(recorded(["-g"], "call-graph.record-mode=dwarf,2048"), "sample_stack_user: 2048")
    contains(recorded(["-g"], "record.call-graph=dwarf", "call-graph.record-mode=fp"), "sample_stack_user: 8192")
    contains(recorded(["-g"], "record.call-graph=dwarf", "call-graph.dump-size=4096"), "sample_stack_user: 4096")
    contains(recorded(["--call-graph", "dwarf"], "call-graph.dump-size=4096"), "sample_stack_user: 4096")
    contains(recorded(["--call-graph", "dwarf,1024"], "call-graph.dump-size=4096"), "sample_stack_user: 1024")
    lacks(recorded(["--call-graph", "fp"], "call-graph.record-mode=dwarf"), "sample_stack_user")
    contains(recorded([]), "build_id: 1")
    lacks(recorded([], "record.build-id=no-mmap"), "build_id: 1")


@case
def recordings_without_sense_in_settings_are_made():
    need_perf_events()
    program = compile_c("int main(void) { for (volatile int i = 0; i < 30000000; i++); }")
    for item in ("call-graph.record-mode=x", "record.call-graph=x", "call-graph.dump-size=99999999", "record.build-id=x"):
        result = strobe("record", "-q", "-o", "x.data", "-g", "--", program, env=settings(item)).ok()
        contains(result.err, "'%s' is left out" % item.split("=")[0])


@case
def objects_are_found_in_the_folder_for_build_ids():
    need_perf_events()
    program = compile_c("int main(void) { for (volatile int i = 0; i < 300000000; i++); }")
    strobe("record", "-q", "-o", "x.data", "-e", "task-clock:u", "--", program).ok()
    build_id = next(line.split()[0] for line in strobe("buildid-list", "-i", "x.data").ok().lines() if program in line)
    folder = "mine/.build-id/%s/%s" % (build_id[:2], build_id[2:])
    os.makedirs(folder)
    os.rename(program, folder + "/elf")

    def names(item, **more):
        return strobe("report", "-i", "x.data", "-s", "sym", env=dict(settings(item), HOME=os.getcwd(), **more)).ok().out

    contains(names("buildid.dir=" + os.path.abspath("mine")), "[.] main")
    contains(names("buildid.dir=~/mine"), "[.] main")
    lacks(names("buildid.dir=/dev/null"), "[.] main")
    contains(names("buildid.dir=/dev/null", PERF_BUILDID_DIR="mine"), "[.] main")


main()
