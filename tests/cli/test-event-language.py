"""What -e texts and record's options become, attr by attr as perf opens them."""
import concurrent.futures
import functools
import itertools
import os
import shutil
import tempfile
import threading

from attrs import DUMP, SAMPLE_BITS, of_the_event, our_attrs, printed_attrs, without_retries
from tap import case, contains, equal, main, need_perf_events, need_root, perf, perf_path, run, skip, strobe, write

# perf waits up to a second for a recording to end, so the command ends perf: all is printed then.
END_PERF = ("sh", "-c", "kill -9 $PPID")


HIDE = ("unshare", "-m", "sh", "-c", 'mount --bind "$0" /proc/kallsyms && exec "$@"')


@functools.cache
def can_hide():
    with tempfile.NamedTemporaryFile() as empty:
        return bool(shutil.which("unshare")) and run(*HIDE, empty.name, "true").code == 0


def without_symbols():
    """Hides the kernel's symbols from perf, which spends nine tenths of its time in reading them."""
    return (*HIDE, write(os.path.abspath("empty"), "")) if can_hide() else ()


def perf_attrs(*options):
    """The attrs that perf record first tries, in order; None where it refuses the text."""
    result = run(*without_symbols(), perf_path(), "record", "-vv", "-o",
                 "perf-%d.data" % threading.get_ident(), *options, "--", *END_PERF)
    attrs = printed_attrs(result.err)
    # perf opens a dummy of its own to hear of BPF programs.
    return [a for a in attrs if not (a.get("watermark") and a.get("config") == 9)] if attrs else None


def our_record_attrs(*options):
    return our_attrs("--record", *options, "--", "true")


def same(*options):
    theirs, ours = perf_attrs(*options), our_record_attrs(*options)
    if theirs is not None and ours is not None:
        theirs = without_retries(theirs, len(ours))
    equal((options, ours), (options, theirs))


def all_same(variants):
    """perf sleeps now and then, so as many run at once as there are CPUs."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda options: same(*options), variants):
            pass


# What perf stat makes of events that need a PMU: where one is missing it says so and goes on, so
# that all are asked for at once.
COUNTED = """
cycles cpu-cycles instructions cache-references cache-misses branches branch-instructions
branch-misses bus-cycles stalled-cycles-frontend idle-cycles-frontend stalled-cycles-backend
idle-cycles-backend ref-cycles
cycles:u cycles:k cycles:h cycles:uk cycles:ukh cycles:p cycles:pp cycles:ppp cycles:uppp
cycles:G cycles:H cycles:GH cycles:uG cycles:I cycles:e cycles:D cycles:S cycles:hp
L1-dcache-loads L1-dcache-load-misses L1-dcache-stores L1-dcache-store-misses L1-dcache-prefetches
L1-icache-loads L1-icache-load-misses L1-icache-prefetches LLC-loads LLC-load-misses LLC-stores
LLC-prefetch-misses dTLB-loads dTLB-load-misses dTLB-store-misses dTLB-prefetches iTLB-loads
iTLB-load-misses branch-loads branch-load-misses node-loads node-load-misses node-stores
node-prefetch-misses l1d-read l1-d-refs L1-data L1-instruction-loads L2-stores Data-TLB-write
Instruction-TLB btb-loads bpc-read LLC L1-dcache-speculative-read dTLB-loads-misses
r1a8 r1a8:u r0 rffffffff cpu/r1a8/ cpu/r0x1a8/ cpu/cycles/ cpu/instructions,period=5/ cpu/config=0x5/
cpu/L1-dcache-loads/u r1a8/period=5/
""".split()

# The same of what any kernel has, with record, many in one call.
SAMPLED = """
cpu-clock task-clock page-faults faults context-switches cs cpu-migrations migrations minor-faults
major-faults alignment-faults emulation-faults dummy bpf-output cgroup-switches CS Page-Faults
mem:0x1000 mem:0x1000/4:w mem:0x1000:rw:u mem:0x1000:x mem:0x1000/8:rwx:k mem:4096:w
software/config=1/ software/cpu-clock/ software/faults,period=3/u
breakpoint/config1=0x1000,config2=4,config=3/
page-faults/period=5/ page-faults/freq=99/ page-faults/period=99,freq=98/ page-faults/period=0x10/
page-faults/call-graph=fp/ page-faults/call-graph=no/ page-faults/max-stack=5/ page-faults//u
page-faults/no-inherit/ page-faults/time=0/ page-faults/no-overwrite/ page-faults/config2=4/
page-faults/name=foo,period=4/k page-faults/branch_type=any/
{cs,faults} {cs,faults}:S {cs,faults:S} {cs:S,faults} {cs,faults/period=4/}:S {cs,faults}:D {cs,faults}:e
{cs,faults}:P {cs:p,faults}:pp {cs:G,faults}:H {cs:u,faults:k} {cs,faults:u}:k foo{cs,faults}
{cs,faults},{cpu-clock,task-clock}:u cs,faults,cs cs:D,{faults:u,cs}:W
software/cs/ software/task-clock,name=x/ software/config=0x2,period=4/ mem:0x1000/1:r mem:0x1000/2:x mem:0x1000:rwx
page-faults/branch_type=any_call/ page-faults/percore=0/ page-faults/metric-id=x/ page-faults/inherit/ page-faults/inherit=0/
page-faults/time/ page-faults/config1=3/ page-faults/name='a,b'/ page-faults/name=a.b-c/ page-faults/period=4,period=5/ cs/cpu=0/
cs/freq=100,period=3/ cs:ukhGH cs:HG cs:I cs:ppp cs:uD {cs:D,faults} {cs/period=3/,faults/freq=4/} {cs:p,faults:pp}:p x{cs} {cs}:S
""".split()

# One at a time: the first event of a recording also asks for what the kernel tells of processes.
ALONE = """
cycles cycles:P cycles:ppp cycles:pP cycles:u cycles:R LLC-loads r1a8:u cpu/instructions,period=5/
cs faults:k dummy bpf-output mem:0x1000/4:w page-faults/freq=99/ page-faults/call-graph=fp/
page-faults/time=0/ page-faults/no-overwrite/ {cs,faults} {cs,faults}:S {cs,faults:S} {cs:p,faults}:pp
""".split()

REFUSED = """
cycels L1-icache-stores iTLB-stores branch-prefetches cycles:uu cycles:pppp cycles:W cpu/nope/ nope/x/
r1a8x rxyz software/nope/ page-faults/nonexistent/ page-faults/period=abc/ cs,
{cs,{faults}} cs:uu cs:pP cs/ /cs/ cs/name/ cs/config=/ mem: mem:x mem:0x1000/ mem:0x1000:z mem:0x1000:rr
""".split()


def with_e(texts):
    return [word for text in texts for word in ("-e", text)]


@case
def hardware_events_become_what_perf_stat_makes_of_them():
    need_perf_events()
    theirs = printed_attrs(perf("stat", "-vv", *with_e(COUNTED), "--", "true").err)
    ours = our_attrs(*COUNTED)
    theirs = without_retries(theirs, len(ours))
    for text, our, their in itertools.zip_longest(COUNTED, ours, theirs):
        equal((text, our and of_the_event(our)), (text, their and of_the_event(their)))


@case
def many_events_of_a_recording_become_what_perf_makes_of_them():
    need_perf_events()
    same(*with_e(SAMPLED))


@case
def an_event_alone_becomes_what_perf_makes_of_it():
    need_perf_events()
    all_same(("-e", text) for text in ALONE)


@case
def what_perf_refuses_is_refused():
    need_perf_events()
    all_same(("-e", text) for text in REFUSED)


@case
def tracepoints_and_globs_have_the_ids_that_perf_finds():
    need_root()
    need_perf_events()
    if perf_attrs("-e", "sched:sched_switch") is None:
        skip("no tracepoints here")
    all_same(("-e", text) for text in (
        "sched:sched_switch", "sched:sched_switch:u", "raw_syscalls:sys_enter",
        "{sched:sched_switch,sched:sched_wakeup}"))
    for text in ("sched:sched_wak*", "s*:sched_swi*", "syscalls:sys_enter_op?n"):
        ids = [sorted(a["config"] for a in attrs("-e", text)) for attrs in (our_record_attrs, perf_attrs)]
        equal(ids[0], ids[1])


OPTIONS = """
-F 99|-c 100|-g|--call-graph dwarf|--call-graph dwarf,4096|--call-graph fp,8|--call-graph lbr
--call-graph dwarf,10|--user-regs=ax,bx|--user-regs=ax,bx --call-graph dwarf|-I|--intr-regs=ip,sp
-a|-a -g|-R --no-timestamp|-a -F 99|-a -c 4|-a -P -c 4|-a --call-graph dwarf|-a -s|-a -d|-a --namespaces --all-cgroups
-a --switch-events|-a -W|-a -n|-a -I|-a -R|-a -k mono|-a --all-user|-a --all-kernel
-a --data-mmap|-a --phys-data|-a --no-buildid-mmap|-a -b|-a -T|-a -i|-a --no-timestamp --no-period
--per-thread|--per-thread -T|--per-thread --sample-cpu|-i|--no-inherit|-i -g
-d|--phys-data|--phys-data -d|--data-page-size|--code-page-size|-W|-s|-R|-T|-P|-c 100 -P|--no-period
--no-timestamp|--sample-cpu|--sample-identifier|--sample-mem-info|--running-time|-n|-n -c 5
--namespaces|--all-cgroups|--switch-events|--data-mmap|--no-buildid-mmap|--no-bpf-event
-k monotonic|-k CLOCK_BOOTTIME|-k raw|-k 7|-k realtime|-k tai
-b|-j any,u|-j any_call,k,save_type|-j any_ret,u|-j ind_call|-j cond|-j call|-j u|-j stack,u
-j any,hw_index,counter,priv,no_cycles,no_flags,abort_tx,in_tx,no_tx,ind_jmp,any_ret
-D 10|-D 10 -a|-D -1|-p 1|-t 1|-p 1 -i|--all-user|--all-kernel
-g --kernel-callchains|-g --user-callchains|--call-graph dwarf --kernel-callchains|-g --user-regs=ip
"""

# Lists where the one event meets the other.
LISTS = """
-e cs,sched:sched_switch|-e sched:sched_switch -c 5|-e sched:sched_switch -F 10|-e cs,faults -F 10
-e cs/no-inherit/,faults|-e cs/time=0/,faults|-e cs/period=4/,faults/freq=8/
-c 7 -e cs/period=4/,faults/freq=8/|-F 7 -e cs/period=4/,faults/freq=8/|-P -e cs/period=4/
-a -e dummy|-a -e dummy,cs|-e cs,dummy|-a -e sched:sched_switch|-a -e {cs,faults}:S
-e {cs,faults:u} -D 5|--per-thread -e sched:sched_switch|-n -e sched:sched_switch|-i -e cs/inherit/
--no-timestamp -e cs/time/|--no-timestamp -e sched:sched_switch|-g -e cs/call-graph=no/
-g -e cs/max-stack=3/,faults|-e cs/no-overwrite/,faults|-e cs:R -W|-c 0 -e cs|--all-user -e cs:k
--all-kernel -e cs:u|-b -e cs:u|--call-graph lbr -b -e cs:u|--call-graph dwarf -e cs:k
--call-graph dwarf -e sched:sched_switch|-R -e sched:sched_switch|-e bpf-output -c 5
-e mem:0x1000 -c 7|-e mem:0x1000 -F 7|-e mem:0x1000 -d|-s -e {cs,faults}
-c 5 --no-period -e sched:sched_switch
"""


def variants(text):
    return [v.split() for line in text.strip().splitlines() for v in line.split("|") if v]


@case
def options_of_record_make_the_attrs_that_perf_makes():
    need_perf_events()
    need_root()
    all_same(("-e", "page-faults", *options) for options in variants(OPTIONS))


@case
def events_in_lists_agree_as_those_of_perf():
    need_perf_events()
    need_root()
    all_same(variants(LISTS))


@case
def a_transaction_is_asked_for_although_perf_does_not_print_it():
    equal(our_record_attrs("-e", "cs", "--transaction")[0]["sample_type"] & SAMPLE_BITS["TRANSACTION"],
          SAMPLE_BITS["TRANSACTION"])


@case
def a_wrong_modifier_is_told_with_its_event():
    for event in ("cycles:z", "cycles/period=3/z", "sched:sched_switch:z", "task-clock:z"):
        result = strobe("record", "-o", "F", "-e", "dummy,%s" % event, "true")
        equal(result.code, 2)
        contains(result.err, "unknown modifier 'z' in 'z'\n    %s\n    %s^\n  hint: modifiers are " % (event, " " * (len(event) - 1)))


@case
def a_number_as_modifier_is_a_period():
    attr = our_record_attrs("-e", "cycles:u:50000")[0]
    equal((attr["sample_period"], attr.get("freq"), attr["exclude_kernel"]), (50000, None, 1))
    equal(our_record_attrs("-e", "cycles:50000")[0]["sample_period"], 50000)


@case
def a_mistyped_event_brings_the_right_one():
    result = run(DUMP, "cycels:u")
    equal(result.code, 1)
    contains(result.err, "unknown event 'cycels'")
    contains(result.err, "did you mean 'cycles'?")


main()
