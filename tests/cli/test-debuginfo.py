"""Debug information is found wherever it is, and only if it belongs to the code that ran; "strobe debuginfo" shows where."""
import json
import os
import time

import schema
from debuginfod import DeadServer, HangingServer, Server, env
from debugfiles import INNER_LINE, build_id, lines, make, named, recording, with_build_id
from tap import (STROBE, case, check, contains, equal, lacks, main, need_program, need_root, run, skip, strobe, write)


def need_debuginfod():
    libraries = run("ldconfig", "-p").out
    if "libdebuginfod.so.1" not in libraries:
        skip("libdebuginfod is not installed")


def shell(script):
    return run("sh", "-ec", script).ok()


def in_inner(found):
    """Near the loop in the static function, whatever the compiler made of it."""
    where, number = found[0].rsplit(":", 1)
    check(where.endswith("lib.c") and abs(int(number) - INNER_LINE) <= 2, found)


@case
def mini_debug_info_names_static_functions():
    need_program("xz")
    lib = make("lib.so")
    recording([(lib, lib, "lib_inner")])
    equal(named(), ["lib_inner"])
    shell("nm -D lib.so --format=posix --defined-only | awk '{ print $1 }' | sort > dynamic;"
          "nm lib.so --format=posix --defined-only | awk '$2 == \"t\" || $2 == \"T\" { print $1 }' | sort > all;"
          "comm -13 dynamic all > kept; objcopy --only-keep-debug lib.so mini;"
          "objcopy -S --remove-section .comment --keep-symbols=kept mini; strip lib.so")
    lacks(named()[0], "lib_inner")
    shell("xz mini; objcopy --add-section .gnu_debugdata=mini.xz lib.so")
    equal(named(), ["lib_inner"])


@case
def lines_and_names_are_the_same_however_debug_information_is_compressed():
    kinds = run("objcopy", "--help").out
    lib = make("lib.so")
    recording([(lib, lib, "lib_inner")])
    in_inner(lines())
    plain = lines()
    os.rename("lib.so", "plain.so")
    for kind in ("zlib-gabi", "zlib-gnu", "zstd"):
        if kind not in kinds:
            continue
        run("objcopy", "--compress-debug-sections=" + kind, "plain.so", "lib.so").ok()
        equal(lines(), plain, kind)
        equal(named(), ["lib_inner"], kind)


@case
def a_separate_debug_file_is_found_by_its_link():
    lib = make("lib.so")
    recording([(lib, lib, "lib_inner")])
    plain = lines()
    shell("objcopy --only-keep-debug lib.so lib.debug; strip --strip-all lib.so;"
          "objcopy --add-gnu-debuglink=lib.debug lib.so; mkdir .debug")
    for place in ("lib.debug", ".debug/lib.debug"):
        if place != "lib.debug":
            os.rename("lib.debug", place)
        equal(named(), ["lib_inner"], place)
        equal(lines(), plain, place)


@case
def a_debug_file_of_another_build_names_nothing():
    lib = make("lib.so")
    recording([(lib, lib, "lib_inner")])
    shell("objcopy --only-keep-debug lib.so lib.debug; strip --strip-all lib.so;"
          "objcopy --add-gnu-debuglink=lib.debug lib.so")
    os.rename("lib.debug", "right")
    shell("sed -i 's/lib_/oth_/' lib.c; gcc -g -O1 -fPIC -shared -Wl,--build-id -o other.so lib.c;"
          "objcopy --only-keep-debug other.so lib.debug")
    equal(lines(), [])
    lacks(named()[0], "inner")
    os.replace("right", "lib.debug")
    equal(named(), ["lib_inner"])


@case
def debug_files_lie_in_the_build_id_folder_of_symfs_and_in_the_cache():
    lib = make("lib.so")
    recording([(lib, lib, "lib_inner")])
    plain, hex_id = lines(), build_id(lib)
    shell("objcopy --only-keep-debug lib.so lib.debug; strip --strip-all lib.so")
    lacks(named()[0], "inner")
    folder = "root/usr/lib/debug/.build-id/" + hex_id[:2]
    os.makedirs(folder)
    os.makedirs("root" + os.path.dirname(lib))
    shell("cp lib.so root%s" % lib)
    shell("cp lib.debug %s/%s.debug" % (folder, hex_id[2:]))
    equal(named("--symfs", "root"), ["lib_inner"])
    equal(lines("--symfs", "root"), plain)
    cache = os.path.join("ids/.build-id", hex_id[:2], hex_id[2:])
    os.makedirs(cache)
    os.rename("lib.debug", cache + "/debug")
    equal(named(env={"PERF_BUILDID_DIR": "ids"}), ["lib_inner"])
    equal(lines(env={"PERF_BUILDID_DIR": "ids"}), plain)


SHARED = """
struct shared_thing { int first, second; char name[32]; struct shared_thing *next; };
static inline __attribute__((always_inline)) unsigned long shared_work(unsigned long n)
{
	unsigned long sum = 0;
	for (unsigned long i = 0; i < n; i++)
		sum += i * sum + 3;
	return sum;
}
"""
DWZ_SOURCE = """
#include "shared.h"
volatile unsigned long sink;
__attribute__((noinline)) void %(name)s_hot(unsigned long n)
{
	struct shared_thing thing = { 1, 2, "x", 0 };
	sink += shared_work(n + (unsigned long)thing.first);
}
"""


def make_common():
    """Two libraries whose debug information refers to common.debug; what is in it shows in paths of lines."""
    need_program("dwz")
    write("shared.h", SHARED)
    libs = [make(name + ".so", "-gdwarf-4", source=DWZ_SOURCE) for name in ("one", "two")]
    recording([(libs[0], libs[0], "one_hot"), (libs[1], libs[1], "two_hot")])
    whole = lines("--full-source-path")
    shell("dwz -m common.debug -r one.so two.so")
    contains(run("readelf", "-SW", "one.so").out, ".gnu_debugaltlink")
    return whole


MISSING = "debug information refers to 'common.debug', which is not here"


@case
def what_dwz_moved_to_a_common_file_is_found_there():
    whole = make_common()
    result = strobe("script", "-i", "F", "-F", "ip,sym,srcline").ok()
    equal(lines("--full-source-path"), whole)
    equal(result.err, "")


@case
def without_the_common_file_frames_have_their_names_and_one_line_says_so():
    make_common()
    os.rename("common.debug", "elsewhere")
    result = strobe("script", "-i", "F", "-F", "ip,sym,srcline").ok()
    contains(result.out, "one_hot")
    contains(result.out, "two_hot")
    equal(result.err.count(MISSING), 1, result.err)
    equal(strobe("script", "-i", "F", "-F", "ip,sym").ok().err, "")


@case
def a_common_file_of_another_build_is_not_read():
    whole = make_common()
    os.rename("common.debug", "right")
    write("shared.h", SHARED.replace("first", "other"))
    for name in ("three", "four"):
        make(name + ".so", "-gdwarf-4", source=DWZ_SOURCE.replace("first", "other"))
    shell("dwz -m common.debug -r three.so four.so")
    result = strobe("script", "-i", "F", "-F", "ip,sym,srcline").ok()
    equal(result.err.count(MISSING), 1, result.err)
    contains(result.out, "one_hot")
    check(lines("--full-source-path") != whole)
    os.replace("right", "common.debug")
    equal(lines("--full-source-path"), whole)


@case
def an_absolute_name_of_a_common_file_is_not_trusted_either():
    """libdw would take what lies there."""
    make_common()
    os.remove("common.debug")
    make("one.so", "-gdwarf-4", source=DWZ_SOURCE)
    make("two.so", "-gdwarf-4", source=DWZ_SOURCE)
    recording([(os.path.abspath("one.so"), "one.so", "one_hot")])
    whole = lines("--full-source-path")
    shell("dwz -M $PWD/common.debug -m common.debug one.so two.so")
    equal(lines("--full-source-path"), whole)
    write("shared.h", SHARED.replace("first", "other"))
    for name in ("three", "four"):
        make(name + ".so", "-gdwarf-4", source=DWZ_SOURCE.replace("first", "other"))
    shell("dwz -m common.debug -r three.so four.so")
    check(lines("--full-source-path") != whole)
    lacks("\n".join(lines("--full-source-path")), os.getcwd())


# Servers

DEAD, SILENT = "debuginfod servers cannot be reached", "debuginfod servers do not answer"


def stripped(name="lib.so"):
    """A library without its debug information, and one with."""
    lib = make(name)
    full = lib + ".full"
    shell("cp %s %s; strip %s" % (lib, full, lib))
    return lib, full


@case
def servers_are_asked_for_debug_files_once():
    need_debuginfod()
    lib, full = stripped()
    recording([(lib, full, "lib_inner")])
    lacks(named()[0], "inner")
    with Server() as server:
        server.serve(full)
        equal(named(env=server.env()), ["lib_inner"])
        in_inner(lines(env=server.env()))
        equal(server.asked, ["/buildid/%s/debuginfo" % build_id(full)])
        result = strobe("script", "-i", "F", "-F", "ip,sym", env=server.env())
        equal(result.err, "")
        item = found("lib.so", env=server.env())["lib.so"]
        equal((item["named"], item["lines"]), ("all", True))
        equal([os.path.basename(a["path"]) for a in item["tried"] if a["verdict"] == "fits"], ["lib.so", "debuginfo"])
        item = found("lib.so", env=server.env(DEBUGINFOD_CACHE_PATH=os.path.abspath("other")), *["--no-debuginfod"])["lib.so"]
        equal(item["named"], "exported")


@case
def a_file_that_is_not_here_is_fetched_for_names_lines_and_stacks():
    need_debuginfod()
    lib = make("lib.so")
    recording([("/nowhere/lib.so", lib, "lib_inner")])
    lacks(named()[0], "inner")
    with Server() as server:
        server.serve(lib)
        equal(named(env=server.env()), ["lib_inner"])
        in_inner(lines(env=server.env()))
        equal(server.asked, ["/buildid/%s/executable" % build_id(lib)])
        item = found("-i", "F", env=server.env())["/nowhere/lib.so"]
        equal(os.path.basename(item["path"]), "executable")
        equal(sections(item, "frames"), {".eh_frame": "executable"})


@case
def what_a_server_has_not_is_asked_for_once_and_nobody_is_told():
    need_debuginfod()
    lib, full = stripped()
    recording([(lib, full, "lib_inner")] * 3)
    with Server() as server:
        result = strobe("report", "--stdio", "-i", "F", "-s", "sym,srcline", env=server.env()).ok()
        lacks(result.err, "debuginfod")
        equal(len(server.asked), 1)
        item = found("lib.so", env=server.env())["lib.so"]
        equal(item["tried"][-1]["verdict"], "absent")
        contains(item["tried"][-1]["path"], server.url + "/buildid/" + build_id(full) + "/debuginfo")


@case
def what_a_server_sends_must_be_what_ran():
    need_debuginfod()
    lib, full = stripped()
    other = make("other.so", "-O2", name="oth")
    recording([(lib, full, "lib_inner"), ("/nowhere/x.so", full, "lib_hot")])
    with Server() as server:
        server.serve(other, known_as=full)
        names = named(env=server.env())
        lacks("".join(names), "oth_")
        lacks("".join(names), "inner")
        equal(len(server.asked), 2)
        item = found("-i", "F", env=server.env())[lib]
        equal(item["tried"][-1]["verdict"], "other-build-id")


def twenty():
    """A recording of twenty stripped libraries."""
    lib, full = stripped()
    ids = {os.path.abspath("l%d.so" % i): "%040x" % (i + 1) for i in range(20)}
    for name, own in ids.items():
        with_build_id(lib, name, own)
    recording([(name, full, "lib_inner") for name in ids], ids=ids)


def seconds_of(*words, **more):
    began = time.monotonic()
    result = strobe("report", "--stdio", "-i", "F", "-s", "sym", *words, **more).ok()
    return time.monotonic() - began, result.err


@case
def a_server_that_cannot_be_reached_is_tried_once():
    need_debuginfod()
    twenty()
    without, _ = seconds_of()
    with DeadServer() as server:
        took, said = seconds_of(env=env(server))
        equal(said.count(DEAD), 1, said)
        contains(said, "127.0.0.1")
        check(took < without + 1.9, "%.2f s, and %.2f s without" % (took, without))
        equal(found("l1.so", env=env(server))["l1.so"]["tried"][-1]["verdict"], "unreachable")
    took, said = seconds_of(env={"DEBUGINFOD_URLS": "http://127.0.0.1:1", "DEBUGINFOD_CACHE_PATH": os.path.abspath("cache")})
    equal(said.count(DEAD), 1, said)
    took, said = seconds_of("--no-debuginfod", env=env(server))
    lacks(said, "debuginfod")


@case
def a_server_that_hangs_is_waited_for_once():
    need_debuginfod()
    twenty()
    without, _ = seconds_of()
    with HangingServer() as server:
        took, said = seconds_of(env=env(server, DEBUGINFOD_TIMEOUT="1"))
        equal(said.count(SILENT), 1, said)
        check(took < without + 6, "%.2f s, and %.2f s without" % (took, without))
        check(1 <= len(server.accepted) <= 8, "%d connections" % len(server.accepted))


@case
def of_several_servers_those_that_are_there_are_asked():
    need_debuginfod()
    lib, full = stripped()
    recording([(lib, full, "lib_inner")])
    with Server() as server, DeadServer() as dead:
        server.serve(full)
        result = strobe("script", "-i", "F", "-F", "ip,sym", env=env(dead, server)).ok()
        contains(result.out, "lib_inner")
        equal(result.err.count(DEAD), 1, result.err)


@case
def options_and_settings_say_whom_to_ask():
    need_debuginfod()
    lib, full = stripped()
    recording([(lib, full, "lib_inner")])
    with Server() as server:
        server.serve(full)
        nowhere = server.env(DEBUGINFOD_URLS=None)
        lacks(named(env=nowhere)[0], "inner")
        equal(named("--debuginfod=" + server.url, env=nowhere), ["lib_inner"])
        write("on", "[buildid-cache]\n\tdebuginfod = %s\n" % server.url)
        write("off", "[buildid-cache]\n\tdebuginfod = no\n")
        count = len(server.asked)
        for setting, words, environment, right in (
                ("on", (), nowhere, True), ("off", (), server.env(), False), ("off", ("--debuginfod",), server.env(), True),
                ("on", ("--no-debuginfod",), nowhere, False), ("off", ("--debuginfod=" + server.url,), nowhere, True)):
            shell("rm -rf cache")
            name = named(*words, env=dict(environment, PERF_CONFIG=os.path.abspath(setting)))[0]
            equal(name == "lib_inner", right, (setting, words, name))
        equal(len(server.asked), count + 3)


@case
def a_pipe_waits_for_no_server_unless_it_is_asked_to():
    need_debuginfod()
    lib, full = stripped()
    recording([(lib, full, "lib_inner")], pipe=True)
    with Server() as server, open("F", "rb") as file:
        server.serve(full)
        piped = file.read()
        lacks(named(path="-", stdin=piped, env=server.env())[0], "inner")
        equal(server.asked, [])
        equal(named("--debuginfod", path="-", stdin=piped, env=server.env()), ["lib_inner"])


@case
def a_program_with_more_rights_than_its_user_asks_nobody():
    need_debuginfod()
    need_root()
    need_program("setpriv")
    lib, full = stripped()
    recording([(lib, full, "lib_inner")])
    shell("cp %s own; chmod 4755 own; chmod 755 .; chmod 644 F" % STROBE)
    with Server() as server:
        server.serve(full)
        environment = server.env(DEBUGINFOD_CACHE_PATH="/tmp/nowhere", ASAN_OPTIONS=None, UBSAN_OPTIONS=None)
        result = run("setpriv", "--reuid=65534", "--clear-groups", "./own", "script", "-i", "F", "-F", "ip,sym",
                     env=environment).ok()
        lacks(result.out, "inner")
        equal(server.asked, [])


# The command


def found(*words, code=0, **more):
    """What "strobe debuginfo" has of each object, by its name."""
    result = strobe("debuginfo", "--format", "json", *words, **more)
    equal(result.code, code, result.err)
    value = json.loads(result.out)
    schema.check_value("debuginfo", value)
    return {item["name"]: item for item in value["objects"]}


def verdicts(item):
    """The places that are there, by their names."""
    return {os.path.basename(a["path"]): a["verdict"] for a in item["tried"] if a["verdict"] != "absent"}


def sections(item, kind):
    return {table["section"]: os.path.basename(table["path"]) for table in item[kind]}


@case
def all_of_a_whole_object_is_in_its_file():
    lib = make("lib.so", "-gdwarf-4", "-O2")
    item = found("lib.so")["lib.so"]
    equal((item["path"], item["build_id"], item["named"]), (lib, build_id(lib), "all"))
    equal(sections(item, "symbols"), {".symtab": "lib.so", ".dynsym": "lib.so"})
    equal(sections(item, "frames"), {".eh_frame": "lib.so"})
    dwarf = item["dwarf"]
    equal((dwarf["path"], dwarf["oldest_version"], dwarf["newest_version"], dwarf["units"]), (lib, 4, 4, 1))
    equal((dwarf["compression"], dwarf["split_units"], dwarf["common"]), ("none", 0, None))
    equal((item["lines"], item["advice"]), (True, []))
    equal([(a["role"], a["path"], a["verdict"]) for a in item["tried"]], [("file", lib, "fits")])


@case
def places_say_why_what_lies_there_does_not_fit():
    make("lib.so")
    make("other.so", "-O2", name="lib")
    shell("objcopy --only-keep-debug lib.so right; objcopy --only-keep-debug other.so wrong; strip lib.so; cp right lib.debug;"
          "objcopy --add-gnu-debuglink=lib.debug lib.so; mkdir .debug; printf '\\177ELF' > .debug/lib.debug; cp wrong lib.debug")
    item = found("lib.so")["lib.so"]
    equal([a["verdict"] for a in item["tried"] if a["path"].endswith("lib.debug")][:2], ["other-build-id", "not-elf"])
    equal((item["named"], item["dwarf"], item["lines"], item["inlines"]), ("exported", None, False, False))
    contains("\n".join(item["advice"]), "-g")
    os.replace("right", ".debug/lib.debug")
    item = found("lib.so")["lib.so"]
    equal((item["named"], item["lines"]), ("all", True))
    equal(sections(item, "symbols"), {".symtab": "lib.debug", ".dynsym": "lib.so"})
    text = strobe("debuginfo", "lib.so").ok().out
    contains(text, "lib.debug: of another build (build-id)")
    contains(text, ".debug/lib.debug: fits")


@case
def without_build_ids_it_is_the_checksum_that_does_not_fit():
    make("lib.so", "-Wl,--build-id=none")
    shell("objcopy --only-keep-debug lib.so lib.debug; strip lib.so; objcopy --add-gnu-debuglink=lib.debug lib.so")
    equal(verdicts(found("lib.so")["lib.so"])["lib.debug"], "fits")
    shell("printf x >> lib.debug")
    item = found("lib.so")["lib.so"]
    equal(verdicts(item)["lib.debug"], "other-crc")
    equal(item["build_id"], None)


@case
def a_recording_shows_what_its_samples_hit():
    lib, other = make("lib.so"), make("other.so")
    recording([(lib, lib, "lib_hot"), ("/nowhere/gone.so", other, "other_hot")])
    items = found("-i", "F")
    equal(sorted(items), ["/nowhere/gone.so", lib])
    equal(items[lib]["named"], "all")
    gone = items["/nowhere/gone.so"]
    equal((gone["path"], gone["named"], gone["reason"]), (None, "none", "no such file"))
    equal(gone["build_id"], build_id(other))
    contains("\n".join(gone["advice"]), "--symfs")
    make("lib.so", "-O2")
    equal(found("-i", "F")[lib]["reason"], "build-id mismatch")


@case
def mini_debug_info_dwz_and_compression_are_named():
    make_common()
    item = found("one.so")["one.so"]
    equal(item["dwarf"]["common"], {"name": "common.debug", "build_id": build_id("common.debug"),
                                    "path": os.path.abspath("common.debug")})
    equal((item["lines"], item["inlines"]), (True, True))
    os.remove("common.debug")
    item = found("one.so")["one.so"]
    equal(item["dwarf"]["common"]["path"], None)
    contains("\n".join(item["advice"]), "common.debug")
    make("lib.so")
    kinds = [kind for kind in ("zlib", "zstd") if kind in run("objcopy", "--help").out]
    for kind in kinds:
        run("objcopy", "--compress-debug-sections=" + kind, "lib.so", kind).ok()
        item = found(kind)[kind]
        equal((item["dwarf"]["compression"], item["lines"]), (kind, True))


@case
def what_is_no_object_is_an_error_and_the_others_are_shown():
    make("lib.so")
    write("text", "x")
    items = found("text", "lib.so", "nothing", code=1)
    equal([items[name].get("reason") for name in ("text", "lib.so", "nothing")], ["not an ELF file", None, "no such file"])
    equal(strobe("debuginfo", "-i", "F", "lib.so").code, 2)
    equal(strobe("debuginfo").code, 1)


main()
