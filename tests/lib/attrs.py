"""Attrs as perf -vv prints them and as attr-dump makes them, field by field."""
import os
import re

from tap import BUILD_ROOT, run

DUMP = os.environ.get("ATTR_DUMP") or os.path.join(BUILD_ROOT, "tests/tools/attr-dump")

SAMPLE_BITS = {name: 1 << bit for bit, name in enumerate(
    "IP TID TIME ADDR READ CALLCHAIN ID CPU PERIOD STREAM_ID RAW BRANCH_STACK REGS_USER STACK_USER "
    "WEIGHT DATA_SRC IDENTIFIER TRANSACTION REGS_INTR PHYS_ADDR AUX CGROUP DATA_PAGE_SIZE "
    "CODE_PAGE_SIZE WEIGHT_STRUCT".split())}
READ_BITS = {"TOTAL_TIME_ENABLED": 1, "TOTAL_TIME_RUNNING": 2, "ID": 4, "GROUP": 8, "LOST": 16}
BRANCH_BITS = {name: 1 << bit for bit, name in enumerate(
    "USER KERNEL HV ANY ANY_CALL ANY_RETURN IND_CALL ABORT_TX IN_TX NO_TX COND CALL_STACK IND_JUMP "
    "CALL NO_FLAGS NO_CYCLES TYPE_SAVE HW_INDEX PRIV_SAVE COUNTERS".split())}
NAMES = {"sample_type": SAMPLE_BITS, "read_format": READ_BITS, "branch_sample_type": BRANCH_BITS}
RENAMED = {"{ sample_period, sample_freq }": "sample_period",
           "{ wakeup_events, wakeup_watermark }": "wakeup_events",
           "{ bp_addr, config1 }": "config1", "{ bp_len, config2 }": "config2"}


def number(field, text):
    if field in NAMES:
        return sum(NAMES[field][name] for name in text.split("|"))
    return int(text.split()[0], 0)


def printed_attrs(text):
    """The attrs in what perf -vv says, in order. While it prints one it may try another, and print that in between."""
    attrs, open_ones = [], []
    lines = text.splitlines()
    for line, following in zip(lines, lines[1:] + [""]):
        if line.startswith("-----"):
            if following.startswith("perf_event_attr:"):
                attrs.append({})
                open_ones.append(attrs[-1])
            elif open_ones:
                open_ones.pop()
        elif open_ones:
            match = re.match(r"  (\{.*?\}|\w+)\s+(\S.*)", line)
            if not match:
                continue
            field = RENAMED.get(match.group(1), match.group(1))
            value = number(field, match.group(2))
            if value and field != "size":
                open_ones[-1][field] = value
    return attrs


def our_attrs(*options):
    """The attrs that attr-dump makes; None where it refuses the text."""
    result = run(DUMP, *options)
    if result.code:
        return None
    attrs = []
    for line in result.lines():
        if not line.startswith("missing: "):
            fields = dict(f.split("=") for f in line.rsplit("|", 1)[1].split())
            attrs.append({name: int(value, 0) for name, value in fields.items()})
    return attrs


def without_retries(attrs, count):
    """perf tries an event again with less where the kernel refuses it: what it wanted first."""
    if count == 1:
        return attrs[:1]
    kept = []
    for attr in attrs:
        if len(attrs) > count and kept and attr == dict(kept[-1], exclude_guest=1):
            continue
        kept.append(attr)
    return kept


# Fields that depend on whether an event is counted or sampled.
NOT_OF_THE_EVENT = ("sample_type", "read_format", "disabled", "inherit", "enable_on_exec", "sample_period")


def of_the_event(attr):
    return {name: value for name, value in attr.items() if name not in NOT_OF_THE_EVENT}
