# An event that interrupts a program of its own hook is not lost: a second program, the backup, runs for
# it. The kernel skips a program that is running already, also if the program has disabled interrupts,
# because an interrupt that waits comes when they are restored, before the program has ended.
. "$(dirname "$0")/../lib.bash"
helper storm

ns one
CONNECTS=2000
work=$(for i in 1 2 3 4 5 6 7 8; do echo "@w$i[stack(), ustack()] = count();"; done)
counting="tcp:::state-change { transitions++; $work }
END { $(for i in 1 2 3 4 5 6 7 8; do echo "trunc(@w$i);"; done)"' printf("%d\n", transitions); }'
same 'the program has a backup' 1 "$("$DTRACE" -e -x dump=bpf -n "$counting" | grep -c '^unit .*, its backup ')"
settled one
dt_start counting -x footer -n "$counting" || exit 1
in_ns one "$T/storm" connect $CONNECTS 5000 >"$T/connections" || fail 'the traffic failed'
dt_stop counting
transitions=$(grep '^[0-9]' "$T/counting.out")
[ "$transitions" -gt $((6 * CONNECTS)) ] || fail "only $transitions transitions"
same 'no probe firing is missed' 0 "$(footer counting 'probe firings missed')"
finish
