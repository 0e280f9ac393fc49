# A clause adds keys to an aggregation at a probe in the scheduler. There the kernel cannot allocate
# memory, so dtrace must have allocated it before. The key is pid & 127, because a busy machine may
# have more processes than there is room for.
. "$(dirname "$0")/../lib.bash"

churn() {
	local i
	for ((i = 0; i < 200; i++)); do /bin/true; done
}

dt_start keys -x footer -qn 'rawtp:::sched_* { @[probename, pid & 127] = count(); }' || finish
churn
dt_stop keys
grep -E 'aggregation drops' "$T/keys.err" && fail "keys were lost"
[ "$(grep -c sched_ "$T/keys.out")" -gt 200 ] || fail "the run had too few keys to show a loss"
finish
