# If an event interrupts the program of its own hook, the kernel does not run this program again. So
# a second program, the backup, handles the event, and the event is not lost. This also happens to a
# program that disables interrupts: a waiting interrupt comes when the program enables them, just
# before its end.
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
