"""--format json: what is printed follows docs/json/*.schema.json, says what the text says, and keeps every byte."""
import json
import os
import re

import recordings
import schema
from crafted import *
from fixtures import NAMES as FIXTURES
from tap import (STROBE, SOURCE_ROOT, Failure, case, check, contains, equal, golden, main, need_fixtures, need_program, read, run,
                 skip, strobe)

RECORDS = ["--show-mmap-events", "--show-task-events", "--show-switch-events", "--show-namespace-events",
           "--show-cgroup-events", "--show-lost-events", "--show-bpf-events", "--show-text-poke-events",
           "--show-round-events"]
OPTIONS = ["-f", *recordings.NAMES]
SCHEMAS = ["annotate", "report", "top", "script", "trace", "evlist", "list", "header", "buildid-list", "debuginfo", "stat", "stat-compare", "stats", "tasks"]


def printed(*command, path, **more):
    """The text of a command that printed JSON."""
    return strobe(*command, "--format", "json", "-i", path, env=recordings.ENVIRONMENT, **more).ok().out


def refuse_number(text):
    raise Failure("%s is no JSON" % text)


def parse(text):
    """One value; NaN and Infinity, which python takes, are none."""
    return json.loads(text, parse_constant=refuse_number)


def value_of(kind, *command, path, **more):
    value = parse(printed(*command, path=path, **more))
    schema.check_value(kind, value)
    equal(value["schema"], "strobe.%s/1" % kind)
    return value


def report(path, *options, **more):
    return value_of("report", "report", *OPTIONS, *options, path=path, **more)


def script(path, *options, **more):
    """All lines: the first, those of samples and records, the last."""
    lines = [parse(line) for line in printed("script", *OPTIONS, *options, path=path, **more).splitlines()]
    for line in lines:
        schema.check_value("script", line)
    equal([lines[0]["type"], lines[-1]["type"]], ["recording", "end"])
    check(all(line["type"] in ("sample", "record") for line in lines[1:-1]))
    return lines


def samples(path, *options):
    return [line for line in script(path, *options) if line["type"] == "sample"]


def text_of(*command, path):
    return strobe(*command, "-i", path, env=recordings.ENVIRONMENT).ok().out


# The schemas

def follow_the_schemas(path):
    events = value_of("evlist", "evlist", path=path)["events"]
    has_chains = any("CALLCHAIN" in event["attr"]["sample_type"] for event in events)
    chains = [["--no-children", "-g", "fractal,0.1"], ["-g", "flat"], ["-g", "address"]]
    for more in [[], ["-H"], ["--header", "-v"]] + (chains if has_chains else []):
        report(path, *more)
    script(path, *RECORDS)
    script(path, "--header", "-F", "ip,sym")
    value_of("stats", "report", "--stats", path=path)
    value_of("tasks", "report", "--tasks", path=path)
    value_of("tasks", "report", "--mmaps", path=path)
    value_of("header", "report", "--header-only", path=path)
    equal(printed("script", "--header-only", path=path), printed("report", "--header-only", path=path))
    value_of("buildid-list", "buildid-list", path=path)
    value_of("debuginfo", "debuginfo", path=path)


def add_schema_case(name, path_of):
    def follows():
        follow_the_schemas(path_of(name))
    follows.__name__ = "all_of_%s_follows_the_schemas" % name.replace("-", "_")
    case(follows)


for recording in recordings.names():
    add_schema_case(recording, recordings.data)
for fixture in FIXTURES:
    add_schema_case(fixture, lambda name: os.path.join(need_fixtures(), "data", name + ".data"))


@case
def what_does_not_follow_a_schema_is_found():
    good = value_of("stats", "report", "--stats", path=recordings.data("flat"))
    for change, wrong in (({"total": -1}, "below"), ({"total": "1"}, "no integer"), ({"total": True}, "no integer"),
                          ({"schema": "x"}, "is not"), ({"more": 1}, "unknown key"), ({"events": [{}]}, "no 'name'"),
                          ({"types": {"SAMPLE": 1.5}}, "no integer"), ({"schema_hex": "61"}, "says it all"),
                          ({"none_hex": "ff"}, "of nothing"), ({"schema_hex": "f"}, "match")):
        bad = dict(good, **change)
        try:
            schema.check_value("stats", bad)
        except Failure as failure:
            contains(str(failure), wrong)
            continue
        except ValueError:
            continue
        raise Failure("%r passes" % change)


def objects_of(value):
    """All objects of a schema that have a title."""
    if isinstance(value, list):
        for item in value:
            yield from objects_of(item)
    if isinstance(value, dict):
        if "title" in value and "properties" in value:
            yield value
        for item in value.values():
            yield from objects_of(item)


@case
def docs_json_md_has_each_key_of_each_schema_and_no_other():
    text = read(os.path.join(SOURCE_ROOT, "docs/json.md"))
    documented = set(re.findall(r"^\| `([a-z_0-9]+)` \|", text, re.M))
    known = set()
    for name in SCHEMAS + ["common"]:
        for item in objects_of(schema.load(name)):
            known |= set(item["properties"])
            for key, part in item["properties"].items():
                check(part.get("description"), "%s.schema.json does not describe %s.%s" % (name, item["title"], key))
    known -= {name + mark for name in ("dso_from", "dso_to", "dso_daddr") for mark in ("_deleted", "_remapped")}
    equal(documented - known, set(), "keys that no schema has")
    equal(known - documented, set(), "keys that docs/json.md does not have")


@case
def each_sort_key_of_report_is_in_its_schema():
    row = schema.load("report")["definitions"]["row"]["properties"]
    man = read(os.path.join(SOURCE_ROOT, "docs/man/strobe-report.scd.in"))
    fields = man[man.index("# FIELDS"):].split("\n# ")[0]
    numbers = {"overhead", "overhead_children", "overhead_sys", "overhead_us", "sample", "latency", "latency_children"}
    aliases = {"thread": "pid", "process": "tgid", "shared_object": "dso", "function": "symbol", "sym": "symbol",
               "trace_fields": "fields", **{name: name + "_percent" for name in ("op", "cache", "memory", "dtlb")}}
    for name in re.findall(r"_([a-z_]+?)_(?=[ ,.:;)])", fields):
        if name not in numbers and name != "local_":
            check(aliases.get(name, name) in row, "no %s in a row" % name)


# The same as the text

def flat(table):
    """The rows of a table, and those below them."""
    todo = list(table["rows"])
    while todo:
        row = todo.pop(0)
        yield row
        todo = row.get("rows", []) + todo


def percents(text):
    return [float(number) for number in re.findall(r"^ +(\d+\.\d\d)%", text, re.M)]


def agree_with_the_text(name):
    path = recordings.data(name)
    value = report(path, "--no-children", "-g", "none")
    text = text_of("report", *OPTIONS, "--no-children", "-g", "none", path=path)
    rows = [row for table in value["events"] for row in table["rows"]]
    equal(percents(text), [round(row["percent"], 2) for row in rows])
    lost = int(re.search(r"Total Lost Samples: (\d+)", text).group(1))
    equal(value["losses"]["lost_samples"], lost)
    shown = [table for table in value["events"] if table["samples"]]
    equal(re.findall(r"^# Samples: .* of events? '(.*)'", text, re.M), [table["name"] for table in shown])
    equal([int(number) for number in re.findall(r"^# Event count \(approx.\): (\d+)", text, re.M)],
          [sum(member["period"] for member in table.get("members", [table])) for table in shown])
    for table in shown:
        for member, i in ((table, None),) if "members" not in table else zip(table["members"], range(9)):
            mine = [row if i is None else row["members"][i] for row in table["rows"]]
            equal(sum(row["period"] for row in mine), member["period"])
            equal(sum(row["samples"] for row in mine), member["samples"])


def add_agreement_case(name):
    def agrees():
        agree_with_the_text(name)
    agrees.__name__ = "the_numbers_of_%s_are_those_of_the_text" % name.replace("-", "_")
    case(agrees)


for recording in recordings.names():
    add_agreement_case(recording)


@case
def call_trees_add_up():
    for name in ("stacks", "family", "threads", "jit"):
        for table in report(recordings.data(name), "-g", "graph,0,caller")["events"]:
            for row in table["rows"]:
                todo = list(row["chains"])
                equal(sum(node["period"] for node in todo), row["children_period"])
                while todo:
                    node = todo.pop()
                    equal(node["period"], node["self_period"] + sum(child["period"] for child in node["children"]))
                    check(node["frames"])
                    todo += node["children"]


@case
def folded_chains_are_those_of_the_text():
    path = recordings.data("stacks")
    options = ["--no-children", "-g", "folded,0,caller,count"]
    folded = re.findall(r"^(\d+) (\S.*)$", text_of("report", *OPTIONS, *options, path=path), re.M)
    chains = [(str(chain["samples"]), ";".join(frame["symbol"] for frame in chain["frames"]))
              for table in report(path, *options)["events"] for row in table["rows"] for chain in row["chains"]]
    equal(chains, folded)


@case
def rows_below_rows_are_those_of_the_text():
    path = recordings.data("family")
    options = ["-H", "-s", "comm,dso,sym", "-g", "none", "--no-children"]
    rows = [row for table in report(path, *options)["events"] for row in flat(table)]
    text = text_of("report", *OPTIONS, *options, path=path)
    equal([round(row["percent"], 2) for row in rows],
          [float(number) for number in re.findall(r"^ +(\d+\.\d\d)%", text, re.M)])
    equal({frozenset(row) & {"comm", "dso", "symbol"} for row in rows},
          {frozenset(["comm"]), frozenset(["dso"]), frozenset(["symbol"])})


def scripted(sample):
    """A sample as -F comm,pid,tid,cpu,time,event,ip,sym,symoff,dso,period prints it, blanks left out."""
    frames = []
    for frame in sample["frames"]:
        symbol = frame["symbol"] or "[unknown]"
        offset = "+0x%x" % frame["offset"] if "offset" in frame else ""
        marks = " (deleted)" if frame.get("dso_deleted") else ""
        marks += " (remapped)" if frame.get("dso_remapped") else ""
        frames.append("%s %s%s (%s%s)" % (frame["addr"][2:], symbol, offset, frame["dso"] or "[unknown]", marks))
    cpu = "[%03d] " % sample["cpu"] if "cpu" in sample else ""
    time = "%d.%09d" % divmod(sample["time_ns"], 10 ** 9)
    return "%s %d/%d %s%s: %d %s: %s" % (sample["comm"], sample["pid"], sample["tid"], cpu, time, sample["period"],
                                         sample["event"], " ".join(frames))


def script_agrees(name):
    path = recordings.data(name)
    fields = "comm,pid,tid,time,event,ip,sym,symoff,dso,period"
    text = text_of("script", *OPTIONS, "--ns", "-F", fields, path=path)
    blocks = re.split(r"\n(?=\s*\S+ +\d+/\d+ )", text)
    blocks = [" ".join(block.split()) for block in blocks if block.strip()]
    equal([" ".join(scripted(sample).split()) for sample in samples(path, "-F", fields)], blocks)


def add_script_case(name):
    def agrees():
        script_agrees(name)
    agrees.__name__ = "the_samples_of_%s_are_those_of_the_text" % name.replace("-", "_")
    case(agrees)


for recording in recordings.names():
    add_script_case(recording)


@case
def texts_of_tracepoints_are_those_of_the_text():
    for name in ("tracepoints", "old-tracepoints", "new-tracepoints"):
        path = recordings.data(name)
        lines = text_of("script", *OPTIONS, "-F", "trace", path=path).splitlines()
        equal([sample["trace"]["text"].strip() for sample in samples(path, "-F", "trace")], [line.strip() for line in lines])
        for sample in samples(path):
            if sample["trace"]["name"] == "sched_switch":
                contains(sample["trace"]["text"], "prev_comm=%s" % sample["trace"]["fields"]["prev_comm"])
                contains(sample["trace"]["text"], "next_pid=%d" % sample["trace"]["fields"]["next_pid"])


@case
def records_that_are_no_samples_are_those_of_the_text():
    for name in ("threads", "family", "events"):
        path = recordings.data(name)
        names = re.findall(r"PERF_RECORD_([A-Z0-9_]+)", text_of("script", *OPTIONS, *RECORDS, "-G", "-F", "comm", path=path))
        equal([line["record"] for line in script(path, *RECORDS) if line["type"] == "record"], names)


@case
def statistics_are_those_of_the_text():
    path = recordings.data("threads")
    text = text_of("report", "--stats", path=path)
    value = value_of("stats", "report", "--stats", path=path)
    for name, count in re.findall(r"(\w+) events: +(\d+)", text.partition("stats:")[2].partition("\n\n")[0]):
        if name != "TOTAL" and name in value["types"]:
            check(value["types"][name] >= int(count))
    equal(value["total"], int(re.search(r"TOTAL events: +(\d+)", text).group(1)))
    equal(sum(value["types"].values()) + value["unknown_records"], value["total"])


@case
def build_ids_are_those_of_the_text():
    path = recordings.data("threads")
    for more in ([], ["-H"]):
        objects = value_of("buildid-list", "buildid-list", *more, path=path)["objects"]
        equal(["%-40s %s" % (item["build_id"] or "", item["name"]) for item in objects],
              text_of("buildid-list", *more, path=path).splitlines())


@case
def events_are_those_of_the_text():
    for name in ("groups", "tracepoints", "events"):
        path = recordings.data(name)
        names = [event["name"] for event in value_of("evlist", "evlist", path=path)["events"]]
        equal(names, [line for line in text_of("evlist", path=path).splitlines() if not line.startswith("#")])


# What is printed by default

@case
def samples_tell_all_that_was_recorded():
    register = samples(recordings.data("registers"))[0]
    check(register["uregs"]["values"] and register["iregs"]["values"])
    check({"weight", "phys_addr", "data_src", "addr", "data_page_size"} <= set(samples(recordings.data("data"))[0]))
    check("trace" in samples(recordings.data("tracepoints"))[0])


@case
def fields_can_be_chosen_added_and_taken_away():
    path = recordings.data("registers")
    equal(set(samples(path, "-F", "comm,ip")[0]), {"type", "comm", "ip", "frames"})
    equal(set(samples(path, "-F", "comm,ip")[0]["frames"][0]), {"addr"})
    all_keys = set(samples(path)[0])
    equal(all_keys - set(samples(path, "-F", "-uregs")[0]), {"uregs"})
    check("dso_offset" in samples(path, "-F", "+dsoff")[0]["frames"][0])


@case
def goldens():
    for name, kind, command in (("stacks", "report", ["report", *OPTIONS]), ("groups", "report", ["report", *OPTIONS]),
                                ("tracepoints", "script", ["script", *OPTIONS, *RECORDS]),
                                ("registers", "script", ["script", *OPTIONS]), ("family", "tasks", ["report", "--mmaps"]),
                                ("events", "evlist", ["evlist"]), ("threads", "stats", ["report", "--stats"])):
        golden(printed(*command, path=recordings.data(name)), "json/%s.%s.json" % (name, kind))


@case
def threads_change_nothing():
    need_program("taskset")
    path = recordings.data("threads")
    for command in (["report", *OPTIONS], ["script", *OPTIONS]):
        one = run("taskset", "-c", "0", STROBE, *command, "--format", "json", "-i", path,
                  env=dict(recordings.ENVIRONMENT, ASAN_OPTIONS="detect_leaks=0")).ok().out
        equal(one, printed(*command, path=path))


# Hostile names

HOSTILE = [b"plain", b'quo"te\\', b"new\nline", b"\x1b[31mred", b"bad\xff\xfe", b"\xed\xa0\x80", b"caf\xc3\xa9",
           b"cut\xc3", b"tab\t\x01\x7f", b"a;b'c"]


def tracing_data(field):
    """The formats of one tracepoint, test:say, with a text of 16 bytes and an array of numbers."""
    header = b"\x17\x08\x44tracing0.6\0\0\x08" + struct.pack("<I", 4096)
    page = (b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
            b"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n")
    event = b"# compressed entry header\n"
    fields = [(b"unsigned short common_type", 0, 2, 0), (b"unsigned char common_flags", 2, 1, 0),
              (b"unsigned char common_preempt_count", 3, 1, 0), (b"int common_pid", 4, 4, 1), (b"char %s[16]" % field, 8, 16, 0),
              (b"int below", 24, 4, 1), (b"u64 above", 32, 8, 0), (b"short list[3]", 40, 6, 1)]
    text = b"name: say\nID: 77\nformat:\n"
    for i, (declaration, offset, size, is_signed) in enumerate(fields):
        text += b"\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n%s" % (declaration, offset, size, is_signed,
                                                                        b"\n" if i == 3 else b"")
    text += b'\nprint fmt: "%%s %%d", REC->%s, REC->below\n' % field

    def sized(body):
        return struct.pack("<Q", len(body)) + body
    out = header + b"header_page\0" + sized(page) + b"header_event\0" + sized(event) + struct.pack("<I", 0)
    out += struct.pack("<I", 1) + b"test\0" + struct.pack("<I", 1) + sized(text)
    return out + struct.pack("<II", 0, 0) + sized(b"")


def say(text, below=-2):
    return struct.pack("<HBBi16siIQhhh", 77, 0, 0, 5, text, below, 0, 2 ** 64 - 1, -1, 2, -32768)


def hostile_file():
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | CPU | CALLCHAIN | RAW, type=2, config=77)
    for i, name in enumerate(HOSTILE):
        file.comm(100 + i, name, time=1)
        file.mmap2(100 + i, 0x400000, 0x1000, b"/nowhere/" + name, inode=i + 1, time=2)
        file.sample(event, ip=0x400010, pid=100 + i, tid=100 + i, time=1000 + i, callchain=[0x400010, 0x400020],
                    raw=say(name))
    file.feature(TRACING_DATA, tracing_data(b"words"))
    file.feature(HOSTNAME, struct.pack("<I", 8) + b"ho\nst\xff\0\0")
    file.feature(CMDLINE, struct.pack("<II", 2, 8) + b"plain\0\0\0" + struct.pack("<I", 8) + b"b\xffd\0\0\0\0\0")
    return file.write("hostile.data")


@case
def hostile_names_come_through_script_exactly():
    lines = script(hostile_file(), "--show-mmap-events", "--show-task-events")
    found = [line for line in lines if line["type"] == "sample"]
    equal([schema.exact(line, "comm") for line in found], HOSTILE)
    equal([schema.exact(line["frames"][0], "dso") for line in found], [b"/nowhere/" + name for name in HOSTILE])
    equal([schema.exact(line["trace"]["fields"], "words") for line in found], [name[:16] for name in HOSTILE])
    equal([schema.exact(line["trace"], "text") for line in found], [name[:16] + b" -2" for name in HOSTILE])
    maps = [line["body"] for line in lines if line.get("record") == "MMAP2"]
    equal([schema.exact(body, "filename") for body in maps], [b"/nowhere/" + name for name in HOSTILE])
    comms = [line["body"] for line in lines if line.get("record") == "COMM"]
    equal([schema.exact(body, "comm") for body in comms], HOSTILE)
    recording = lines[0]["recording"]
    equal(schema.exact(recording, "hostname"), b"ho\nst\xff")
    equal([bytes.fromhex(word) for word in recording["cmdline_hex"]], [b"plain", b"b\xffd"])


@case
def numbers_of_tracepoints_are_typed_by_the_format():
    fields = samples(hostile_file())[0]["trace"]["fields"]
    equal((fields["below"], fields["above"], fields["list"]), (-2, 2 ** 64 - 1, [-1, 2, -32768]))


@case
def hostile_names_come_through_report_exactly():
    path = hostile_file()
    rows = report(path, "--no-children", "-s", "comm,dso", "-g", "none", "-v")["events"][0]["rows"]
    equal(sorted((schema.exact(row, "comm"), schema.exact(row, "dso")) for row in rows),
          sorted((name, b"/nowhere/" + name) for name in HOSTILE))
    rows = report(path, "-s", "trace", "--no-children", "-g", "none")["events"][0]["rows"]
    equal(sorted(schema.exact(row, "trace") for row in rows), sorted(name[:16] + b" -2" for name in HOSTILE))
    tasks = value_of("tasks", "report", "--mmaps", path=path)["tasks"]
    equal({schema.exact(task, "comm") for task in tasks if task["tid"] >= 100}, set(HOSTILE))
    objects = value_of("buildid-list", "buildid-list", "-H", path=path)["objects"]
    equal(sorted(schema.exact(item, "name") for item in objects), sorted(b"/nowhere/" + name for name in HOSTILE))


@case
def symbols_with_hostile_names_come_through_exactly():
    names = [name for name in HOSTILE if b"\n" not in name]
    with open("kallsyms", "wb") as file:
        for i, name in enumerate(names):
            file.write(b"%016x T %s\n" % (0xffffffff81000000 + 0x100 * i, name.replace(b"\t", b"")))
    craft = Crafted()
    event = craft.event(sample_type=IP | TID | TIME)
    craft.mmap2(2 ** 32 - 1, 0xffffffff81000000, 0x10000, "[kernel.kallsyms]_text", pgoff=0xffffffff81000000,
                misc=KERNEL_MODE)
    for i, _ in enumerate(names):
        craft.sample(event, ip=0xffffffff81000010 + 0x100 * i, pid=1, tid=1, time=1 + i, misc=KERNEL_MODE)
    craft.write("kernel.data")
    lines = [parse(line) for line in printed("script", "--kallsyms", "kallsyms", path="kernel.data").splitlines()]
    equal([schema.exact(line["frames"][0], "symbol") for line in lines[1:-1]], [name.replace(b"\t", b"") for name in names])
    rows = value_of("report", "report", "--kallsyms", "kallsyms", path="kernel.data")["events"][0]["rows"]
    equal(sorted(schema.exact(row["symbol"], "name") for row in rows), sorted(name.replace(b"\t", b"") for name in names))


# Numbers

@case
def large_numbers_are_exact():
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | ADDR | PERIOD | WEIGHT, freq=True, flags=["freq"])
    largest = 2 ** 64 - 1
    file.sample(event, ip=largest - 4096, pid=1, tid=1, time=2 ** 63 + 1, addr=largest, period=2 ** 53 + 1, weight=largest)
    file.write("large.data")
    sample = samples("large.data")[0]
    equal((sample["time_ns"], sample["period"], sample["weight"]), (2 ** 63 + 1, 2 ** 53 + 1, largest))
    equal((sample["ip"], sample["addr"]["addr"]), ("0xffffffffffffefff", "0xffffffffffffffff"))
    table = report("large.data")["events"][0]
    equal((table["period"], table["rows"][0]["period"]), (2 ** 53 + 1, 2 ** 53 + 1))


@case
def nothing_is_no_percentage():
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | PERIOD, flags=["freq"])
    file.sample(event, ip=1, pid=1, tid=1, time=1, period=0)
    file.write("zero.data")
    row = report("zero.data")["events"][0]["rows"][0]
    equal((row["percent"], row["period"], row["samples"]), (0, 0, 1))


@case
def locales_change_nothing():
    path = recordings.data("stacks")
    for name in run("locale", "-a").out.split() if os.path.exists("/usr/bin/locale") else []:
        if name.startswith(("fr_", "de_", "ar_")):
            env = dict(recordings.ENVIRONMENT, LC_ALL=name)
            equal(strobe("report", *OPTIONS, "--format", "json", "-i", path, env=env).ok().out,
                  printed("report", *OPTIONS, path=path))
            return
    skip("no locale with decimal commas")


@case
def an_empty_recording_is_an_empty_report():
    file = Crafted()
    file.event(sample_type=IP | TID | TIME)
    file.write("empty.data")
    equal([(table["samples"], table["rows"]) for table in report("empty.data")["events"]], [(0, [])])
    equal(len(script("empty.data")), 2)


@case
def losses_have_their_numbers():
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME)
    file.sample(event, ip=1, pid=1, tid=1, time=1)
    file.lost(7, time=2)
    file.lost_samples(3, time=3)
    file.record(SAMPLE, b"\0" * 8)
    file.write("lost.data")
    losses = report("lost.data")["losses"]
    equal((losses["lost_records"], losses["lost_samples"], losses["damaged_samples"]), (7, 3, 1))
    equal(script("lost.data")[-1]["losses"], losses)


@case
def samples_with_fields_of_the_future_are_a_loss():
    file = Crafted()
    file.sample(file.event(sample_type=IP | TID | TIME, ids=[7]), ip=1, pid=1, tid=1, time=1)
    future = file.event(sample_type=IP | TID | TIME | 1 << 40, ids=[8])
    for event in file.events:
        event.fields["sample_type"] |= IDENTIFIER
    file.records.clear()
    for n, event in enumerate(file.events):
        file.sample(event, ip=1, pid=1, tid=1, time=n + 1, more=bytes(16) if event is future else b"")
    file.write("future.data")
    for losses in (report("future.data")["losses"], script("future.data")[-1]["losses"]):
        equal((losses["unknown_layout_samples"], losses["damaged_samples"]), (1, 0))


@case
def objects_without_names_have_a_reason():
    unnamed = report(hostile_file(), "-g", "none", "-s", "dso,symbol")["unnamed"]
    check(unnamed and all(item["reason"] for item in unnamed))


# The option

@case
def text_is_the_default_and_other_formats_are_refused():
    path = recordings.data("flat")
    equal(text_of("report", *OPTIONS, "--format", "text", path=path), text_of("report", *OPTIONS, path=path))
    for command in ("report", "script", "evlist", "buildid-list"):
        result = strobe(command, "--format", "jsn", "-i", path)
        equal(result.code, 2)
        contains(result.err, "text or json")
    equal(strobe("script", "--format", "json", "--per-event-dump", "-i", path).code, 2)
    equal(strobe("report", "--format", "json", "-D", "-i", path).code, 2)


@case
def jq_reads_it():
    jq = need_program("jq")
    text = printed("report", *OPTIONS, path=recordings.data("stacks"))
    equal(run(jq, "-r", ".events[0].rows[0].symbol.name", stdin=text).ok().out, "_start\n")
    text = printed("script", *OPTIONS, path=recordings.data("stacks"))
    equal(run(jq, "-r", 'select(.type=="sample").comm', stdin=text).ok().lines()[0], "shares")


main()
