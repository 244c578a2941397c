"""Events of PMUs, on machines that are folders: perf is shown the same folders (SYSFS_PATH, PERF_CPUID)."""
import concurrent.futures
import os
import re
import shutil
import sys

import machines
from attrs import DUMP, our_attrs, printed_attrs
from tap import (Failure, SOURCE_ROOT, case, check, compile_c, contains, equal, main, need_perf_events, need_root, newest_perf, perf_version,
                 run, skip, strobe)

MACHINES = {
    "intel": (machines.intel, "GenuineIntel-6-55-4"),
    "hybrid": (machines.intel_hybrid, "GenuineIntel-6-97-2"),
    "amd": (machines.amd, "AuthenticAMD-25-1-1"),
    "arm": (machines.arm_big_little, ""),
}

# What both understand alike. perf takes some generic names from sysfs (instructions: event=0xc0).
SAME = {
    "intel": """
        cycles branches:u r1a8 cpu/r1a8/ cpu/r1a8,umask=1/ cpu/cpu-cycles/ cpu/instructions/ cpu/event=0x3c,umask=0x1/
        cpu/event=0xc0,inv,cmask=10,edge/ cpu/mem-loads,ldlat=30/p cpu/mem-loads/pp cpu/offcore_rsp=0x3f80000001,event=0xb7,umask=1/
        cpu/config=0x1b7,config1=7/ slots {slots,topdown-retiring}
        cpu/cycles,period=5/ cpu/L1-dcache-loads/ cpu/l1d-loads-misses/u cpu/event=1,event=2/ cpu/in_tx,event=0xc0/
        uncore_imc/event=1/ imc/event=1/ uncore_imc_*/event=1/ uncore_imc_1/event=1/ uncore_imc/cas_count_read/
        uncore_imc_0/cas_count_read,event=9/ cas_count_read CAS_COUNT_READ clockticks uncore_imc/clockticks/k
        uncore_imc_free_running/data_read/ data_read uncore_upi/event=0x102,umask_ext=0xfff/ upi/umask_ext=0xffffffff/
        energy-pkg power/energy-pkg/ msr/tsc/ tsc msr/event=0xffffffffffffffff/ {cycles,branches}:u
        kprobe/retprobe/ uprobe/ref_ctr_offset=0x4010/""",
    "hybrid": """
        cycles:u branches cpu_core/cycles/ cpu_atom/branches/k LLC-loads:u cpu_core/event=0x3c,umask=1/ cpu_atom/r1a8/
        mem-loads slots cpu_core/slots/ cycles/period=5/ {cycles,branches}:u cpu_*/event=0x3c/""",
    "amd": """
        cycles cpu/event=0x1c0/ cpu/event=0xfff,umask=0x7/ amd_l3/event=1,coreid=3/ ibs_op// ibs_op/cnt_ctl=1/pp
        ibs_op/l3missonly=1,cnt_ctl=1/ cpu/cpu-cycles/u cpu/instructions/""",
    "arm": """
        cycles branch-misses:u inst_retired armv8_cortex_a53/l1d_cache/ armv8_cortex_a72/event=0x11/ armv8_cortex*/event=8/
        armv8_cortex_a53/cpu_cycles,long=1/ armv8_cortex_a53/event=0x11,threshold=3/ l1d_cache:k""",
}

REFUSED = {
    "intel": """
        cpu/x=1/ cpu/event=1,umask=0x100/ cpu/event/ cpu/EVENT=1/ uncore_imc_5/event=1/ uncore_im/event=1/ nope/event=1/
        cpu/mem-load/ energy-pk uncore_imc/nope/ cpu/event=x/ uncore_upi/umask_ext=0x100000000/ cpu/cycles""",
    "hybrid": "cpu_cor/cycles/ cpu_core/nope/ cpu_atom/slots/",
    "amd": "cpu/event=0x1000/ amd_l3/coreid=8/",
    "arm": "armv8_cortex_a53/event=0x10000/",
}

KEYS = ("type", "config", "config1", "config2", "config3", "exclude_user", "exclude_kernel", "exclude_hv", "precise_ip")


def of_the_kind(attr):
    """What the event is, without what perf adds to find out what a kernel bears."""
    kept = {key: attr[key] for key in KEYS if attr.get(key)}
    if kept.get("type", 0) in (0, 3) and "config" in kept:
        kept["config"] &= 0xffffffff  # the PMU's number stands above, where this machine's kernel knows of that
        if not kept["config"]:
            del kept["config"]
    return kept


def distinct(attrs):
    kept = []
    for attr in map(of_the_kind, attrs):
        if attr not in kept:
            kept.append(attr)
    return kept


def older_perf():
    path = shutil.which("perf")
    return path if path and 0 < perf_version(path) < 7 else skip("there is no older perf beside the newest")


def perf_attrs(root, cpuid, text, path=None):
    env = {"SYSFS_PATH": os.path.join(root, "sys")}
    if cpuid:
        env["PERF_CPUID"] = cpuid
    result = run(path or newest_perf(), "stat", "-vv", "-e", text, "--", "true", env=env)
    attrs = printed_attrs(result.err)
    # Before hybrid events perf tries whether the kernel knows which PMU a generic one is of.
    tries = [a for a in attrs if a.get("type", 0) == 0 and a.get("config", 0) >> 32]
    return distinct(a for a in attrs if a not in tries) if attrs else None


def compare(root, cpuid, text):
    ours, theirs = our_attrs("--root", root, "--count", text), perf_attrs(root, cpuid, text)
    equal((text, ours and distinct(ours)), (text, theirs))


def compare_all(name, texts):
    make, cpuid = MACHINES[name]
    root = make(os.path.abspath(name))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda text: compare(root, cpuid, text), texts):
            pass


@case
def events_of_pmus_become_what_perf_makes_of_them():
    for name, texts in SAME.items():
        make, cpuid = MACHINES[name]
        root = make(os.path.abspath(name))
        # All at once, which takes perf no longer than one, but it sorts them; where they differ, each alone.
        ours, theirs = distinct(our_attrs("--root", root, *texts.split())), perf_attrs(root, cpuid, ",".join(texts.split()))
        if sorted(map(str, ours)) != sorted(map(str, theirs or [])):
            compare_all(name, texts.split())
            raise Failure("together they are something else")


# Older perfs stop at the first event of a group that does not open, know no generic event behind "cpu/", and no patterns.
NEWER = ("{", "cpu/cycles", "cpu/L1-", "cpu/l1d", "uncore_imc_*")


@case
def events_are_those_of_older_perfs_where_these_have_them():
    path = older_perf()
    for name in ("intel", "amd"):
        make, cpuid = MACHINES[name]
        root = make(os.path.abspath(name))
        for text in SAME[name].split():
            if not text.startswith(NEWER):
                ours, theirs = (sorted(map(str, attrs)) for attrs in (
                    distinct(our_attrs("--root", root, text)), perf_attrs(root, cpuid, text, path)))
                equal((text, ours), (text, theirs))


# Tables, the machine that they are for, and what perf calls it.
TABLES = (
    ("skylake-server", lambda root: machines.intel(root, 85, 4), "GenuineIntel-6-55-4"),
    ("skylake", lambda root: machines.intel(root, 94, 3), "GenuineIntel-6-5E-3"),
    ("icelake-server", lambda root: machines.intel(root, 106, 6), "GenuineIntel-6-6A-6"),
    ("icelake", lambda root: machines.intel(root, 126, 5), "GenuineIntel-6-7E-5"),
    ("sapphire-rapids", lambda root: machines.intel(root, 143, 8), "GenuineIntel-6-8F-8"),
    ("zen2", lambda root: machines.amd(root, 23, 49), "AuthenticAMD-23-31-0"),
    ("zen3", lambda root: machines.amd(root, 25, 1), "AuthenticAMD-25-1-1"),
    ("zen4", lambda root: machines.amd(root, 25, 17), "AuthenticAMD-25-11-1"),
    ("zen5", lambda root: machines.amd(root, 26, 2), "AuthenticAMD-26-2-1"),
)

# An event of every Intel CPU that perf's table of this one leaves out.
NOT_IN_PERF = {("icelake", "longest_lat_cache.reference")}


def events_of(table):
    sys.path.insert(0, os.path.join(SOURCE_ROOT, "src/event/tables"))
    import generate
    return list(generate.Table(os.path.join(SOURCE_ROOT, "src/event/tables", table + ".events")).events)


@case
def events_of_the_tables_have_the_codes_that_perf_knows():
    for table, make, cpuid in TABLES:
        root = make(os.path.abspath(table))
        names = [name for name in events_of(table) if (table, name) not in NOT_IN_PERF]
        ours = our_attrs("--root", root, *names)
        equal((table, len(ours)), (table, len(names)))
        equal((table, distinct(ours)), (table, perf_attrs(root, cpuid, ",".join(names))))


@case
def kinds_of_cpus_of_one_machine_have_tables_of_their_own():
    make, cpuid = MACHINES["hybrid"]
    root = make(os.path.abspath("hybrid"))
    for table, pmu in (("alderlake-core", "cpu_core"), ("alderlake-atom", "cpu_atom")):
        texts = ["%s/%s/" % (pmu, name) for name in events_of(table)]
        ours = our_attrs("--root", root, *texts)
        equal((table, distinct(ours)), (table, perf_attrs(root, cpuid, ",".join(texts))))
    equal(len(our_attrs("--root", root, "inst_retired.any:u")), 2)
    equal(len(our_attrs("--root", root, "topdown_be_bound.all")), 1)


@case
def a_machine_is_known_by_its_cpu():
    root = machines.arm_server(os.path.abspath("n1"))
    equal(of_the_kind(our_attrs("--root", root, "br_mis_pred_retired")[0]), {"type": 8, "config": 0x22})
    result = run(DUMP, "--root", root, "ls_not_halted_cyc")
    contains(result.err, "this machine's CPUs have no event 'ls_not_halted_cyc'")
    contains(result.err, "it is one of AMD Zen 2")


PROBED = """
__attribute__((noinline)) int here(int n) { __asm__ volatile("" ::: "memory"); return n + 1; }
int main(void) { int n = 0; for (int i = 0; i < 123; i++) n = here(n); return n != 123; }
"""


def samples_of(event, *command):
    result = strobe("record", "-q", "-o", "probe.data", "-e", event, "--", *command)
    if result.code and "permi" in result.err:
        skip(result.err)
    result.ok()
    return strobe("script", "-i", "probe.data", "-F", "ip,sym").ok().lines()


@case
def a_function_is_probed_by_the_terms_of_uprobe():
    need_perf_events()
    need_root()
    if not os.path.exists("/sys/bus/event_source/devices/uprobe"):
        skip("this kernel has no PMU 'uprobe'")
    path = compile_c(PROBED, flags=("-O1", "-no-pie", "-Wl,-Ttext-segment=0x400000"))
    address = int(re.search(r"^([0-9a-f]+) T here$", run("nm", path).ok().out, re.M).group(1), 16)
    for more in ("", ",retprobe"):
        lines = samples_of("uprobe/path='%s',offset=%#x%s/" % (path, address - 0x400000, more), path)
        equal((more, len(lines)), (more, 123))
    check(all("here" in line for line in samples_of("uprobe/path='%s',offset=%#x,name=x/" % (path, address - 0x400000), path)))
    for text, said in (("uprobe/path='/nonexistent',offset=1/", "no such file or function"),
                       ("uprobe/path='%s',offset=0xffffff/" % path, "cannot be probed there\n  hint: offset= is where"),
                       ("uprobe/path=/bin/x,offset=1/", "a value with a '/' in it stands between single quotes")):
        result = strobe("record", "-o", "x.data", "-e", text, "--", "true")
        check(result.code in (1, 2))
        contains(result.err, said)


@case
def a_function_of_the_kernel_is_probed_by_the_terms_of_kprobe():
    need_perf_events()
    need_root()
    if not os.path.exists("/sys/bus/event_source/devices/kprobe"):
        skip("this kernel has no PMU 'kprobe'")
    check(samples_of("kprobe/func=process_vm_rw/", "true") == [])
    check(len(samples_of("kprobe/func=do_exit/", "true")) >= 1)


@case
def a_pmu_that_cannot_sample_says_so():
    need_perf_events()
    if not os.path.exists("/sys/bus/event_source/devices/msr"):
        skip("this machine has no PMU 'msr'")
    result = strobe("record", "-o", "x.data", "-e", "msr/tsc/", "--", "true")
    equal(result.code, 1)
    contains(result.err, "may count only, and for whole CPUs only")


@case
def what_perf_refuses_on_a_machine_is_refused():
    for name, texts in REFUSED.items():
        compare_all(name, texts.split())


main()
