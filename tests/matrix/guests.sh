# The traffic matrix under Debian's 6.12, which has what this kernel may lack: as it is, and as a
# kernel that lets no function be traced.
. "$(dirname "$0")/../vm/lib.bash"

deb=$("$VM/kernels" 6.12) || skip 'no package of Linux 6.12'
# Rows whose hooks are others there, or that the kernel of this machine lacks; MATRIX=all: all of them.
traced='veth vlan-in-frame qinq-in-frame macvlan ifb sit gretap l2tp esp-transport esp-tunnel via-bond'
blind='qinq-in-frame ifb l2tp esp-transport esp-tunnel'
if [ "${MATRIX:-}" = all ]; then
	traced=
	blind='veth vlan vlan-in-frame qinq-in-frame bond bridge macvlan ifb sit l2tp esp-transport esp-tunnel via-macvlan'
fi
for options in '' '-x nofentry'; do
	rows=$traced
	[ -z "$options" ] || rows=$blind
	VM_TIMEOUT=1700 "$VM/run" "$deb" env DTRACE="$DTRACE" ASAN_OPTIONS=detect_leaks=0 MATRIX_OPTIONS="$options" \
		bash "$VM/../matrix/here.sh" $rows >"$T/out" 2>&1
	status=$?
	[ $status != 125 ] || skip "no guest starts here: $(tail -n 1 "$T/out")"
	grep -v '^ok' "$T/out"
	[ $status = 0 ] || fail "6.12 $options: status $status"
	echo "6.12 $options: $(grep -c '^ok' "$T/out") comparisons"
done
finish
