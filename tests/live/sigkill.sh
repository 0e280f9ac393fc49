#!/bin/bash
# SIGKILL at any moment leaves no program of ours in the kernel.
set -u
. "$(dirname "$0")/lib.bash"
command -v bpftool >/dev/null || { echo "SKIP: no bpftool"; exit 77; }
ours() { bpftool prog list 2>/dev/null | grep -cE ' name dt_'; }
"$DTRACE" -qn 'BEGIN { exit(0); }' >/dev/null 2>&1 || { echo "SKIP: this machine cannot trace"; exit 77; }
before=$(ours)
for ms in 0 1 2 3 5 8 12 16 20 30 50 100 200 400; do
	"$DTRACE" -qn 'ip:::send,ip:::receive { @[args[2]->ip_saddr] = count(); printf("%d", args[2]->ip_plength); }
		tick-1ms { n++; } profile-97 { @p = count(); }' >/dev/null 2>&1 &
	pid=$!
	sleep "$(printf '0.%03d' "$ms")"
	kill -9 $pid
	wait $pid 2>/dev/null
done
for i in $(seq 50); do # the kernel frees programs behind our back
	[ "$(ours)" -le "$before" ] && break
	sleep 0.1
done
if [ "$(ours)" -gt "$before" ]; then
	echo "programs left behind:"
	bpftool prog list | grep ' name dt_'
	exit 1
fi
echo "ok: killed 14 times, nothing left"
