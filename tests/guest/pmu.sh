#!/bin/sh
# pmu.sh - what hardware counters of any machine have to do: the guest's (record.sh calls it), or those of the machine
# that the tests run on. Needs strobe, work and self-count in PATH; leaves pmu.NAME... in the current folder.

# record NAME OPTION... -- COMMAND
record() {
	name=pmu.$1
	shift
	strobe record -o "$name.data" "$@" >"$name.said" 2>&1
	echo "exit $?" >>"$name.said"
}

# Each sample with the count that it was taken at.
record exact --per-thread -c 100003 -e '{cycles:u,instructions:u}:S' -- work chain 1000000
strobe report -D -i pmu.exact.data >pmu.exact.dump 2>&1

# As often as was asked for, and as much as with a fixed period.
record often -F 2000 -e cycles:u -- work chain 5000000
record seldom -c 1000003 -e cycles:u -- work chain 5000000
record together -c 1000003 -e '{cycles:u,instructions:u}:S' -- work chain 5000000
for name in often seldom together; do
	strobe script -i pmu.$name.data -F comm,time,event,period,ip,sym >pmu.$name.script 2>&1
done

strobe stat -o pmu.stat.text -e cycles:u,instructions:u -e cycles,task-clock -- work chain 1000000
strobe stat -x, -o pmu.stat.csv -e cycles:u,instructions:u -e cycles,task-clock -- work chain 1000000
strobe stat record -o pmu.counts -e cycles:u,instructions:u -- work chain 1000000 2>pmu.stat-record.text
strobe stat report -i pmu.counts 2>pmu.stat-report.text
many=$(printf ',instructions:u%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
strobe stat -x, -o pmu.stat-turns.csv -e "instructions:uD$many" -- work chain "${TURNS:-10000000}"
strobe stat -o pmu.stat-turns.text -e "instructions:uD$many" -- work chain "${TURNS:-10000000}"

for what in direct between region cost; do
	self-count $what >pmu.$what
done
self-count turns "${TURNS:-10000000}" >pmu.turns
rm -f pmu.*.data
