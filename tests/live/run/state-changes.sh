# If an event interrupts the program of its own hook, the kernel does not run this program again. So
# a second program, the backup, handles the event, and no event is lost. Even a program that disables
# interrupts is interrupted: a waiting interrupt comes when the program enables them, just before its
# end.
. "$(dirname "$0")/../lib.bash"
helper storm

ns one
CONNECTS=2000
work=$(for i in 1 2 3 4 5 6 7 8; do echo "@w$i[stack(), ustack()] = count();"; done)
counting="tcp:::state-change { @n = count(); $work }
END { $(for i in 1 2 3 4 5 6 7 8; do echo "trunc(@w$i);"; done)"' printa("%@d\n", @n); }'
# A second run, with a short program, also counts the transitions.
short='tcp:::state-change { @n = count(); } END { printa("%@d\n", @n); }'
same 'the program has a backup' 1 "$("$DTRACE" -e -x dump=bpf -n "$counting" | grep -c '^unit .*, its backup ')"
settled one
dt_start counting -x footer -x netns=one -n "$counting" || exit 1
dt_start short -x footer -x netns=one -n "$short" || exit 1
in_ns one "$T/storm" connect $CONNECTS 5000 >"$T/connections" || fail 'the traffic failed'
settled one
dt_stop short
dt_stop counting
lossless short
lossless counting
transitions=$(grep '^[0-9]' "$T/counting.out")
[ "$transitions" -gt $((6 * CONNECTS)) ] || fail "only $transitions transitions"
same 'both runs count all transitions' "$(grep '^[0-9]' "$T/short.out")" "$transitions"
finish
