# A program at the end of a wait for a lock may fire within another program, which may have locks of
# its own. So it does nothing while another program is active. For this, the other programs count
# themselves as active, with an atomic addition. END runs when no program is attached.
. "$(dirname "$0")/../lib.bash"

counted() { "$DTRACE" -e -x dump=bpf -n "$1 { trace(1); }" | grep -c 'lock .*(r[0-9] +0) +='; }

for probe in BEGIN tick-1s profile-97hz iter:::bpf_prog rawtp:::sched_switch; do
	same "$probe alone counts nothing" 0 "$(counted $probe)"
	same "$probe counts itself beside a probe of locks" 2 "$(counted "$probe, rawtp:::contention_end")"
done
same "END does not count itself" 0 "$(counted "END, rawtp:::contention_end")"
finish
