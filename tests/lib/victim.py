"""victim.py - a program whose profile is known, and what strobe says of it.

main() calls mid(), which calls hot(), where all the time goes: the names must be these three, however
the program was linked, mapped, stripped or replaced.
"""
import re

from tap import check, strobe

SOURCE = r"""
#define NOINLINE __attribute__((noinline, noclone))
static volatile unsigned long sink;
HOT NOINLINE void hot(void)
{
	__asm__ volatile("" : : "r"(__builtin_frame_address(0))); /* so that a leaf has a frame too */
	for (unsigned long i = 0; i < 50000000; i++)
		sink += i;
}
MID NOINLINE void mid(void)
{
	hot();
	sink++;
}
"""
MAIN = r"""
void mid(void);
int main(void)
{
	mid();
	return 0;
}
"""

# Frame pointers, and calls that stay calls.
FLAGS = ("-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls")


def source(hot="", mid="", main=MAIN):
    """C text; hot and mid are attributes of these functions."""
    return "#define HOT %s\n#define MID %s\n" % (hot, mid) + SOURCE + main


def record(*command, options=("-g",), path="F"):
    """Records user space often enough that shares mean something."""
    return strobe("record", "-q", "-e", "cpu-clock:u", "-F", "2000", *options, "-o", path, "--", *command).ok()


def stacks(path="F", *options, **more):
    """The stack of each sample, innermost first: a list of (name, dso)."""
    text = strobe("script", "-i", path, "-F", "ip,sym,dso", *options, **more).ok().out
    frame = re.compile(r"^\s*[0-9a-f]+ (.*?) \(([/[].*)\)$", re.M)
    return [frame.findall(stack) for stack in text.split("\n\n") if stack.strip()]


def share(of, name):
    """Which part of the stacks has a function innermost."""
    return sum(stack[0][0] == name for stack in of) / max(len(of), 1)


def check_named(of, dso, least=0.95):
    """hot() has almost all of it, in an object whose path ends in dso, and came from mid() and main()."""
    check(len(of) > 20, "%d samples only" % len(of))
    check(share(of, "hot") >= least, "%.2f of the samples are in hot: %s" % (share(of, "hot"), of[len(of) // 2]))
    whole = [stack for stack in of if stack[0][0] == "hot" and stack[0][1].endswith(dso)
             and [name for name, _ in stack[1:3]] == ["mid", "main"]]
    check(len(whole) >= least * len(of), "%d of %d stacks are whole: %s" % (len(whole), len(of), of[len(of) // 2]))
