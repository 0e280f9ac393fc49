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
# guest NAME OPTIONS ROW...: its output is $T/NAME
guest() {
	local name=$1 options=$2
	shift 2
	VM_TIMEOUT=1700 "$VM/run" "$deb" env DTRACE="$DTRACE" ASAN_OPTIONS=detect_leaks=0 MATRIX_OPTIONS="$options" \
		bash "$VM/../matrix/here.sh" "$@" >"$T/$name" 2>&1
}

# Both at once: what a guest does takes one CPU.
# shellcheck disable=SC2086
{
	guest traced '' $traced &
	guests=$!
	guest blind '-x nofentry' $blind
	status[1]=$?
	wait $guests
	status[0]=$?
}
i=0
for name in traced blind; do
	[ "${status[i]}" != 125 ] || skip "no guest starts here: $(tail -n 1 "$T/$name")"
	grep -v '^ok' "$T/$name"
	[ "${status[i]}" = 0 ] || fail "6.12, functions $name: status ${status[i]}"
	echo "6.12, functions $name: $(grep -c '^ok' "$T/$name") comparisons"
	i=$((i + 1))
done
finish
