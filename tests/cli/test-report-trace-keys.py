"""report: fields of tracepoints as sort keys, on the recordings that come with strobe."""
import json

import recordings
import schema
from tap import case, contains, equal, lacks, main, perf, same_text, strobe

BARE = ["report", "--stdio", "-f", "-g", "none", "--no-children", *recordings.NAMES]


def without_tip(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("# (Tip:"))


def report(name, *args):
    return strobe(*BARE, "-i", recordings.data(name), *args, env=recordings.ENVIRONMENT)


def rows(text):
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def same(name, *args):
    theirs = perf(*BARE, "-i", recordings.data(name), *args, env=recordings.ENVIRONMENT).ok().out
    same_text(without_tip(report(name, *args).ok().out), without_tip(theirs), expected_name="perf " + " ".join(args))


@case
def columns_are_as_in_perf():
    for keys in ("prev_comm,next_comm", "sched_switch.*", "comm,prev_pid/raw", "trace,next_pid", "+next_comm",
                 "sched:sched_switch.prev_comm,prev_prio,prev_state/raw", "switch.prev_comm,%1.next_prio",
                 "common_pid,common_type", "prev_comm,prev_comm/raw,prev_pid/raw,prev_pid"):
        same("old-tracepoints", "-s", keys)
    for keys in ("child_comm,child_pid", "sched_process_fork.*,id", "sched_process_exec.pid,pid"):
        same("tracepoints", "-s", keys)
    for args in (["-s", "trace_fields"], ["-s", "trace_fields/raw"], ["--raw-trace", "-s", "prev_state,next_comm"],
                 ["-s", "comm,prev_comm", "-H"], ["-s", "prev_comm", "-F", "+sample"], ["-s", "prev_comm,runtime", "-t,"],
                 ["-s", "sched_stat_runtime.comm,runtime,pid"], ["-s", "prev_comm", "-w", "0,30"]):
        same("new-tracepoints", *args)


@case
def a_table_has_the_columns_of_its_event():
    out = report("new-tracepoints", "-s", "prev_comm,runtime").ok().out
    contains(out, "\n# Overhead         prev_comm\n")
    contains(out, "\n# Overhead             runtime\n")
    lacks(out, "N/A")


@case
def a_group_says_where_there_is_no_such_field():
    out = rows(report("new-tracepoints", "--group", "-s", "prev_comm,runtime").ok().out)
    equal(out[0], "    66.67%   0.00%           threads                 N/A")
    equal(out[4], "     0.00%  19.63%               N/A             1469766")
    equal(len(out), 19)


@case
def fields_are_columns_for_F_too():
    out = report("new-tracepoints", "-F", "next_prio,overhead").ok().out
    contains(out, "\n#  next_prio  Overhead\n")
    equal(rows(out)[0], "         120    88.89%")


@case
def values_are_whole_in_any_column():
    out = report("tracepoints", "-s", "sys_enter.args").ok().out
    arrays = [line.split(None, 1)[1] for line in rows(out) if "ARRAY" in line]
    equal({(array[:6], array[-1], array.count(",")) for array in arrays}, {("ARRAY[", "]", 47)})


@case
def json_has_them_by_their_names():
    out = json.loads(report("new-tracepoints", "--format", "json", "-s", "prev_comm,runtime").ok().out)
    equal(out["keys"], ["prev_comm", "runtime"])
    equal([event["rows"][0]["fields"] for event in out["events"]], [{"prev_comm": "threads"}, {"runtime": "1469766"}])
    schema.check_value("report", out)
    out = json.loads(report("new-tracepoints", "--format", "json", "--group", "-s", "common_pid,runtime").ok().out)
    equal([out["events"][0]["rows"][i]["fields"] for i in (0, -1)],
          [{"common_pid": "28421"}, {"common_pid": "28421", "runtime": "12924"}])


@case
def what_is_not_there_is_an_error_that_names_the_nearest():
    for keys, sentence, hint in (
            ("prev_com", "unknown sort key 'prev_com'", "did you mean 'prev_comm'?"),
            ("prev_comm/rwa", "unknown sort key 'prev_comm/rwa'", ""),
            ("sched.prev_comm", "'sched' is a part of the names of 2 tracepoints", "write the whole name"),
            ("nosuch.prev_comm", "no tracepoint 'nosuch' in the recording", "strobe evlist"),
            ("%3.prev_comm", "no tracepoint '%3' in the recording", "strobe evlist"),
            ("sched_switch.next_pit", "'sched:sched_switch' has no field 'next_pit'", "did you mean 'next_pid'?"),
            (".prev_comm", "unknown sort key '.prev_comm'", "")):
        run = report("new-tracepoints", "-s", keys)
        equal(run.code, 2)
        contains(run.err, sentence)
        contains(run.err, hint)
    contains(report("flat", "-s", "prev_comm").err, "unknown sort key 'prev_comm'")
    contains(report("flat", "-s", "trace_fields").err, "unknown sort key 'trace_fields'")


main()
