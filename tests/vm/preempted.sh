# With full preemption, a task may send a packet, and fire a probe, while another task is in the
# middle of its own firing of this probe. Each firing must use its own strings and keys.
. "$(dirname "$0")/lib.bash"

cc -O1 -Wall -static -o "$T/senders" "$VM/senders.c" || skip "no C compiler that links statically"
deb=$("$VM/kernels" 6.12 2>"$T/why") || skip "$(cat "$T/why")"
VM_APPEND=preempt=full "$VM/run" "$deb" env DTRACE="$DTRACE" ASAN_OPTIONS=detect_leaks=0 \
	"$VM/preempted" "$T/senders" >"$T/got" 2>&1
status=$?
[ $status != 77 ] || skip "$(sed -n 's/^SKIP: //p' "$T/got")"
[ $status != 125 ] || skip "no guest starts here: $(tail -n 1 "$T/got")"
grep -q 'preempt=full' "$T/got" || fail "not preempted: $(head -n 3 "$T/got")"
for ((i = 1; i <= 10; i++)); do
	echo " from s$i to $((20000 + i)) by s$i s$i s$i 2000"
done | LC_ALL=C sort >"$T/wanted"
grep -v -e 'preempt=' -e 'probe firings missed *0$' -e 'dropped *0$' "$T/got" >"$T/seen"
same_files 'each packet is assigned to its sender' "$T/wanted" "$T/seen"
finish
