# cpuflame.d and offcpuflame.d show a computing and a sleeping process in the right functions.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1

helper sleeper
helper busy

# Adds up the counts at the ends of the lines that match RE. One function of a process may be on
# several lines, with different frames of the kernel below it.
weigh() { # weigh FILE RE
	grep -E -- "$2" "$1" | awk '{ n += $NF } END { print n + 0 }'
}
begin=$(date +%s%N)
timeout 300 "$DTRACE" -s scripts/offcpuflame.d -x oformat=folded -c "$T/sleeper" >"$T/off" 2>"$T/err" || fail "$(cat "$T/err")"
took=$((($(date +%s%N) - begin) / 1000))
# The process does not sleep with nanosleep(), which in glibc 2.41 calls a function without a name.
slept=$(weigh "$T/off" '^sleeper;.*sleeper`main;(sleeper`rest;)?libc[^;]*`syscall;vmlinux`.*nanosleep.*schedule')
same 'offcpuflame shows three sleeps of 200 ms' 1 "$((slept >= 600000 && slept <= took))" " ($slept us of $took)"
same 'offcpuflame shows no idle threads' 0 "$(grep -c '^swapper' "$T/off")"
# A picture does not depend on the kernel that the stacks are from, so virtual machines (tests/vm)
# draw none.
if [ -z "${IN_VM:-}" ]; then
	timeout 300 "$DTRACE" -s scripts/offcpuflame.d 1 >"$T/off.svg" 2>"$T/err" || fail "$(cat "$T/err")"
	python3 -c 'import sys, xml.etree.ElementTree as E; E.parse(sys.argv[1])' "$T/off.svg" || fail 'offcpuflame.d writes no XML'
	# If only one thread slept, all frames have the full width.
	same 'the picture names its unit' 1 "$(($(grep -c ' us (100.00 %)</title>' "$T/off.svg") > 0))"
fi

setpriv --pdeathsig KILL "$T/busy" &
busy=$!
began=$(date +%s%N)
timeout 300 "$DTRACE" -s scripts/cpuflame.d 2 -x oformat=folded >"$T/cpu" 2>"$T/err" || fail "$(cat "$T/err")"
# A process that has a whole CPU must get at least 100 samples. One that got less CPU time may get
# fewer, in proportion.
ran=$(cut -d' ' -f1 "/proc/$busy/schedstat") all=$(($(date +%s%N) - began))
if [ -z "${IN_VM:-}" ]; then
	timeout 300 "$DTRACE" -s scripts/cpuflame.d 1 >"$T/cpu.svg" 2>"$T/err" || fail "$(cat "$T/err")"
	python3 -c 'import sys, xml.etree.ElementTree as E; E.parse(sys.argv[1])' "$T/cpu.svg" || fail 'cpuflame.d writes no XML'
	same 'the function is in the picture' 1 "$(($(grep -c '>busy`compute' "$T/cpu.svg") >= 1))"
fi
kill "$busy"
wait "$busy" 2>/dev/null
got=$(weigh "$T/cpu" '^busy;.*busy`compute( |;)')
same 'cpuflame samples a process that computes' 1 "$((got * all >= 100 * ran))" " ($got)"
same 'every folded line is a stack and a count' 0 "$(grep -cvE '^[^;]+(;[^;]+)* [0-9]+$' "$T/cpu")"
finish
