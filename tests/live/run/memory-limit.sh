# In a control group with little memory dtrace counts the keys that have no room and prints the
# rest, also if -x aggsize asks for more memory than the group has.
. "$(dirname "$0")/../lib.bash"
need python3
DTRACE=${DTRACE_PLAIN:-$DTRACE} # the sanitizers need more memory than the group has

# The group with the limit is in this process's group with cgroup v1, and below the root with cgroup v2.
v1=$(awk -F: '$2 == "memory" { print $3 }' /proc/self/cgroup)
if [ -d /sys/fs/cgroup/memory ] && mkdir "/sys/fs/cgroup/memory$v1/small.$$" 2>/dev/null; then
	group=/sys/fs/cgroup/memory$v1/small.$$ limit=memory.limit_in_bytes
else
	top=/sys/fs/cgroup
	grep -qw memory $top/cgroup.controllers 2>/dev/null || skip 'no control group limits memory here'
	echo +memory >$top/cgroup.subtree_control 2>/dev/null
	mkdir $top/small.$$ 2>/dev/null && [ -e $top/small.$$/memory.max ] || skip 'this control group limits no memory'
	group=$top/small.$$ limit=memory.max
fi
trap 'rmdir "$group"; live_end' EXIT
echo 40M >"$group/$limit" || skip 'memory cannot be limited here'

cat >"$T/seek.py" <<'END'
import os
import sys
fd = os.open("/dev/null", os.O_RDONLY)
for i in range(int(sys.argv[1])):
    os.lseek(fd, (1 << 40) + i, 0)
END
keys=300000
# fits NAME ARGUMENTS...: runs dtrace in the group, and checks that it shows or counts every key
fits() {
	local name=$1
	shift
	# The process enters the group, and keeps its process ID.
	printf '#!/bin/sh\necho $$ >%s/cgroup.procs && exec %s "$@"\n' "$group" "$DTRACE" >"$T/within"
	chmod +x "$T/within"
	DTRACE=$T/within dt_start "$name" "$@" -n 'syscall::lseek:entry /arg1 >= 1 << 40/ { @[arg1] = count(); }
	END { printa("key %d %@d\n", @); }' || return
	python3 "$T/seek.py" $keys
	dt_stop "$name"
	same "$name: status" 0 $?
	local shown dropped
	shown=$(awk '$1 == "key" { n += $3 } END { print n + 0 }' "$T/$name.out")
	dropped=$(sed -n 's/^dtrace: \([0-9]*\) aggregation drops.*/\1/p' "$T/$name.err" | awk '{ n += $1 } END { print n + 0 }')
	same "$name: keys shown and dropped" $keys $((shown + dropped))
	[ "$shown" -gt 10000 ] && [ "$dropped" -gt 10000 ] || fail "$name: $shown shown, $dropped dropped"
}
fits default
fits more -x aggsize=512m
fits maps -x maps=kernel
fits 'more-maps' -x maps=kernel -x aggsize=512m
out=$(DTRACE=$T/within; "$DTRACE" -x aggsize=512m -n 'BEGIN { @[1] = count(); exit(0); }' 2>&1 >/dev/null)
same 'a message reports the lower size' 'dtrace: aggregation size lowered to 5m' "$(grep lowered <<<"$out")"
finish
