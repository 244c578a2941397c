"""Functions that compilers put into others: what is said of them, and that all outputs say the same."""
import json
import re

import inlines
from schema import check_value
from tap import case, check, contains, equal, main, need_fixtures, need_program, perf, same_text, strobe

LINES = ["-F", "ip,sym,srcline"]


def script(*words, program=strobe, file="x.data"):
    return program("script", "-f", "--kallsyms=/dev/null", "-i", file, *words).ok().out


def recorded(path, functions):
    """A recording of all code of some functions of a program, and the addresses of it."""
    addresses = inlines.code_of(path, functions)
    check(len(addresses) > 20, path)
    inlines.record(path, addresses)
    return addresses


def known(line):
    """Where code has no line, each says so in its own way."""
    return "?" if re.search(r":[?0]$|\]$", line) else line


def same_as_addr2line(path, addresses):
    """Functions and lines of each address are addr2line's, and all but the outermost function are marked."""
    ours, theirs = inlines.of_script(script(*LINES)), inlines.of_addr2line(path, addresses)
    depth = 0
    for addr in addresses:
        equal([frame[2] for frame in ours[addr]], [True] * (len(ours[addr]) - 1) + [False], "%x" % addr)
        equal([(frame[0], known(frame[1])) for frame in ours[addr]], [(frame[0], known(frame[1])) for frame in theirs[addr]],
              "%x" % addr)
        depth = max(depth, len(ours[addr]))
    return depth


@case
def functions_and_lines_of_c_are_those_of_addr2line():
    path = inlines.c_program()
    equal(same_as_addr2line(path, recorded(path, "^(outer|other|main)$")), 4)


@case
def functions_and_lines_of_cxx_are_those_of_addr2line():
    path = inlines.cxx_program("-O3")
    check(same_as_addr2line(path, recorded(path, "work")) > 5)


@case
def functions_and_lines_of_clang_are_found():
    path = inlines.cxx_program(compiler=need_program("clang++"))
    addresses = recorded(path, "weight|sort|count")
    # This addr2line may not know what this clang writes, so another one that does is asked.
    ours = inlines.of_script(script(*LINES))
    check(max(len(frames) for frames in ours.values()) > 4)
    check(any(frame[:1] == ("work::weigh(work::item const&)",) or frame[0].startswith("weigh")
              for frames in ours.values() for frame in frames), ours)
    equal(set(ours), set(addresses))


@case
def functions_and_lines_of_rust_are_those_of_addr2line():
    path = inlines.rust_program()
    check(same_as_addr2line(path, recorded(path, "total")) > 3)


@case
def older_and_compressed_debug_information_says_the_same():
    shown = set()
    for flag in ("-gdwarf-5", "-gdwarf-4", "-gz=zlib"):
        recorded(inlines.c_program(flag), "^(outer|other)$")
        shown.add(script(*LINES))
    equal(len(shown), 1)


@case
def a_function_of_c_is_called_what_its_source_calls_it():
    recorded(inlines.c_program(), "^other$")
    contains(script("-F", "ip,sym"), " f (inlined)\n")


@case
def the_text_is_perfs():
    path = inlines.c_program()
    addresses = recorded(path, "^(outer|other|main)$")
    # perf takes the C function f for the mangled name of a type, and what is around it is lost.
    named = inlines.of_script(script(*LINES))
    inlines.record(path, [a for a in addresses if all(frame[0] != "f" for frame in named[a])], caller=addresses[0])
    for words in ([], ["--inline"], ["--no-inline"], ["-F", "ip"], ["-F", "ip,sym"], LINES, ["-F", "+srcline"], ["-F", "ip,dso"],
                  ["-F", "ip,sym,dso,dsoff,symoff"], ["-F", "ip,srcline", "--full-source-path"], ["--stop-bt", "wrapper"],
                  ["--stop-bt", "outer"], ["--max-stack", "1"]):
        same_text(script(*words), script(*words, program=perf), expected_name="perf script " + " ".join(words))


@case
def without_inlines_addresses_are_one_frame_each():
    addresses = recorded(inlines.c_program(), "^(outer|other)$")
    for words in (["--no-inline"], ["--inline", "--no-inline"]):
        out = script("-F", "ip,sym", *words)
        equal(len(re.findall("^\t", out, re.M)), len(addresses))
        check("inlined" not in out, out)


@case
def json_has_the_frames_of_the_text():
    path = inlines.c_program()
    addresses = recorded(path, "^(outer|other|main)$")
    inlines.record(path, addresses, caller=addresses[0])
    text = inlines.of_script(script(*LINES))
    seen = 0
    for line in script("--format", "json", "-F", "+srcline").splitlines():
        value = json.loads(line)
        check_value("script", value)
        if value["type"] != "sample" or int(value["ip"], 16) == addresses[0]:
            continue
        frames = [frame for frame in value["frames"] if frame["addr"] == value["ip"]]
        equal([(frame["symbol"], "%s:%d" % (frame["file"].rsplit("/", 1)[-1], frame["line"]), frame.get("inlined", False))
               for frame in frames], text[int(value["ip"], 16)])
        seen += 1
    equal(seen, len(addresses) - 1)


def report(*words, program=strobe, file="x.data"):
    out = program("report", "-f", "--kallsyms=/dev/null", "-i", file, *words).ok().out
    return re.sub("\n#\n# \\(Tip:.*\n#\n", "", out).replace("[...] (inlined)", "[...]")


def of_outer():
    """Samples in outer() and other() that main() called, and none in what perf takes for another name."""
    path = inlines.c_program()
    addresses = recorded(path, "^(outer|other)$")
    named = inlines.of_script(script(*LINES))
    caller = inlines.code_of(path, "^main$")[-1]
    inlines.record(path, [a for a in addresses if all(frame[0] != "f" for frame in named[a])], caller=caller)
    return path


@case
def reports_are_perfs():
    of_outer()
    for words in ([], ["-g", "caller"], ["-g", "callee"], ["-g", "caller,srcline"], ["-g", "callee,srcline"], ["-g", "address"],
                  ["-g", "flat"], ["-g", "folded"], ["-g", "folded,0,caller"], ["-g", "fractal"], ["-g", "none"], ["-s", "sym"],
                  ["-s", "comm"], ["--no-inline"], ["-n"]):
        for children in ("--children", "--no-children"):
            command = ["--stdio", children, *words]
            same_text(report(*command), report(*command, program=perf), expected_name="perf report " + " ".join(command))


@case
def a_frame_of_a_row_by_line_has_its_own_line():
    of_outer()
    for children in ("--children", "--no-children"):
        out = report("--stdio", children, "-g", "none", "-s", "srcline,sym")
        rows = re.findall(r"inlines\.c:(\d+) +\[\.\] (.*?)( \(inlined\))?$", out, re.M)
        source = inlines.C_PROGRAM.splitlines()
        for line, function, inlined in rows:
            # What was put into another function is never where a sample hit: that is the function that is there.
            check(not inlined or children == "--children", out)
            if inlined:
                before = [text for text in source[:int(line)] if re.match(r"\S.*\(", text)]
                contains(before[-1], " %s(" % function)
        check(rows, out)


def chains_of(value, chain=()):
    """All ways through the trees of a report's JSON, with what ended there."""
    for node in value:
        frames = chain + tuple((frame["symbol"], frame.get("inlined", False)) for frame in node["frames"])
        if node["self_period"]:
            yield frames, node["self_period"]
        yield from chains_of(node.get("children", []), frames)


def chains_of_samples(*words, **where):
    """All chains of a recording, as script has them, with the period of their samples."""
    chains = {}
    for sample in map(json.loads, script("--format", "json", "-F", "+period", *words, **where).splitlines()):
        if sample["type"] == "sample":
            chain = tuple((frame["symbol"], frame.get("inlined", False)) for frame in sample["frames"])
            chains[chain] = chains.get(chain, 0) + sample["period"]
    return chains


def reports_have_chains(wanted, *words, **where):
    """JSON and text of trees, read from either end, have these chains and no others."""
    words = ("--no-children", *words)
    for order in ("callee", "caller"):
        in_order = (lambda chain: chain) if order == "callee" else (lambda chain: chain[::-1])
        found, folded = {}, {}
        value = json.loads(report("--format", "json", "-g", "graph,0,%s" % order, *words, **where))
        check_value("report", value)
        for row in value["events"][0]["rows"]:
            for chain, period in chains_of(row["chains"]):
                found[in_order(chain)] = found.get(in_order(chain), 0) + period
        equal(found, wanted, order)
        text = report("--stdio", "-g", "folded,0,%s,period" % order, *words, **where)
        for period, chain in re.findall(r"^(\d+) (.*)$", text, re.M):
            frames = in_order(tuple((frame.replace(" (inlined)", ""), frame.endswith(" (inlined)")) for frame in chain.split(";")))
            folded[frames] = folded.get(frames, 0) + int(period)
        equal(folded, wanted, order)


@case
def all_outputs_have_the_same_chains():
    of_outer()
    wanted = chains_of_samples()
    innermost = max(wanted, key=len)
    equal([name for name, inlined in innermost], ["inner", "middle", "wrapper", "outer", "main"])
    equal([inlined for name, inlined in innermost], [True, True, True, False, False])
    reports_have_chains(wanted)


@case
def reports_of_recordings_made_elsewhere_have_their_chains():
    """Their frames are addr2line's, as the case of scripts sees: so are those of reports."""
    fixtures = need_fixtures()
    words, file = ["--symfs", fixtures + "/symfs/shapes"], fixtures + "/data/shapes.dwarf.data"
    wanted = chains_of_samples(*words, file=file)
    check(len(wanted) > 10 and any(inlined for chain in wanted for name, inlined in chain), wanted)
    reports_have_chains(wanted, *words, file=file)


@case
def rows_of_inlined_functions_count_what_was_called_from_there():
    of_outer()
    value = json.loads(report("--format", "json", "--children", "-g", "none", "-s", "sym"))
    rows = {}
    for row in value["events"][0]["rows"]:
        rows.setdefault((row["symbol"]["name"], row["symbol"].get("inlined", False)), []).append(row)
    # Each function that inner() was put into has a row of its own.
    equal([len(rows[name]) for name in (("inner", True), ("middle", True), ("wrapper", True), ("outer", False))], [2, 2, 1, 1])
    check(all(row["period"] == 0 for row in rows["inner", True]), rows)


@case
def a_pipe_is_reported_as_a_file():
    path = inlines.c_program()
    addresses = recorded(path, "^(outer|other|main)$")
    inlines.record(path, addresses, "pipe.data", pipe=True)
    for words in (["-g", "caller"], ["-g", "callee,srcline"], ["-g", "none", "-s", "sym"]):
        equal(report("--stdio", *words, file="pipe.data").split("# Total")[-1], report("--stdio", *words).split("# Total")[-1])


@case
def recordings_made_elsewhere_have_the_functions_and_lines_of_addr2line():
    fixtures = need_fixtures()
    wanted = {}
    with open(fixtures + "/decoded/shapes.inlines.tsv", encoding="utf-8") as file:
        for line in file:
            addr, *words = line.rstrip("\n").split("\t")
            wanted[int(addr, 16)] = list(zip(words[::2], words[1::2]))
    out = script(*LINES, "--symfs", fixtures + "/symfs/shapes", file=fixtures + "/data/shapes.dwarf.data")
    ours, seen = {}, 0
    for addr, function, line in re.findall(r"^\s*([0-9a-f]+) (.*)\n  (.*?)(?: \(inlined\))?$", out, re.M):
        ours.setdefault(int(addr, 16), []).append((function, line))
    for addr, frames in wanted.items():
        if addr not in ours or "?" in frames[-1][1]:
            continue
        shown = ours[addr][:len(frames)]
        equal([line for _, line in shown], [line for _, line in frames], "%x" % addr)
        # The innermost function has the outer one's name there where it was asked for the first time.
        first = 1 if len(frames) > 1 and frames[0][0] == frames[-1][0] else 0
        equal(shown[first:], frames[first:], "%x" % addr)
        seen += 1
    check(seen > 20, seen)


main()
