"""What strobe prints of the recordings that come with it: tests/golden/recordings/NAME.VIEW.txt.

A golden is perf's text wherever perf can be asked and prints what strobe prints: UPDATE_GOLDEN=1
takes it from perf (the newest) then, and says of which it had to take strobe's own. So a case holds
without perf, and says that perf agreed when the golden was made.
"""
import os
import re

import recordings
from tap import Failure, case, equal, golden, main, perf, same_text, strobe

PIPES = ["pipe", "old-pipe", "new-zstd-pipe"]
TRACEPOINTS = ["tracepoints", "old-tracepoints", "new-tracepoints"]
NAMES = recordings.names()
COUNTED = [name for name in NAMES if name not in TRACEPOINTS]
RECORDS = ["--show-mmap-events", "--show-task-events", "--show-switch-events", "--show-namespace-events",
           "--show-cgroup-events", "--show-lost-events", "--show-bpf-events"]
REPORT = ["report", "--stdio", "-f", *recordings.NAMES]
SCRIPT = ["script", "-f", *recordings.NAMES]

# Texts that are not perf's, and why. A pipe's events come after perf has settled what to print: it
# shows no children there and fields that nobody asked for.
OURS = {
    ("pipe", "report"), ("old-pipe", "report"), ("new-zstd-pipe", "report"),
}

# view: (command, recordings)
VIEWS = {
    "script": (SCRIPT, NAMES),
    "script-records": (SCRIPT + RECORDS + ["-G", "-F", "comm,tid,time,event"], NAMES),
    "script-flat": (SCRIPT + ["-G", "-F", "comm,pid,tid,time,event,ip,sym,symoff,dso", "--ns"], NAMES),
    "script-offsets": (SCRIPT + ["-F", "event,ip,dso,dsoff"], ["flat", "stacks", "jit", "family"]),
    "script-who": (SCRIPT + ["-F", "comm,tid,cpu,misc,time,event"], ["events", "everywhere"]),
    "script-trace": (SCRIPT + ["-F", "event,trace"], TRACEPOINTS),
    "script-data": (SCRIPT + ["-F", "ip,sym,dso,addr,phys_addr,weight,data_page_size,code_page_size,period"], ["data"]),
    "script-registers": (SCRIPT + ["-F", "ip,sym,uregs,iregs"], ["registers"]),
    "script-cgroup": (SCRIPT + ["-G", "-F", "comm,time,cgroup"], ["family"]),
    "script-short": (SCRIPT + ["--max-stack", "2"], ["stacks", "tracepoints"]),
    "script-some": (SCRIPT + ["-S", "hot,after"], ["flat", "threads"]),
    "script-comm": (SCRIPT + ["-c", "shares"], ["family", "pipe"]),
    "script-time": (SCRIPT + ["--time", "20%-60%"], ["stacks"]),
    "script-reltime": (SCRIPT + ["--reltime"] + RECORDS, ["threads", "new-zstd-pipe"]),
    "script-deltatime": (SCRIPT + ["--deltatime", "--ns", "-F", "event,time,ip"], ["events", "tracepoints"]),
    "script-latency": (SCRIPT + ["-L"], ["tracepoints", "everywhere", "flat"]),
    "script-stop": (SCRIPT + ["--stop-bt", "start,hot"], ["stacks"]),
    "script-address": (SCRIPT + ["-S", "0x400170,cold", "--addr-range", "4"], ["flat", "stacks"]),
    "script-switched": (SCRIPT + ["--switch-on", "page-faults", "--switch-off", "context-switches"], ["events"]),
    "script-switches": (SCRIPT + ["--switch-on", "context-switches", "--show-on-off-events"], ["events"]),
    "script-traced": (SCRIPT + ["-F", "comm,ip,event,flags,synth,ipc,callindent,machine_pid,vcpu"], ["flat", "threads"]),
    "script-lines": (SCRIPT + ["-F", "ip,sym,srcline"], ["flat", "family"]),
    "script-access": (SCRIPT + ["-F", "ip,data_src"], ["data"]),
    "report": (REPORT, NAMES),
    "report-flat": (REPORT + ["--no-children", "-n"], NAMES),
    "report-caller": (REPORT + ["--no-children", "-g", "caller"], ["stacks", "family", "threads", "jit"]),
    "report-callee": (REPORT + ["-g", "callee"], ["stacks", "family", "threads"]),
    "report-fractal": (REPORT + ["--no-children", "-g", "fractal,0.5,callee"], ["stacks", "family"]),
    "report-folded": (REPORT + ["--no-children", "-g", "folded,0,caller,count"], ["stacks", "family", "old-zstd"]),
    "report-chains-flat": (REPORT + ["--no-children", "-g", "flat"], ["stacks", "family"]),
    "report-comm": (REPORT + ["--no-children", "-g", "none", "-s", "comm"], COUNTED),
    "report-pid": (REPORT + ["--no-children", "-g", "none", "-s", "pid,dso,sym"], ["threads", "family", "pipe"]),
    "report-cpu": (REPORT + ["--no-children", "-g", "none", "-s", "cpu,comm,sym"], ["events", "everywhere"]),
    "report-fields": (REPORT + ["--no-children", "-g", "none", "-F", "overhead,sample,period,comm,sym"],
                      ["flat", "family", "new-zstd"]),
    "report-csv": (REPORT + ["--no-children", "-g", "none", "-t", ","], ["flat", "family"]),
    "report-symbol": (REPORT + ["--no-children", "-S", "hot"], ["stacks", "new-zstd-pipe"]),
    "report-dsos": (REPORT + ["--no-children", "-g", "none", "-d", "shares"], ["family", "pipe"]),
    "report-comms": (REPORT + ["--no-children", "-g", "none", "-c", "second,third"], ["threads", "events"]),
    "report-limit": (REPORT + ["--no-children", "--percent-limit", "10"], ["stacks"]),
    "report-groups": (REPORT + ["--no-group", "-n"], ["groups"]),
    "report-all-members": (REPORT + ["--no-skip-empty", "-n"], ["groups"]),
    "report-trace-more": (REPORT + ["--no-children", "-g", "none", "-s", "+comm"], ["tracepoints"]),
    "report-trace-fields": (REPORT + ["--no-children", "-g", "none", "-s", "trace_fields"], ["old-tracepoints", "new-tracepoints"]),
    "report-trace-stacks": (REPORT + ["--no-children", "-s", "comm,sym"], ["tracepoints", "old-tracepoints"]),
    "header": (["report", "-f", "--header-only", "-I"], [name for name in COUNTED if name not in PIPES]),
    "evlist": (["evlist", "-f", "-v"], COUNTED),
    "evlist-names": (["evlist", "-f"], NAMES),
    "evlist-group": (["evlist", "-f", "-g"], ["groups", "events"]),
    "evlist-freq": (["evlist", "-f", "-F"], ["flat", "groups", "events"]),
    "evlist-trace": (["evlist", "-f", "--trace-fields"], TRACEPOINTS),
    "buildids": (["buildid-list", "-f"], ["flat", "family", "old-flat", "new-flat"]),
}


def without_tip(text):
    """perf ends reports in a hint that is drawn by lot. evlist's calls strobe by its own name."""
    return re.sub(r"\n#\n# \(Tip:.*\n#\n", "", text).replace("'strobe evlist", "'perf evlist")


def printed(program, name, command):
    return without_tip(program(*command, "-i", recordings.data(name), env=recordings.ENVIRONMENT).ok().out)


def add_case(view, name, command):
    def view_of_recording():
        ours = printed(strobe, name, command)
        if os.environ.get("UPDATE_GOLDEN") and (name, view) not in OURS:
            same_text(ours, printed(perf, name, command), expected_name="perf")
        golden(ours, "recordings/%s.%s.txt" % (name, view))
    view_of_recording.__name__ = "%s_of_%s" % (view, name)
    case(view_of_recording)


for kind, (arguments, shown) in VIEWS.items():
    for recording in shown:
        add_case(kind, recording, arguments)


@case
def every_golden_belongs_to_a_case():
    expected = {"%s.%s.txt" % (name, view) for view, (_, names) in VIEWS.items() for name in names}
    folder = os.path.join(recordings.FOLDER, "../golden/recordings")
    equal(set(os.listdir(folder)) - expected, set())


main()
