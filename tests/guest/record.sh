#!/bin/sh
# record.sh - what the guest runs: every recording that tests/cli/test-guest.py looks at, each by strobe and, where
# perf is there, by perf: NAME.strobe, NAME.perf. What each said goes to NAME.WHO-said.
cd /out || exit 1

# record WHO NAME OPTION... -- COMMAND
record() {
	who=$1 name=$2
	shift 2
	# perf alone would look for build-ids, which takes it longer than the recording.
	options=
	[ "$who" = strobe ] || options=--no-buildid
	"$who" record -o "$name.$who" $options "$@" >"$name.$who-said" 2>&1
	echo "exit $?" >>"$name.$who-said"
}

both() {
	record strobe "$@"
	if command -v perf >/dev/null; then
		record perf "$@"
	fi
}

# address SYMBOL: in the program, which lies where it was linked to
address() {
	echo "0x$(sed -n "s/ [a-zA-Z] $1\$//p" /t/work.symbols)"
}

pmu=$(cd /sys/bus/event_source/devices && ls -d armv8_pmuv3* | head -1)
echo "$pmu" >pmu
cat "/sys/bus/event_source/devices/$pmu/type" >pmu-type

both default -- work chain 100000
both user -e cycles:u -- work chain 100000
record strobe kernel -e cycles:k -- work kernel 2000
record strobe precise -e cycles:P -- work chain 100000
record strobe raw -e r11 -- work chain 100000
both terms -e "$pmu/config=0x11/,$pmu/cpu_cycles/u" -- work chain 100000
both group -e '{cycles,instructions}' -- work chain 100000
both read -e '{cycles,instructions}:S' -- work chain 100000
record strobe two -e instructions,cycles -- work chain 100000
record strobe often -F 99 -e cycles -- work chain 100000
record strobe period -c 10000 -e cycles:u -- work chain 100000
both chains -g -c 19997 -e cycles:u -- work chain 200000
record strobe system -a -e cycles -- work chain 100000
# Periods are prime, so that samples do not fall on the same instruction of a loop each time.
record strobe plt -c 19997 -e cycles:u -- work plt 100000
record strobe vdso -c 9973 -e cycles:u -- work vdso 20000
record strobe syscalls -g --kernel-callchains -c 9973 -e cycles:k -- work kernel 5000
record strobe counted --per-thread -c 9973 -e '{cycles:k,instructions:k}:S' -- work kernel 2000
strobe report -D -i counted.strobe >counted.dump 2>&1
# Functions without a frame: who called them is in the link register alone.
record strobe leaf -g -c 997 -e cycles:u -- work plt 2000
both registers -I -c 19997 -e cycles:u -- work chain 20000
both some-registers --user-regs=x0,x29,lr,sp,pc -c 19997 -e cycles:u -- work chain 20000
# Stacks unwound while they are recorded, and as copies.
record strobe unwound --call-graph dwarf -c 49999 -e cycles:u -- work chain 50000
record strobe copies --store-stacks --call-graph dwarf -c 49999 -e cycles:u -- work chain 50000
if command -v perf >/dev/null; then
	record perf copies --call-graph dwarf -c 49999 -e cycles:u -- work chain 50000
fi
record strobe written -c 1 -e "mem:$(address watched):w" -- work chain 1000
record strobe entered -c 1 -e "mem:$(address middle):x" -- work chain 1000

# Probes: of a function of the program, which lies in its file where it was linked to less its base, and one of the kernel.
events=/sys/kernel/tracing
echo "p:strobe/middle /t/work:$(printf '0x%x' $(($(address middle) - 0x400000)))" >$events/uprobe_events
echo "p:strobe/getppid __arm64_sys_getppid" >$events/kprobe_events
record strobe uprobe -g -e strobe:middle -- work chain 1000
record strobe kprobe -g -e strobe:getppid -- work kernel 500
: >$events/uprobe_events
: >$events/kprobe_events

work chain 1000000000 &
record strobe attached -c 1000000 -e cycles:u -p $! -- sleep 0.05
echo $! >attached.pid
kill $!

sh /t/pmu.sh
# What this CPU cannot count, and what perf counts of the same command.
strobe stat -o stat-unsupported.text -e cycles:u,branch-misses -- work chain 1000 2>stat-unsupported.said
if command -v perf >/dev/null; then
	perf stat report -i pmu.counts >stat-report.perf.text 2>&1
	perf stat -x, -o stat.perf.csv -e cycles:u,instructions:u -e cycles,task-clock -- work chain 1000000
fi

# What libstrobe does where programs may read no counters.
echo 0 >/proc/sys/kernel/perf_user_access
self-count direct >self-count.forbidden
self-count region >>self-count.forbidden
echo 1 >/proc/sys/kernel/perf_user_access

# Whoever may not watch the kernel gets what it may.
echo 2 >/proc/sys/kernel/perf_event_paranoid
chmod 777 /out
su nobody -c 'PATH=/t:$PATH; strobe record -o unprivileged.strobe -- work chain 100000' >unprivileged.strobe-said 2>&1
echo -1 >/proc/sys/kernel/perf_event_paranoid

for file in *.strobe *.perf; do
	strobe evlist -v -i "$file" >"$file-evlist"
done
for file in *.strobe; do
	strobe script -i "$file" >"$file-script" 2>"$file-script-said"
	strobe report --stdio --no-children -i "$file" >"$file-report" 2>"$file-report-said"
done
if command -v perf >/dev/null; then
	for name in plt vdso syscalls; do
		perf script -i $name.strobe >$name.perf-script 2>$name.perf-script-said
	done
	for name in chains leaf uprobe kprobe copies unwound; do
		perf script --no-inline -i $name.strobe -F ip,sym >$name.perf-frames 2>$name.perf-frames-said
	done
	perf script -i registers.strobe -F ip,iregs >registers.perf-values
	perf script -i some-registers.strobe -F ip,uregs >some-registers.perf-values
fi
strobe script -i registers.strobe -F ip,iregs >registers.strobe-values
strobe script -i some-registers.strobe -F ip,uregs >some-registers.strobe-values

# To be read elsewhere, with the files that were mapped here.
mkdir kept symfs
for name in chains leaf uprobe kprobe copies unwound syscalls registers; do
	mv $name.strobe kept/
done
for file in /t/work /usr/lib/aarch64-linux-gnu/libc.so.6 /usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1; do
	mkdir -p "symfs${file%/*}"
	cp -L "$file" "symfs$file"
done
cp /proc/kallsyms kallsyms
rm -f ./*.strobe ./*.perf
