"""Folders that stand for machines: what sysfs shows of their PMUs. Of our own making, after no machine."""
import os

DEVICES = "sys/bus/event_source/devices"

INTEL_FORMAT = {"event": "config:0-7", "umask": "config:8-15", "edge": "config:18", "pc": "config:19", "any": "config:21",
                "inv": "config:23", "cmask": "config:24-31", "in_tx": "config:32", "in_tx_cp": "config:33",
                "ldlat": "config1:0-15", "offcore_rsp": "config1:0-63", "frontend": "config1:0-23"}
INTEL_EVENTS = {"cpu-cycles": "event=0x3c", "instructions": "event=0xc0", "slots": "event=0x00,umask=0x4",
                "topdown-retiring": "event=0x00,umask=0x80", "topdown-bad-spec": "event=0x00,umask=0x81",
                "topdown-fe-bound": "event=0x00,umask=0x82", "topdown-be-bound": "event=0x00,umask=0x83",
                "mem-loads": "event=0xcd,umask=0x1,ldlat=3"}
AMD_FORMAT = {"event": "config:0-7,32-35", "umask": "config:8-15", "edge": "config:18", "inv": "config:23", "cmask": "config:24-31"}
ARM_FORMAT = {"event": "config:0-15", "long": "config1:0", "threshold": "config1:5-16", "rdpmc": "config1:1"}
ARM_EVENTS = {"cpu_cycles": "event=0x0011", "inst_retired": "event=0x0008", "l1d_cache": "event=0x0004"}
IMC = {"format/event": "config:0-7", "format/umask": "config:8-15", "events/clockticks": "event=0xff",
       "events/cas_count_read": "event=0x04,umask=0x03", "events/cas_count_read.scale": "6.103515625e-5",
       "events/cas_count_read.unit": "MiB", "cpumask": "0,4"}


def _put(root, path, text):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text + "\n")


def add_pmu(root, name, number, files=(), formats=(), events=()):
    files = dict(files, type=str(number))
    files.update(("format/" + key, value) for key, value in dict(formats).items())
    files.update(("events/" + key, value) for key, value in dict(events).items())
    for path, text in files.items():
        _put(root, os.path.join(DEVICES, name, path), text)


def cpuinfo(root, vendor, family, model, stepping):
    _put(root, "proc/cpuinfo", "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: Test\nstepping\t: %d"
         % (vendor, family, model, stepping))


def _always(root):
    add_pmu(root, "software", 1)
    add_pmu(root, "tracepoint", 2)
    add_pmu(root, "breakpoint", 5)
    _put(root, "sys/devices/system/cpu/online", "0-7")
    _put(root, "sys/devices/system/cpu/present", "0-7")
    return root


def intel(root, model=85, stepping=4):
    """A server, Skylake unless told otherwise, with two memory controllers."""
    add_pmu(root, "cpu", 4, {"caps/max_precise": "3"}, INTEL_FORMAT, INTEL_EVENTS)
    for i in range(2):
        add_pmu(root, "uncore_imc_%d" % i, 20 + i, IMC)
    add_pmu(root, "uncore_imc_free_running", 22, {"cpumask": "0"}, {"event": "config:0-7", "umask": "config:8-15"},
            {"data_read": "event=0xff,umask=0x20", "data_read.scale": "0.5", "data_read.unit": "MiB"})
    add_pmu(root, "uncore_upi_0", 23, {"cpumask": "0"}, {"event": "config:0-7,21", "umask_ext": "config:8-15,32-55"})
    add_pmu(root, "power", 24, {"cpumask": "0"}, {"event": "config:0-7"},
            {"energy-pkg": "event=0x02", "energy-pkg.scale": "2.3283064365386962890625e-10", "energy-pkg.unit": "Joules"})
    add_pmu(root, "msr", 25, (), {"event": "config:0-63"}, {"tsc": "event=0x00", "smi": "event=0x04"})
    add_pmu(root, "kprobe", 6, (), {"retprobe": "config:0"})
    add_pmu(root, "uprobe", 7, (), {"retprobe": "config:0", "ref_ctr_offset": "config:32-63"})
    cpuinfo(root, "GenuineIntel", 6, model, stepping)
    return _always(root)


def intel_hybrid(root):
    add_pmu(root, "cpu_core", 4, {"cpus": "0-3", "caps/max_precise": "3"}, INTEL_FORMAT, INTEL_EVENTS)
    add_pmu(root, "cpu_atom", 10, {"cpus": "4-7", "caps/max_precise": "3"}, INTEL_FORMAT,
            {"cpu-cycles": "event=0x3c", "instructions": "event=0xc0", "mem-loads": "event=0xd0,umask=0x5,ldlat=3"})
    cpuinfo(root, "GenuineIntel", 6, 151, 2)
    return _always(root)


def amd(root, family=25, model=1):
    add_pmu(root, "cpu", 4, (), AMD_FORMAT, {"cpu-cycles": "event=0x76", "instructions": "event=0xc0"})
    add_pmu(root, "amd_l3", 11, {"cpumask": "0,4"}, {"event": "config:0-7", "umask": "config:8-15", "coreid": "config:42-44"})
    add_pmu(root, "ibs_op", 12, (), {"cnt_ctl": "config:19", "l3missonly": "config:16"})
    cpuinfo(root, "AuthenticAMD", family, model, 1)
    return _always(root)


def arm_big_little(root):
    add_pmu(root, "armv8_cortex_a53", 8, {"cpus": "0-3"}, ARM_FORMAT, ARM_EVENTS)
    add_pmu(root, "armv8_cortex_a72", 9, {"cpus": "4-7"}, ARM_FORMAT, ARM_EVENTS)
    return _always(root)


def arm_server(root, midr="0x00000000410fd0c1"):
    """Neoverse N1 unless told otherwise."""
    add_pmu(root, "armv8_pmuv3_0", 8, {"cpus": "0-7", "caps/slots": "0x00000004"}, ARM_FORMAT, ARM_EVENTS)
    _put(root, "sys/devices/system/cpu/cpu0/regs/identification/midr_el1", midr)
    return _always(root)
