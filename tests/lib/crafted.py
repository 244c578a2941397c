"""crafted.py - writes perf.data files by hand: what no recorder here writes, or would write no more.

    file = Crafted(order=">", version=2)
    event = file.event(sample_type=IP | TID | TIME, ids=[7])
    file.comm(10, "ant")
    file.mmap2(10, 0x1000, 0x2000, "/bin/ant")
    file.sample(event, ip=0x1234, pid=10, tid=10, time=5)
    file.feature(HOSTNAME, file.text("box"))
    file.write("x.data")          # or file.write("x.data", pipe=True)

Layouts are those of perf_event_open(2) and docs/perf-data-format.md. Nothing is checked: what is
written may be as wrong as a test wants it, by record() (any type, any bytes), sizes that are given,
and by changing file.records, a list of bytes.
"""
import struct
import subprocess

# sample_type, in the order of the bits
(IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID, RAW, BRANCH_STACK, REGS_USER, STACK_USER,
 WEIGHT, DATA_SRC, IDENTIFIER, TRANSACTION, REGS_INTR, PHYS_ADDR, AUX, CGROUP, DATA_PAGE_SIZE, CODE_PAGE_SIZE,
 WEIGHT_STRUCT) = (1 << bit for bit in range(25))

# read_format
TOTAL_TIME_ENABLED, TOTAL_TIME_RUNNING, READ_ID, READ_GROUP, READ_LOST = (1 << bit for bit in range(5))

BRANCH_ANY, BRANCH_HW_INDEX, BRANCH_COUNTERS = 1 << 3, 1 << 17, 1 << 19

# Flags of an attr, in their order; precise_ip alone has two bits.
FLAGS = ("disabled inherit pinned exclusive exclude_user exclude_kernel exclude_hv exclude_idle mmap comm freq "
         "inherit_stat enable_on_exec task watermark precise_ip precise_ip_2 mmap_data sample_id_all exclude_host "
         "exclude_guest exclude_callchain_kernel exclude_callchain_user mmap2 comm_exec use_clockid context_switch "
         "write_backward namespaces ksymbol bpf_event aux_output cgroup text_poke build_id inherit_thread "
         "remove_on_exec sigtrap defer_callchain defer_output").split()

# The other fields of an attr behind its flags: name, format.
ATTR_TAIL = (("wakeup_events", "I"), ("bp_type", "I"), ("config1", "Q"), ("config2", "Q"), ("branch_sample_type", "Q"),
             ("sample_regs_user", "Q"), ("sample_stack_user", "I"), ("clockid", "i"), ("sample_regs_intr", "Q"),
             ("aux_watermark", "I"), ("sample_max_stack", "H"), ("reserved_2", "H"), ("aux_sample_size", "I"),
             ("aux_action", "I"), ("sig_data", "Q"), ("config3", "Q"), ("config4", "Q"))

# Flags of an entry of a branch stack: name, bits.
BRANCH_FLAGS = (("mispred", 1), ("predicted", 1), ("in_tx", 1), ("abort", 1), ("cycles", 16), ("type", 4), ("spec", 2),
                ("new_type", 4), ("priv", 3), ("not_taken", 1))

# Record types
(MMAP, LOST, COMM, EXIT, THROTTLE, UNTHROTTLE, FORK, READ_RECORD, SAMPLE, MMAP2, AUX_RECORD, ITRACE_START, LOST_SAMPLES,
 SWITCH, SWITCH_CPU_WIDE, NAMESPACES, KSYMBOL, BPF_EVENT, CGROUP_RECORD, TEXT_POKE) = range(1, 21)
(HEADER_ATTR, HEADER_EVENT_TYPE, HEADER_TRACING_DATA, HEADER_BUILD_ID, FINISHED_ROUND, ID_INDEX, AUXTRACE_INFO, AUXTRACE,
 AUXTRACE_ERROR, THREAD_MAP, CPU_MAP, STAT_CONFIG, STAT, STAT_ROUND, EVENT_UPDATE, TIME_CONV, HEADER_FEATURE, COMPRESSED,
 FINISHED_INIT, COMPRESSED2, BPF_METADATA) = range(64, 85)
KERNEL_MODE, USER_MODE = 1, 2

# Features
(TRACING_DATA, BUILD_ID, HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, CMDLINE,
 EVENT_DESC) = range(1, 13)
DIR_FORMAT, FEATURE_COMPRESSED, CLOCK_DATA = 24, 27, 29
STROBE_STACKS, STROBE_NAMES = 200, 201
UPDATE_NAMES = 203  # the kind of an EVENT_UPDATE

ATTR_SIZES = (64, 72, 80, 96, 104, 112, 120, 128, 136, 144)


class Event:
    """One attr and its ids. Fields that are not given are 0; size is what is written of it."""

    def __init__(self, file, size=128, ids=(), sample_id_all=True, flags=(), **fields):
        self.file, self.size, self.ids = file, size, list(ids)
        self.sample_id_all = sample_id_all
        self.flags = set(flags) | ({"sample_id_all"} if sample_id_all else set())
        self.fields = {"type": 1, "config": 0, "sample_period": 1, "sample_type": IP | TID | TIME, "read_format": 0}
        self.fields.update(fields)

    def __getattr__(self, name):
        return self.fields.get(name, 0)

    def packed_flags(self):
        """The 64 bits of flags. Bit fields begin at the other end of each byte in the other order."""
        bits = [name in self.flags for name in FLAGS] + [False] * (64 - len(FLAGS))
        if "precise_ip" in self.flags and self.file.order == ">":
            bits[15], bits[16] = bits[16], bits[15]
        ends = range(8) if self.file.order == "<" else range(7, -1, -1)
        return bytes(sum(bits[8 * byte + i] << end for i, end in enumerate(ends)) for byte in range(8))

    def pack(self):
        file = self.file
        body = file.pack("IIQQQQ", self.type, self.size, self.config, self.sample_period, self.sample_type,
                         self.read_format)
        body += self.packed_flags()
        for name, code in ATTR_TAIL:
            body += file.pack(code, self.fields.get(name, 0))
        return body.ljust(self.size, b"\0")[:self.size]


class Crafted:
    """A file under construction; order "<" or ">", word 8 or 4 (the recorder's), version 1 or 2."""

    def __init__(self, order="<", version=2, word=8):
        self.order, self.version, self.word = order, version, word
        self.events, self.records, self.features = [], [], {}

    # Bytes

    def pack(self, codes, *values):
        """Numbers one behind the other, without gaps: B, H, I, Q, and i and q with a sign."""
        return struct.pack(self.order + codes, *values)

    def words(self, *values):
        return self.pack("%dQ" % len(values), *values)

    def text(self, text):
        """A text of a feature: its size, and the bytes padded to 64."""
        body = padded(text.encode() + b"\0", 64)
        return self.pack("I", len(body)) + body

    # Events and features

    def event(self, **fields):
        """Adds an event: see Event."""
        self.events.append(Event(self, **fields))
        return self.events[-1]

    def feature(self, bit, body=b""):
        self.features[bit] = body

    def kept_names(self, path, symbols, segments=((0, 1 << 40, 0),), inode=0, build_id=b"", jit=False):
        """Adds an entry to STROBE_NAMES: see data/keptnames.h. symbols: (start, size, name[, whether the size is a guess])."""
        body = self.pack("IQI", int(jit), inode, len(build_id)) + build_id.ljust(20, b"\0")
        body += self.pack("I", len(segments)) + b"".join(self.pack("QQQ", *segment) for segment in segments)
        body += self.pack("I", len(symbols)) + path.encode() + b"\0"
        for start, size, name, *guess in symbols:
            body += self.pack("QQI", start, size, int(any(guess))) + name.encode() + b"\0"
        body += bytes(-(len(body) + 4) % 8)
        self.features[STROBE_NAMES] = self.features.get(STROBE_NAMES, b"") + self.pack("I", len(body)) + body

    # Records

    def record(self, kind, body=b"", misc=0, size=None):
        """Any record of any bytes; size is what its header says, if not the truth."""
        size = 8 + len(body) if size is None else size
        self.records.append(self.pack("IHH", kind, misc, size) + body)

    def trailer(self, pid=0, tid=None, time=0, id=None, stream_id=0, cpu=0):
        """What ends every record of the kernel but samples, where the first event has sample_id_all."""
        event = self.events[0] if self.events else None
        if not event or not event.sample_id_all:
            return b""
        id = (event.ids or [0])[0] if id is None else id
        parts = ((TID, "II", (pid, pid if tid is None else tid)), (TIME, "Q", (time,)), (ID, "Q", (id,)),
                 (STREAM_ID, "Q", (stream_id,)), (CPU, "II", (cpu, 0)), (IDENTIFIER, "Q", (id,)))
        return b"".join(self.pack(codes, *values) for bit, codes, values in parts if event.sample_type & bit)

    def kernel_record(self, kind, body, misc=0, **trailer):
        self.record(kind, padded(body) + self.trailer(**trailer), misc)

    def comm(self, pid, name, tid=None, misc=0, **trailer):
        tid = pid if tid is None else tid
        self.kernel_record(COMM, self.pack("II", pid, tid) + name_bytes(name), misc, pid=pid, tid=tid, **trailer)

    def fork(self, pid, ppid, tid=None, ptid=None, time=0, kind=FORK):
        tid, ptid = pid if tid is None else tid, ppid if ptid is None else ptid
        self.kernel_record(kind, self.pack("IIIIQ", pid, ppid, tid, ptid, time), pid=pid, tid=tid, time=time)

    def exit(self, pid, ppid, **more):
        self.fork(pid, ppid, kind=EXIT, **more)

    def mmap(self, pid, start, size, name, pgoff=0, misc=USER_MODE, **trailer):
        body = self.pack("IIQQQ", pid, pid, start, size, pgoff) + name_bytes(name)
        self.kernel_record(MMAP, body, misc, pid=pid & 0xffffffff, **trailer)

    def mmap2(self, pid, start, size, name, pgoff=0, build_id=None, inode=1, prot=5, flags=2, misc=USER_MODE, **trailer):
        body = self.pack("IIQQQ", pid, pid, start, size, pgoff)
        if build_id is None:
            body += self.pack("IIQQ", 8, 1, inode, 0)
        else:
            body += bytes([len(build_id), 0, 0, 0]) + build_id.ljust(20, b"\0")
            misc |= 1 << 14
        body += self.pack("II", prot, flags) + name_bytes(name)
        self.kernel_record(MMAP2, body, misc, pid=pid, **trailer)

    def lost(self, count, id=0, **trailer):
        self.kernel_record(LOST, self.words(id, count), **trailer)

    def lost_samples(self, count, **trailer):
        self.kernel_record(LOST_SAMPLES, self.words(count), **trailer)

    def throttle(self, time, id=0, kind=THROTTLE, **trailer):
        self.kernel_record(kind, self.words(time, id, id), time=time, **trailer)

    def switch(self, out=False, **trailer):
        self.kernel_record(SWITCH, b"", misc=1 << 13 if out else 0, **trailer)

    def namespaces(self, pid, links, **trailer):
        body = self.pack("IIQ", pid, pid, len(links)) + b"".join(self.words(dev, ino) for dev, ino in links)
        self.kernel_record(NAMESPACES, body, pid=pid, **trailer)

    def ksymbol(self, addr, size, name, kind=1, flags=0, **trailer):
        self.kernel_record(KSYMBOL, self.pack("QIHH", addr, size, kind, flags) + name_bytes(name), **trailer)

    def bpf_event(self, id, tag, kind=1, **trailer):
        self.kernel_record(BPF_EVENT, self.pack("HHI", kind, 0, id) + tag.ljust(8, b"\0"), **trailer)

    def cgroup(self, id, path, **trailer):
        self.kernel_record(CGROUP_RECORD, self.words(id) + name_bytes(path), **trailer)

    def round(self):
        self.record(FINISHED_ROUND)

    def sample(self, event, misc=USER_MODE, more=b"", **values):
        """A sample of an event: a value for each field of its sample_type, in lower case (0 if not given), and

            read       [(value, id, lost), ...], and enabled=, running= as the read_format wants
            callchain  [address, ...]                   raw, stack, aux   bytes
            branches   [(from, to, {flag: value}), ...], with hw_index=, counters=[...]
            regs_user, regs_intr   [value, ...], with abi=
            weight     a number; of WEIGHT_STRUCT three
        """
        body = b"".join(part(self, event, values) for bit, part in SAMPLE_PARTS if event.sample_type & bit)
        self.record(SAMPLE, body + more, misc)

    def compressed(self, first=0, padded_record=False):
        """Puts the records from the first on into one COMPRESSED (or COMPRESSED2) record, by the program zstd."""
        plain = b"".join(self.records[first:])
        packed = subprocess.run(["zstd", "-q", "-c"], input=plain, stdout=subprocess.PIPE, check=True).stdout
        del self.records[first:]
        if padded_record:
            self.record(COMPRESSED2, self.words(len(packed)) + padded(packed))
        else:
            self.record(COMPRESSED, packed)
        self.feature(FEATURE_COMPRESSED, self.pack("IIIII", 1, 1, 1, 1, 1 << 19))

    # The file

    def magic(self):
        """PERFILE2 is a number; PERFFILE is text, whatever the order."""
        if self.version == 1:
            return b"PERFFILE"
        return self.pack("Q", int.from_bytes(b"PERFILE2", "little"))

    def feature_bits(self):
        """256 bits, in words of the recorder."""
        bits = sum(1 << bit for bit in self.features)
        step = 8 * self.word
        code = {8: "Q", 4: "I"}[self.word]
        return b"".join(self.pack(code, bits >> at & (1 << step) - 1) for at in range(0, 256, step))

    def file_bytes(self, header_size=104, data_size=None):
        attrs, ids = b"", b""
        for event in self.events:
            attrs += event.pack() + self.words(header_size + len(ids), 8 * len(event.ids))
            ids += self.words(*event.ids)
        data = b"".join(self.records)
        attrs_at = header_size + len(ids)
        data_at = attrs_at + len(attrs)
        entry_size = (self.events[0].size if self.events else 128) + 16
        header = self.magic() + self.words(header_size, entry_size, attrs_at, len(attrs), data_at,
                                           len(data) if data_size is None else data_size, 0, 0)
        header += self.feature_bits()
        at = data_at + len(data) + 16 * len(self.features)
        table, bodies = b"", b""
        for _, body in sorted(self.features.items()):
            table += self.words(at + len(bodies), len(body))
            bodies += body
        return header[:header_size] + ids + attrs + data + table + bodies

    def pipe_bytes(self):
        out = Crafted(self.order)
        for event in self.events:
            out.record(HEADER_ATTR, event.pack() + self.words(*event.ids))
        for bit, body in sorted(self.features.items()):
            if bit == STROBE_NAMES:
                out.record(EVENT_UPDATE, self.words(UPDATE_NAMES, self.events[0].ids[0]) + body)
                continue
            out.record(HEADER_FEATURE, self.words(bit) + padded(body))
        return self.magic() + self.words(16) + b"".join(out.records + self.records)

    def write(self, path, pipe=False, **header):
        with open(path, "wb") as file:
            file.write(self.pipe_bytes() if pipe else self.file_bytes(**header))
        return path


def padded(body, multiple=8):
    return body + b"\0" * (-len(body) % multiple)


def name_bytes(name):
    return padded((name if isinstance(name, bytes) else name.encode()) + b"\0")


# The fields of a sample, each (file, event, values) -> bytes.

def _word(name, default=0):
    return lambda file, event, values: file.words(values.get(name, default))


def _id(file, event, values):
    return file.words(values.get("id", (event.ids or [0])[0]))


def _pair(first, second):
    return lambda file, event, values: file.pack("II", values.get(first, 0), values.get(second, 0))


def _read(file, event, values):
    form = event.read_format
    entries = values.get("read", [(0, 0, 0)])
    times = [values.get(name, 0) for bit, name in ((TOTAL_TIME_ENABLED, "enabled"), (TOTAL_TIME_RUNNING, "running"))
             if form & bit]
    out = []
    for value, *rest in entries:
        entry = dict(zip((READ_ID, READ_LOST), list(rest) + [0, 0]))
        out.append([value] + [entry[bit] for bit in (READ_ID, READ_LOST) if form & bit])
    if form & READ_GROUP:
        return file.words(len(out), *times, *(word for entry in out for word in entry))
    return file.words(out[0][0], *times, *out[0][1:])


def _callchain(file, event, values):
    chain = values.get("callchain", [])
    return file.words(len(chain), *chain)


def _raw(file, event, values):
    body = values.get("raw", b"")
    whole = padded(b"1234" + body)[4:]  # size (4) and bytes fill a multiple of 8
    return file.pack("I", len(whole)) + whole


def _branch_flags(file, flags):
    value, at = 0, 0
    for name, bits in BRANCH_FLAGS:
        shift = at if file.order == "<" else 64 - at - bits
        value |= flags.get(name, 0) << shift
        at += bits
    return value


def _branches(file, event, values):
    branches = values.get("branches", [])
    body = file.words(len(branches))
    if event.branch_sample_type & BRANCH_HW_INDEX:
        body += file.words(values.get("hw_index", 0))
    for origin, target, flags in branches:
        body += file.words(origin, target, _branch_flags(file, flags))
    if event.branch_sample_type & BRANCH_COUNTERS:
        body += file.words(*values["counters"])
    return body


def _registers(name):
    def pack(file, event, values):
        registers = values.get(name, [])
        return file.words(values.get("abi", 2 if registers else 0), *registers)
    return pack


def _stack(file, event, values):
    stack = values.get("stack", b"")
    if not stack:
        return file.words(0)
    return file.words(len(stack)) + stack + file.words(values.get("stack_used", len(stack)))


def _aux(file, event, values):
    body = padded(values.get("aux", b""))
    return file.words(len(body)) + body


def _weight_struct(file, event, values):
    first, second, third = values.get("weight", (0, 0, 0))
    return file.words(first | second << 32 | third << 48)


SAMPLE_PARTS = (
    (IDENTIFIER, _id), (IP, _word("ip")), (TID, _pair("pid", "tid")), (TIME, _word("time")), (ADDR, _word("addr")),
    (ID, _id), (STREAM_ID, _word("stream_id")), (CPU, _pair("cpu", "reserved")), (PERIOD, _word("period", 1)),
    (READ, _read), (CALLCHAIN, _callchain), (RAW, _raw), (BRANCH_STACK, _branches), (REGS_USER, _registers("regs_user")),
    (STACK_USER, _stack), (WEIGHT, _word("weight")), (WEIGHT_STRUCT, _weight_struct), (DATA_SRC, _word("data_src")),
    (TRANSACTION, _word("transaction")), (REGS_INTR, _registers("regs_intr")), (PHYS_ADDR, _word("phys_addr")),
    (CGROUP, _word("cgroup")), (DATA_PAGE_SIZE, _word("data_page_size")), (CODE_PAGE_SIZE, _word("code_page_size")),
    (AUX, _aux),
)
