# A short program at tcp:::state-change cannot be interrupted by a softirq, which could change the
# state of another connection. The program disables interrupts, unless softirqs are off already. A
# program with a loop runs with interrupts enabled, and has a backup program, which runs for events
# that interrupt the first. The test counts the softirqs that begin within a program.
. "$(dirname "$0")/../lib.bash"
helper storm
grep -qaw bpf_local_irq_save /sys/kernel/btf/vmlinux || skip 'programs cannot disable interrupts here'

ns one
CONNECTS=2000
within='tcp:::state-change { within[cpu] = 1; }'
work=$(for i in 1 2 3 4 5 6 7 8; do echo "@w$i[stack(), ustack()] = count();"; done)
end='tcp:::state-change { transitions++; within[cpu] = 0; }
rawtp:::softirq_entry / within[cpu] / { hits++; }
END { '$(for i in 1 2 3 4 5 6 7 8; do echo "trunc(@w$i);"; done)' printf("%d %d\n", transitions, hits); }'
short="$within tcp:::state-change { $work } $end"
long="$within tcp:::state-change / strstr(execname, \"zz\") == NULL / { $work } $end"

# run NAME PROGRAM: sets transitions and hits.
run() {
	settled one
	dt_start "$1" -n "$2" || exit 1
	in_ns one "$T/storm" connect $CONNECTS 5000 >"$T/connections" || fail 'the traffic failed'
	dt_stop "$1"
	read -r transitions hits < <(grep '^[0-9]' "$T/$1.out")
	# Transitions that this kernel does not show, or of other namespaces, do not matter here.
	[ "$transitions" -gt $((6 * CONNECTS)) ] || fail "$1: only $transitions transitions"
}

backups() {
	"$DTRACE" -e -x dump=bpf -n "$1" | grep -c '^unit .*, its backup '
}

same 'the short program has no backup program' 0 "$(backups "$short")"
same 'the long program has a backup program' 1 "$(backups "$long")"
run long "$long"
[ "$hits" -gt 0 ] || fail "no softirq came within $transitions runs of the long program"
run short "$short"
same 'no softirq comes within the short program' 0 "$hits"
finish
