"""jitdump.py - writes JIT dumps by hand: jit-PID.dump, as compilers at run time do.

    dump = JitDump(pid=7, order=">")
    dump.lines(0x1000, [(0x1000, 3, "a.js")])
    dump.load("hot", 0x1000, b"\\xc3" * 16, index=1, time=10)
    dump.move(0x1000, 0x2000, 16, index=1, time=20)
    dump.write("jit-7.dump")

The format is jitdump-specification.txt of the kernel's tools/perf/Documentation. Nothing is checked.
"""
import struct

X86_64 = 62


class JitDump:
    """A dump under construction, byte by byte."""

    def __init__(self, pid, order="<", machine=X86_64, flags=0, version=1):
        self.pid, self.order = pid, order
        self.bytes = self.pack("6I2Q", 0x4A695444, version, 40, machine, 0, pid, 1, flags)

    def pack(self, codes, *values):
        return struct.pack(self.order + codes, *values)

    def record(self, kind, body, time=0):
        self.bytes += self.pack("IIQ", kind, 16 + len(body), time) + body

    def load(self, name, addr, code, index, time):
        name = name.encode() if isinstance(name, str) else name
        self.record(0, self.pack("2I4Q", self.pid, self.pid, addr, addr, len(code), index) + name + b"\0" + code, time)

    def move(self, old, new, size, index, time):
        self.record(1, self.pack("2I5Q", self.pid, self.pid, new, old, new, size, index), time)

    def lines(self, addr, lines):
        """lines: (address, line, file)"""
        body = b"".join(self.pack("Q2I", at, line, 0) + file.encode() + b"\0" for at, line, file in lines)
        self.record(2, self.pack("2Q", addr, len(lines)) + body)

    def unwinding(self, eh_frame, header=b""):
        self.record(4, self.pack("3Q", len(eh_frame) + len(header), len(header), 0) + eh_frame + header)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.bytes)
