# The keeper of a run is the process that starts dtrace, and ends dtrace when the run's lease is
# over. The lease is the time that a run may continue without the server. A lease may be very short
# or very long.
set -u
export LC_ALL=C
: "${FLEET:?must be the path of dtrace-fleet}"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
bad=0

now=$(python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_BOOTTIME))')
# keep SECONDS AGE: runs a keeper whose lease is SECONDS long and was renewed AGE seconds ago. Prints how
# the run ends.
keep() {
	mkdir -p "$T/run"
	echo $((now - $2 * 1000000000)) >"$T/lease"
	"$FLEET" keep "$T/run" "$T/lease" "$1" $(($(date +%s) + 600)) 1000000 1000000000 1000 0 sleep 2
	cat "$T/run/end"
	rm -r "$T/run"
}
# 2^64 nanoseconds are 18446744073.7 seconds.
[ "$(keep 18446744074 5)" = 'done ' ] || { echo 'WRONG: a lease of 585 years is over'; bad=1; }
[ "$(keep 600 5)" = 'done ' ] || { echo 'WRONG: a lease of ten minutes is over'; bad=1; }
[ "$(keep 600 -60)" = 'done ' ] || { echo 'WRONG: a lease that was renewed just now is over'; bad=1; }
keep 3 60 | grep -q '^lease the server was away for 3 seconds' || { echo 'WRONG: a lease is never over'; bad=1; }
exit $bad
