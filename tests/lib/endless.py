"""endless.py - a stream of crafted records that need never end: short processes, one after another.

    stream = Endless()
    stream.begin()                 # the bytes up to the first process
    stream.processes(1000)         # the bytes of the next thousand

Each process is forked by process 1, maps the same few files at addresses of its own, is sampled there, with a call
chain, and exits. What differs from one to the next are numbers, times and addresses, with fresh_files the names of
the files, with strays addresses outside of all mappings, which stand in every chain and are never the same, and with
nameless such in one of the files.

    stream.stacks(1000)            # the bytes of as many samples of one process, hardly two of which have the same chain

Each begins in one of LEAVES places and ends in the same two; between are any of few, in any order.
"""
import random
import struct

from crafted import CALLCHAIN, ID, IP, PERIOD, SAMPLE, TID, TIME, USER_MODE, Crafted

FILES = ["/bin/ant", "/lib/leg.so", "/lib/wing.so", "/lib/ld.so"]
FILE_SIZE = 0x100000
CONTEXT_USER = (1 << 64) - 512
COMM_EXEC = 0x2000
PIDS = 32768
STACKS_AT, LEAVES = 0x10000000, 4


class Endless:
    def __init__(self, samples=4, names=1, fresh_files=False, strays=0, nameless=0):
        self.file = Crafted()
        self.event = self.file.event(sample_type=IP | TID | TIME | CALLCHAIN | PERIOD, ids=[1], flags=["exclude_kernel"])
        self.samples, self.names, self.fresh_files, self.strays = samples, names, fresh_files, strays
        self.nameless = nameless
        self.count, self.time = 0, 1000000

    def begin(self):
        self.file.comm(1, "queen")
        self.file.round()
        return self._take(self.file.pipe_bytes())

    def processes(self, count):
        for _ in range(count):
            self._process()
        self.file.round()
        return self._take(b"".join(self.file.records))

    def stacks(self, count):
        """Of process 1, which has mapped the first file at STACKS_AT."""
        places = [STACKS_AT + 0x100 * i for i in range(64)]
        pack = struct.Struct("<IHHQIIQQQ" + "8Q").pack
        choose = random.Random(self.time).choices
        made = []
        if self.count == 0:
            self.file.mmap2(1, STACKS_AT, FILE_SIZE, FILES[0], time=self._tick())
            made += self.file.records
        for i in range(count):
            leaf = STACKS_AT + 0x8000 + 0x100 * (i % LEAVES)
            made.append(pack(SAMPLE, USER_MODE, 112, leaf, 1, 1, self._tick(), 1000, 8, CONTEXT_USER, leaf,
                             *choose(places, k=4), STACKS_AT + 0x9000, STACKS_AT + 0x9100))
        self.count += count
        self.file.records = []
        self.file.round()
        return self._take(b"".join(made + self.file.records))

    def _take(self, made):
        self.file.records = []
        return made

    def _tick(self):
        self.time += 100000
        return self.time

    def _process(self):
        file, number = self.file, self.count
        pid, moved = 2 + number % PIDS, (number % 977) << 28
        starts = [0x500000000000 + moved + i * 2 * FILE_SIZE for i in range(len(FILES))]
        own = ".%d" % number if self.fresh_files else ""
        self.count += 1
        file.fork(pid, 1, time=self._tick())
        file.comm(pid, "worker-%d" % (number % self.names), misc=COMM_EXEC, time=self._tick())
        for start, name in zip(starts, FILES):
            file.mmap2(pid, start, FILE_SIZE, name + own, time=self._tick())
        for i in range(self.samples):
            chain = [CONTEXT_USER] + [start + 0x100 * (i + 1) for start in starts]
            chain += [self.time * 8 + k for k in range(self.strays)]
            chain += [starts[1] + (self.time // 100000 * 104729 + k * 7) % FILE_SIZE for k in range(self.nameless)]
            file.sample(self.event, ip=chain[1], pid=pid, tid=pid, time=self._tick(), callchain=chain, period=1000)
        file.exit(pid, 1, time=self._tick())
