"""strobe list: the events of this machine, as perf lists them where both do."""
import json
import os

import schema
from tap import case, check, contains, equal, main, need_perf_events, need_root, newest_perf, run, strobe


def names(*words):
    return strobe("list", "--raw-dump", *words).ok().out.split()


@case
def names_are_those_that_perf_lists():
    need_perf_events()
    need_root()
    path = newest_perf()
    for word in ("sw", "tracepoint", "sched:*"):
        theirs = set(run(path, "list", "--raw-dump", word).ok().out.split())
        # Only newer perfs know some of the tool events; strobe lists those that the machine tells.
        equal((word, sorted(set(names(word)) - {"system_tsc_freq"})), (word, sorted(theirs - {"system_tsc_freq", "slots"})))


@case
def every_name_that_is_dumped_can_be_recorded():
    need_perf_events()
    tools = set(names("tool"))
    for name in names("sw"):
        result = strobe("record", "-q", "-o", "x.data", "-e", name, "--", "true")
        equal((name, result.code), (name, 2 if name in tools else 0))
        if name in tools:
            contains(result.err, "is for counting only")


@case
def what_is_asked_for_and_cannot_be_had_says_so():
    need_perf_events()
    text = strobe("list", "hw").ok().out
    contains(text, "cycles OR cpu-cycles")
    listed = strobe("list").ok().out
    if "cycles OR cpu-cycles  (not available here)" in text:
        check("cpu-cycles" not in names(), "it is dumped")
        check("cpu-cycles" not in listed, "it is listed unasked")


@case
def a_word_finds_names_that_it_is_a_part_of():
    need_perf_events()
    lines = strobe("list", "MIGRATIONS").ok().lines()
    check(any(line == "  cpu-migrations OR migrations" for line in lines), lines)
    equal(strobe("list", "--no-desc", "page-fault*").ok().out, "\nsoftware:\n  page-faults OR faults\n")
    contains(strobe("list", "--details", "cpu-clock").ok().out, "\n        software/config=0x0/\n")
    contains(strobe("list", "cpu-clock").ok().out, "Unit: software]\n")


@case
def kinds_and_pmus_choose():
    need_perf_events()
    contains(strobe("list", "tool").ok().out, "num_cpus_online")
    check("page-faults" not in strobe("list", "tool").ok().out)
    text = strobe("list", "--unit", "tool").ok().out
    contains(text, "duration_time")
    check("page-faults" not in text)


@case
def what_is_nowhere_is_said():
    equal(strobe("list", "--raw-dump", "nosuchevent").code, 1)
    result = strobe("list", "nosuchevent")
    equal((result.code, result.out), (1, ""))
    contains(result.err, "nothing here is called so\n  hint: 'strobe list' shows")


@case
def a_kind_that_is_not_here_is_no_mistake():
    for word in ("metric", "metrics", "metricgroup", "metricgroups"):
        result = strobe("list", word).ok()
        check((result.out == "") == result.err.startswith("strobe list: no metrics"), (word, result.out, result.err))
    result = strobe("list", "sdt", env={"PERF_BUILDID_DIR": "/nonexistent"}).ok()
    equal((result.out, result.err.splitlines()[0]), ("", "strobe list: there is nothing of this kind here"))


@case
def json_says_what_the_text_says():
    need_perf_events()
    value = json.loads(strobe("list", "-j").ok().out)
    schema.check_value("list", value)
    equal(value["schema"], "strobe.list/1")
    check(value == json.loads(strobe("list", "--format", "json").ok().out))
    dumped = [name for event in value["events"] if event["available"] == "yes" and event["kind"] != "raw"
              for name in ([event["name"], event["alias"]] if "alias" in event and event["kind"] != "pmu" else [event["name"]])]
    check(dumped + [metric["name"] for metric in value["metrics"]] == names())
    pmus = set(os.listdir("/sys/bus/event_source/devices")) | {"tool", "software"}
    check({event["pmu"] for event in value["events"] if "pmu" in event and event["kind"] != "pmu"} <= pmus)


@case
def markers_of_perfs_cache_are_listed():
    folder = os.path.abspath("cache")
    os.makedirs(os.path.join(folder, ".build-id/ab/cdef"))
    with open(os.path.join(folder, ".build-id/ab/cdef/probes"), "w", encoding="ascii") as file:
        file.write("%sdt_libx:begin=begin\np:sdt_libx/begin /x:0x1\n%sdt_libx:end=end\np:sdt_libx/end /x:0x2\n")
    text = strobe("list", "sdt", env={"PERF_BUILDID_DIR": folder}).ok().out
    equal([line.split()[0] for line in text.splitlines()], ["sdt_libx:begin", "sdt_libx:end"])
    contains(text, "[SDT event]")


@case
def the_list_goes_to_a_file_on_demand():
    need_perf_events()
    equal(strobe("list", "-o", "list.txt", "sw").ok().out, "")
    with open("list.txt", encoding="utf-8") as file:
        equal(file.read(), strobe("list", "sw").ok().out)
    equal(strobe("list", "-o", "nosuch/list.txt", "sw").code, 1)


main()
