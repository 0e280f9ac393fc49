# An associative array without room for another key reports the lost stores, and still works.
. "$(dirname "$0")/../lib.bash"
"$DTRACE" -qn 'syscall::read:entry /pid == $target/ { n++; a[n] = n; } END { printf("%d %d\n", a[5], a[99999999]); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=1 count=300000' >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
lost=$(sed -n 's/^dtrace: \([0-9]*\) dynamic variable drops$/\1/p' "$T/err" | awk '{ n += $1 } END { print n + 0 }')
[ "$lost" -ge 30000 ] && [ "$lost" -le 38100 ] || fail "of 300,000 keys $lost had no room, not some 37,900"
grep -q '^5 0$' "$T/got" || fail "what is in the array: $(cat "$T/got")"
finish
