#!/usr/bin/env python3
"""Makes C of the tables of events: generate.py OUTPUT TABLE...

docs/adding-events.md says how a table is written. What is wrong in one is said as FILE:LINE: SENTENCE.
"""
import os
import re
import sys


class Wrong(Exception):
    pass


class Table:
    """What one file says, and the files that it includes."""

    def __init__(self, path):
        self.stem = os.path.splitext(os.path.basename(path))[0].replace("-", "_")
        self.name, self.pmu, self.cpus, self.events, self.metrics = None, None, [], {}, {}
        self.read(path)

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    self.take(os.path.dirname(path), line.split("#")[0].strip())
                except (Wrong, OSError) as why:
                    sys.exit("%s:%d: %s" % (path, number, why))

    def take(self, folder, line):
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if not word:
            return
        if word == "name":
            self.name = rest
        elif word == "cpu":
            if not re.fullmatch(r"\w+(,(0x)?[0-9a-f]+(-(0x)?[0-9a-f]+)?)+", rest):
                raise Wrong("'%s' is no CPU" % rest)
            self.cpus.append(rest)
        elif word == "pmu":
            self.pmu = rest
        elif word == "include":
            self.read(os.path.join(folder, rest))
        elif word == "event":
            self.add_event(rest)
        elif word == "metric":
            self.add_metric(rest)
        else:
            raise Wrong("'%s' begins no line" % word)

    def add_event(self, rest):
        match = re.fullmatch(r"([a-z0-9_.-]+) +([a-z][a-z0-9_]*=0x[0-9a-f]+(?:,[a-z][a-z0-9_]*=0x[0-9a-f]+)*) +(\S.*)", rest)
        if not match:
            raise Wrong("an event is NAME TERM=0xVALUE[,...] TEXT")
        name, terms, text = match.groups()
        if name in self.events:
            raise Wrong("event '%s' stands there twice" % name)
        self.events[name] = (terms, text)

    def add_metric(self, rest):
        match = re.fullmatch(r"([a-z0-9_]+) +([A-Za-z0-9]+(?:,[A-Za-z0-9]+)*) +(\S+) += +([^;]+?) *; *(\S.*)", rest)
        if not match:
            raise Wrong("a metric is NAME GROUPS UNIT = FORMULA ; TEXT")
        name, groups, unit, formula, text = match.groups()
        if name in self.metrics:
            raise Wrong("metric '%s' stands there twice" % name)
        self.metrics[name] = (groups, "" if unit == "-" else unit, formula, text)

    def check(self, path):
        if not self.name or not self.cpus or not self.events:
            sys.exit("%s: a table has a name, CPUs and events" % path)


def quoted(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def rows(kind, stem, entries):
    """By name, as strcasecmp() has it: names are ASCII, in small letters."""
    lines = ["static const struct vendor_%s %s_%ss[] = {" % (kind, stem, kind)]
    for name in sorted(entries):
        lines.append("\t{ %s }," % ", ".join(quoted(word) for word in (name, *entries[name])))
    return lines + ["};"]


def main(output, paths):
    lines = ['/* Made by generate.py from the tables beside it. */', '#include "event/vendor-tables.h"', ""]
    vendors = []
    for path in paths:
        table = Table(path)
        table.check(path)
        lines += rows("event", table.stem, table.events)
        if table.metrics:
            lines += rows("metric", table.stem, table.metrics)
        lines.append("static const char *const %s_cpus[] = { %s, NULL };" % (table.stem, ", ".join(map(quoted, table.cpus))))
        metrics = ".metrics = {0}_metrics, .metric_count = {1}".format(table.stem, len(table.metrics))
        vendors.append("\t{{ .name = {0}, .pmu = {4}, .cpus = {1}_cpus, .events = {1}_events, .event_count = {2}{3} }},".format(
            quoted(table.name), table.stem, len(table.events), ", " + metrics if table.metrics else "",
            quoted(table.pmu) if table.pmu else "NULL"))
    lines += ["const struct vendor vendor_tables[] = {", *vendors, "};",
              "const size_t vendor_tables_count = sizeof(vendor_tables) / sizeof(*vendor_tables);", ""]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
