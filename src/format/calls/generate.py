#!/usr/bin/env python3
"""Makes C of what is known of system calls: generate.py FOLDER OUTPUT COMPILER...

FOLDER has calls.spec, structs.spec and names.spec, which say at their beginnings what a line is. Numbers of calls and values of names come from
the headers that COMPILER finds. What those do not have is left out; what is wrong in a file is said as FILE:LINE: SENTENCE.
"""
import functools
import os
import re
import subprocess
import sys

# Whose memory: the machines of struct members, in the order of enum callabi_layout. Bytes of a word, and what a number of 8 bytes is aligned to.
LAYOUTS = {"x86_64": (8, 8), "i386": (4, 4), "wide": (8, 8), "narrow": (4, 8)}
# Which of them a name with "@MACHINE" is for.
MACHINES = {"x86_64": ["x86_64"], "i386": ["i386"], "narrow": ["narrow"]}

# Calls that are younger than the headers may be; their numbers are the same on all machines.
YOUNG = {
    "cachestat": 451, "fchmodat2": 452, "map_shadow_stack": 453, "futex_wake": 454, "futex_wait": 455, "futex_requeue": 456,
    "statmount": 457, "listmount": 458, "lsm_get_self_attr": 459, "lsm_set_self_attr": 460, "lsm_list_modules": 461, "mseal": 462,
    "setxattrat": 463, "getxattrat": 464, "listxattrat": 465, "removexattrat": 466, "open_tree_attr": 467, "file_getattr": 468,
    "file_setattr": 469,
}

# Kinds of values (enum calltype_kind), and of numbers whether they have a sign and how many bytes they take: 0 is a word.
NUMBERS = {
    "int": ("SIGNED", 4), "uint": ("UNSIGNED", 4), "long": ("SIGNED", 0), "ulong": ("UNSIGNED", 0), "size": ("UNSIGNED", 0),
    "hex": ("HEX", 0), "oct": ("OCTAL", 4), "ptr": ("POINTER", 0), "id": ("SIGNED", 4), "fd": ("FD", 4), "dirfd": ("DIRFD", 4),
    "s16": ("SIGNED", 2), "u16": ("UNSIGNED", 2), "s32": ("SIGNED", 4), "u32": ("UNSIGNED", 4), "s64": ("SIGNED", 8),
    "u64": ("UNSIGNED", 8), "packed64": ("UNSIGNED", 8), "limit": ("LIMIT", 0), "low": ("LOW", 4), "high": ("HIGH", 4),
}
OTHERS = {
    "path": "PATH", "str": "STRING", "buf": "BUFFER", "strings": "STRINGS", "iov": "IOVEC_DATA", "fdpair": "FD_PAIR", "fdset": "FD_SET",
    "sigset": "SIGSET", "cpuset": "CPUSET", "sockaddr": "SOCKADDR", "option": "OPTION", "msghdr": "MSGHDR", "wait": "WAIT", "text": "TEXT",
}
CONDITIONS = {"creates": ("ANY", 0x400040), "mapped": ("NONE", 0x20), "moves": ("ANY", 0x6), "waits": ("ONE_OF", 1 | 1 << 6 | 1 << 9 | 1 << 11 | 1 << 13)}
EXPORTED = {"flock", "flock64", "linger", "owner_ex", "timeval", "timeval64", "ucred"}  # structs that calltables.h has
MOST_LEVELS = 4  # of structs in structs: callstruct.c
GROUPS = ["file", "desc", "network", "memory", "process", "signal", "ipc"]


def layout_name(name):
    return ("calltables_layout_" if name in EXPORTED else "layout_") + name


class Wrong(Exception):
    pass


def lines(path):
    """The lines of a file that say something, split into words."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if words:
                yield number, words


def each_line(path, take):
    for number, words in lines(path):
        try:
            take(words)
        except Wrong as why:
            sys.exit("%s:%d: %s" % (path, number, why))


class Headers:
    """What the system's headers say, asked of the compiler."""

    def __init__(self, compiler):
        self.compiler = compiler

    @functools.lru_cache(maxsize=None)
    def preprocess(self, text, *options):
        run = subprocess.run(self.compiler + ["-E", "-x", "c", "-D_GNU_SOURCE", *options, "-"], input=text, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, encoding="utf-8", errors="replace", check=False)
        return run.stdout if run.returncode == 0 else ""

    def include(self, headers):
        return "".join("#if __has_include(<%s>)\n#include <%s>\n#endif\n" % (header, header) for header in headers)

    def macros(self, includes, *options):
        """Names of macros without arguments, in the order of the preprocessor's list."""
        return re.findall(r"^#define (\w+) ", self.preprocess(includes, "-dM", *options), re.M)

    def enumerators(self, includes):
        """Names and values of all enumerations."""
        found = {}
        for body in re.findall(r"\benum\b[^{};()]*\{([^}]*)\}", re.sub(r"^#.*", "", self.preprocess(includes), flags=re.M)):
            value = -1
            for item in body.split(","):
                name, _, given = item.partition("=")
                name = name.strip()
                if not re.fullmatch(r"\w+", name):
                    continue
                value = evaluate(given, found) if given else value + 1
                if value is None:
                    break
                found[name] = value
        return found

    def values(self, headers, names, *options):
        """What the names are worth that are numbers."""
        includes = self.include(headers)
        known = self.enumerators(includes)
        # The first word would be replaced too: its letters stand apart.
        text = includes + "".join("#ifdef %s\n@@ x_%s (%s) @@;\n#endif\n" % (name, name, name) for name in names)
        found = {name: known[name] for name in names if name in known}
        for name, expression in re.findall(r"@@ x_(\w+) (.*?) @@;", self.preprocess(text, "-P", *options), re.S):
            value = evaluate(expression.replace("\n", " "), known)
            if value is not None:
                found[name] = value
        return found


SIZES = {"int": 4, "unsigned int": 4, "unsigned char": 1, "char": 1, "long": 8, "unsigned long": 8, "size_t": 8, "__u64": 8, "__u32": 4,
         "__s32": 4, "unsigned": 4, "short": 2, "u64": 8, "void *": 8, "char *": 8}


def evaluate(expression, known):
    """A constant of C's as a number; None of what is none."""
    text = re.sub(r"sizeof\s*\(\s*([\w *]+?)\s*\)", lambda m: str(SIZES.get(m.group(1), "?")), expression)
    text = re.sub(r"'(\\?.)'", lambda m: str(ord(m.group(1)[-1])), text)
    text = re.sub(r"\(\s*(?:unsigned|signed)?\s*(?:int|long|char|short|__u\d+|__s\d+|unsigned|(?:__force )?[a-z_]+_t)\s*\)", "", text)
    text = re.sub(r"\b0([0-7]+)[uUlL]*\b", r"0o\1", text)
    text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text)
    text = re.sub(r"\b[A-Za-z_]\w*\b", lambda m: m.group(0) if re.fullmatch(r"0[xo]\w+", m.group(0)) else str(known.get(m.group(0), "?")), text)
    if not re.fullmatch(r"[\s0-9a-fA-FxXo()<>|&~^+*-]+", text):
        return None
    try:
        value = eval(text, {"__builtins__": {}})  # of digits and operators alone
    except (SyntaxError, ValueError, TypeError, OverflowError):
        return None
    return value if isinstance(value, int) and -2**63 <= value < 2**64 else None


class Names:
    """A table of names.spec."""

    def __init__(self, words, headers):
        if len(words) < 5:
            raise Wrong("a table is KIND NAME PREFIX HEADERS WORD...")
        self.kind, self.name, self.prefix = words[0], words[1], "" if words[2] == "-" else words[2]
        self.btf, self.items, self.machine_items = None, [], {}
        files = [] if words[3] == "-" else words[3].split(",")
        words = words[4:]
        if "btf" in words:
            self.btf = words[words.index("btf") + 1]
            words = words[:words.index("btf")]
        includes = headers.include(files)
        exist = headers.macros(includes) + list(headers.enumerators(includes)) if any("*" in word for word in words) else []
        given, wanted = {}, []
        for word in words:
            self.take_word(word, exist, wanted, given)
        values = headers.values(files, wanted)
        for name, (value, mask) in given.items():
            values[name] = value
        order = [name for name in dict.fromkeys(wanted + list(given)) if name in values]
        self.items = [(values[name] & (2**64 - 1), given.get(name, (0, None))[1], name) for name in order]

    def take_word(self, word, exist, wanted, given):
        if word.startswith("!"):
            pattern = re.compile(word[1:].replace("*", r"\w*") + "$")
            wanted[:] = [name for name in wanted if not pattern.match(name)]
            return
        name, _, value = word.partition("=")
        machine, _, name = name.rpartition(":")
        if value:
            number, _, mask = value.partition("/")
            base = lambda text: int(text, 8 if re.fullmatch(r"-?0[0-7]+", text) else 0)
            pair = base(number), base(mask) if mask else None
            if machine:
                self.machine_items.setdefault(machine, {})[name] = pair[0]
            else:
                given[name] = pair
        elif "*" in name:
            pattern = re.compile(name.replace("*", r"\w*") + "$")
            wanted += [found for found in exist if pattern.match(found) and found not in wanted]
        else:
            wanted.append(name)

    def rows(self, machine):
        """What stands in the table: of flags those with most bits first, as they hold others."""
        other = self.machine_items.get(machine, {})
        rows = [(other.get(name, value), mask, name) for value, mask, name in self.items]
        rows += [(value, None, name) for name, value in other.items() if name not in [row[2] for row in rows]]
        seen, result = set(), []
        for value, mask, name in rows:
            mask = value if mask is None and self.kind not in ("enum", "pointer") else 2**64 - 1 if mask is None else mask
            if (value, mask) not in seen:
                seen.add((value, mask))
                result.append((value, mask, name))
        if self.kind in ("enum", "pointer"):
            return sorted(result, key=lambda row: (row[1] != 2**64 - 1, row[0]))
        return sorted(result, key=lambda row: (-bin(row[1]).count("1"), row[0]))


class Tables:
    def __init__(self, folder, headers):
        self.folder, self.headers = folder, headers
        self.names, self.structs, self.calls, self.groups, self.is_32 = {}, {}, [], [], False
        each_line(os.path.join(folder, "names.spec"), self.take_names)
        each_line(os.path.join(folder, "structs.spec"), self.take_struct)
        each_line(os.path.join(folder, "calls.spec"), self.take_call)

    def take_names(self, words):
        if words[0] not in ("flags", "enum", "octal", "pointer"):
            raise Wrong("'%s' begins no table" % words[0])
        table = Names(words, self.headers)
        if table.name in self.names:
            raise Wrong("there are names '%s' already" % table.name)
        if not table.items:
            print("generate.py: the headers have nothing for '%s'" % table.name, file=sys.stderr)
        self.names[table.name] = table

    def take_struct(self, words):
        name, _, machine = words[0].partition("@")
        members = [word.partition(":")[::2] for word in words[1:]]
        for layout in MACHINES.get(machine, list(LAYOUTS)) if machine else LAYOUTS:
            self.structs.setdefault(name, {}).setdefault(layout, self.lay_out(members, layout))

    def lay_out(self, members, layout):
        """Members with their places, and the size of all."""
        word, align_8 = LAYOUTS[layout]
        at, widest, placed, depth = 0, 1, [], 1
        for name, text in members:
            brief = text.endswith("!")
            text, _, count = text.rstrip("!").partition("*")
            base, _, show = text.partition("/")
            count = int(count) if count else 1
            if base == "text":
                size, align = 1, 1
            elif base == "sigset":
                size, align = 8, 1
            elif base in self.structs:
                inner = self.structs[base][layout]
                size, align, depth = inner["size"], inner["align"], max(depth, inner["depth"] + 1)
                if depth > MOST_LEVELS:
                    raise Wrong("'%s' has too many structs in structs" % base)
            else:
                size = self.number(base)[1] or word
                align = 1 if base == "packed64" else align_8 if size == 8 else size
            at = (at + align - 1) // align * align
            widest = max(widest, align)
            if base == "text":
                placed.append((name, at, count, base, brief))
            elif name != "_" and count == 1:
                placed.append((name, at, size, show or base, brief))
            at += size * count
        return {"size": (at + widest - 1) // widest * widest, "align": widest, "members": placed, "depth": depth}

    def number(self, base):
        if base not in NUMBERS:
            raise Wrong("'%s' is no type" % base)
        return NUMBERS[base]

    def take_call(self, words):
        if words[0] == "group":
            unknown = [word for word in words[1:] if word not in GROUPS]
            if unknown:
                raise Wrong("'%s' is no group" % unknown[0])
            self.groups = words[1:]
        elif words[0] == "abi":
            self.is_32 = True
        else:
            result = words[-1] if len(words) > 2 and words[-2] == "->" else None
            args = [word.partition(":")[::2] for word in (words[1:-2] if result else words[1:])]
            if len(args) > 6:
                raise Wrong("a call has six arguments at most")
            self.calls.append((words[0], self.is_32, list(self.groups), args, result))

    def type_of(self, text, args=()):
        """A type as C's initializer of a struct calltype."""
        text, _, condition = text.partition("?")
        match = re.fullmatch(r"(?:(in|out|inout)\.)?([\w.]+?)(?:\[(.+)\])?", text)
        if not match:
            raise Wrong("'%s' is no type" % text)
        way, base, count = match.groups()
        fields = {"way": "CALLTYPE_" + (way or "value").upper()}
        if base in ("path", "str", "strings") and not way:
            fields["way"] = "CALLTYPE_IN"
        self.fill_base(base, fields)
        if base == "msghdr":
            fields["table"] = "&" + layout_name("msghdr")
        if base == "iov":
            fields["table"] = "&" + layout_name("iovec")
        if count:
            self.fill_count(count, args, fields)
        if condition:
            name, arg = re.fullmatch(r"(\w+)\((\w+)\)", condition).groups()
            kind, bits = CONDITIONS[name]
            fields.update(condition="CALLTYPE_" + kind, condition_arg=str(self.arg_number(arg, args)), condition_bits=hex(bits))
        return "{ %s }" % ", ".join(".%s = %s" % item for item in fields.items())

    def fill_base(self, base, fields):
        if base in ("e.sockopt", "e.protocol", "e.fcntl_arg"):
            fields.update(kind="CALLTYPE_" + base[2:].replace("_arg", "").upper(), size="4")
        elif base[:2] in ("f.", "e."):
            if base[2:] not in self.names:
                raise Wrong("there are no names '%s'" % base[2:])
            fields.update(kind="CALLTYPE_NAMES", size="0", table="&calltables_" + base[2:])
        elif base in NUMBERS:
            kind, size = NUMBERS[base]
            fields.update(kind="CALLTYPE_" + kind, size=str(size))
        elif base in OTHERS:
            fields.update(kind="CALLTYPE_" + OTHERS[base])
        elif base in self.structs:
            fields.update(kind="CALLTYPE_STRUCT", table="&" + layout_name(base))
        else:
            raise Wrong("'%s' is no type" % base)

    def arg_number(self, name, args):
        names = [arg[0] for arg in args]
        if name not in names:
            raise Wrong("there is no argument '%s'" % name)
        return names.index(name)

    def fill_count(self, count, args, fields):
        if count == "ret":
            fields["counted"] = "CALLTYPE_BY_RESULT"
            # What the caller had room for, if an argument says so.
            return
        if count.startswith("="):
            fields.update(counted="CALLTYPE_FIXED", count=count[1:])
        elif count.startswith("*"):
            fields.update(counted="CALLTYPE_BY_POINTED", count=str(self.arg_number(count[1:], args)))
        else:
            fields.update(counted="CALLTYPE_BY_ARGUMENT", count=str(self.arg_number(count, args)))

    def numbers(self):
        """The tables of numbers: by ABI, name by number."""
        found = {}
        for abi, header, options in (
                ("x86_64", "asm/unistd_64.h", []), ("i386", "asm/unistd_32.h", []),
                ("arm64", "asm-generic/unistd.h", ["-D__BITS_PER_LONG=64", "-D__ARCH_WANT_RENAMEAT", "-D__ARCH_WANT_NEW_STAT",
                                                   "-D__ARCH_WANT_SET_GET_RLIMIT", "-D__ARCH_WANT_SYS_CLONE3", "-D__ARCH_WANT_MEMFD_SECRET"]),
                ("arm", "asm/unistd-common.h", ["-D__NR_SYSCALL_BASE=0"])):
            includes = self.headers.include([header])
            names = [name for name in self.headers.macros(includes, *options) if name.startswith("__NR_") or name.startswith("__NR3264_")]
            values = self.headers.values([header], names, *options)
            table = {}
            for name, number in sorted(values.items()):
                plain = name[5:] if name.startswith("__NR_") else None
                if plain and 0 <= number < 1024 and not plain.startswith(("syscall", "arch_specific", "SYSCALL")):
                    table.setdefault(number, plain)
            for name, number in YOUNG.items():
                if table:
                    table.setdefault(number, name)
            found[abi] = table
        return found


def c_text(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def write_names(tables, out):
    for table in tables.names.values():
        for machine in ["", *sorted(table.machine_items)]:
            rows = table.rows(machine)
            suffix = "_" + machine if machine else ""
            out.append("static const struct callname names_%s%s[] = {" % (table.name, suffix))
            out += ["\t{ %#xu, %#xu, %s }," % (value, mask, c_text(name)) for value, mask, name in rows] or ["\t{ 0, 0, NULL },"]
            out.append("};")
            out.append("%sconst struct callnames calltables_%s%s = {" % ("static " if machine else "", table.name, suffix))
            out.append("\t.name = %s, .prefix = %s, .kind = CALLNAMES_%s," % (c_text(table.name), c_text(table.prefix), table.kind.upper()))
            out.append("\t.items = names_%s%s, .count = %d," % (table.name, suffix, len(rows)))
            if table.btf:
                out.append("\t.btf = %s," % c_text(table.btf))
            out.append("};")


def write_machines(tables, out):
    """Of tables that differ: who has which."""
    out.append("const struct callnames_variant calltables_variants[] = {")
    for table in tables.names.values():
        for machine in sorted(table.machine_items):
            out.append("\t{ &calltables_%s, CALLABI_%s, &calltables_%s_%s }," % (table.name, machine.upper(), table.name, machine))
    out.append("\t{ NULL, CALLABI_X86_64, NULL },\n};")


def write_structs(tables, out):
    for name, layouts in tables.structs.items():
        written = []
        for layout in LAYOUTS:
            body = layouts[layout]
            is_long = any(member[4] for member in body["members"])
            rows = ["\t{ %s, %d, %d, %s, %s }," % (c_text(member), at, size, "true" if is_long and not brief else "false",
                                                   tables.type_of(base)) for member, at, size, base, brief in body["members"]]
            text = "\n".join(rows)
            same = [other for other, other_text in written if other_text == text]
            if not same:
                out.append("static const struct callmember members_%s_%s[] = {\n%s\n};" % (name, layout, text))
            written.append((same[0] if same else layout, text))
        out.append("%sconst struct calllayout %s = {\n\t.name = %s,\n\t.variants = {" % ("" if name in EXPORTED else "static ", layout_name(name),
                                                                                           c_text(name)))
        for (holder, _), layout in zip(written, LAYOUTS):
            out.append("\t\t{ members_%s_%s, %d, %d }," % (name, holder, len(layouts[layout]["members"]), layouts[layout]["size"]))
        out.append("\t},\n};")


def groups_of(groups, args):
    kinds = [re.sub(r"^(in|out|inout)\.|[\[?].*", "", text) for _, text in args]
    found = set(groups)
    if "path" in kinds:
        found.add("file")
    if "fd" in kinds or "dirfd" in kinds or "fdpair" in kinds:
        found.add("desc")
    return found


def write_calls(tables, out):
    known = {}
    for name, is_32, groups, args, result in tables.calls:
        known[(name, is_32)] = len(known)
    numbers = tables.numbers()
    for table in numbers.values():
        for name in table.values():
            if (name, False) not in known and (name, True) not in known:
                known[(name, False)] = len(known)
    out.append("const struct callspec calltables_specs[] = {")
    for name, is_32, groups, args, result in tables.calls:
        found = groups_of(groups, args)
        if result == "fd":
            found.add("desc")
        bits = " | ".join("CALLSPEC_" + group.upper() for group in GROUPS if group in found) or "0"
        out.append("\t{ .name = %s, .arg_count = %d, .groups = %s, .is_known = true," % (c_text(name), len(args), bits))
        out.append("\t  .result = %s," % tables.type_of(result or "long"))
        out.append("\t  .args = {")
        out += ["\t\t{ %s, %s }," % (c_text(arg), tables.type_of(text, args)) for arg, text in args]
        out.append("\t  } },")
    for name, is_32 in list(known)[len(tables.calls):]:
        out.append("\t{ .name = %s, .arg_count = 6, .result = { .kind = CALLTYPE_SIGNED }, .args = {" % c_text(name))
        out += ["\t\t{ \"arg%d\", { .kind = CALLTYPE_HEX } }," % i for i in range(1, 7)]
        out.append("\t} },")
    out.append("};\nconst size_t calltables_spec_count = %d;" % len(known))
    for abi, table in numbers.items():
        narrow = abi in ("i386", "arm")
        rows = []
        for number in range(max(table, default=0) + 1):
            name = table.get(number)
            at = known.get((name, narrow), known.get((name, False), known.get((name, True)))) if name else None
            rows.append("%d," % (at + 1 if at is not None else 0))
        out.append("static const uint16_t numbers_%s[] = {\n\t%s\n};" % (abi, " ".join(rows)))
    out.append("const struct callnumbers calltables_numbers[CALLABI_COUNT] = {")
    for abi, table in numbers.items():
        out.append("\t[CALLABI_%s] = { numbers_%s, %d }," % (abi.upper(), abi, max(table) + 1 if table else 0))
    out.append("};")


def main(folder, output, compiler):
    tables = Tables(folder, Headers(compiler))
    out = ["/* Made by generate.py: do not change. */", '#include "format/calltables.h"', ""]
    try:
        write_names(tables, out)
        write_machines(tables, out)
        write_structs(tables, out)
        write_calls(tables, out)
    except Wrong as why:
        sys.exit("%s: %s" % (folder, why))
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
