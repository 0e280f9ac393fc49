# The traffic matrix under Debian's 6.12, which has features that this kernel may lack. Each row
# runs twice at the same time: with and without traced functions.
. "$(dirname "$0")/../vm/lib.bash"

deb=$("$VM/kernels" 6.12) || skip 'no package of Linux 6.12'
helpers traffic
# Rows whose hooks differ under 6.12, or that need features which this machine's kernel lacks.
# MATRIX=all takes all rows.
rows='vlan-in-frame macvlan ifb sit l2tp esp-transport esp-tunnel via-macvlan'
[ "${MATRIX:-}" != all ] || rows=
# shellcheck disable=SC2086
VM_TIMEOUT=1700 "$VM/run" "$deb" env DTRACE="$DTRACE" HELPERS="$HELPERS" ASAN_OPTIONS=detect_leaks=0 MATRIX_BOTH=1 \
	bash "$VM/../matrix/here.sh" $rows >"$T/matrix" 2>&1
status=$?
[ "$status" != 125 ] || skip "no guest starts here: $(tail -n 1 "$T/matrix")"
grep -v '^ok' "$T/matrix"
[ "$status" = 0 ] || fail "6.12: status $status"
for kind in 'traced' 'not traced'; do
	grep -q "functions $kind$" "$T/matrix" || fail "6.12: no run with functions $kind"
done
echo "6.12: $(grep -c '^ok' "$T/matrix") comparisons"
finish
