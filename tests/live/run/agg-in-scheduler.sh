# New keys of an aggregation with many updates, in the scheduler's context: the kernel can allot
# no memory there, so there must be room from the start (for 8,192 keys: the whole machine's
# processes, when it is busy, would be more).
. "$(dirname "$0")/../lib.bash"

churn() {
	local i
	for ((i = 0; i < 200; i++)); do /bin/true; done
}

dt_start keys -x footer -qn 'rawtp:::sched_* { @[probename, pid & 127] = count(); }' || finish
churn
dt_stop keys
grep -E 'aggregation drops' "$T/keys.err" && fail "keys were lost"
[ "$(grep -c sched_ "$T/keys.out")" -gt 200 ] || fail "too few keys for this to say anything"
finish
