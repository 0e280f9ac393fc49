# In a cgroup namespace (most containers), dtrace sees the traffic of other cgroups and knows the
# owners of their sockets, even if only the namespace's own part of the tree is mounted. If the root
# cgroup is out of reach, a message says so.
. "$(dirname "$0")/../lib.bash"
need setpriv
helper traffic

mkdir "$T/tree"
mount -t cgroup2 none "$T/tree" || skip 'no cgroup2 here'
[ "$(stat -c %i "$T/tree")" = 1 ] || skip 'this is a cgroup namespace already'
box=$T/tree/dtrace-test-$$
mkdir "$box" || skip 'no cgroup can be made'
box_end() {
	local p
	for p in $(cat "$box/cgroup.procs"); do kill -KILL "$p"; done
	until rmdir "$box"; do sleep 0.1; done 2>/dev/null
	umount "$T/tree"
	live_end
}
trap box_end EXIT

# in_box TREE COMMAND...: runs the command in its own cgroup and cgroup namespace. TREE is the part
# of cgroup2 mounted there: "whole" (unchanged), "own", or "none".
in_box="bash $T/in_box"
cat >"$T/in_box" <<'EOF'
echo $$ >"$BOX/cgroup.procs" || exit 1
exec unshare -Cm --propagation private bash "$T/in_namespace" "$@"
EOF
cat >"$T/in_namespace" <<'EOF'
tree=$1
shift
if [ "$tree" != whole ]; then
	tac /proc/self/mountinfo | awk '/ - cgroup2 / { print $5 }' | while read -r m; do umount "$m"; done
	mkdir -p "$T/own"
	[ "$tree" = none ] || mount -t cgroup2 none "$T/own" || exit 1
fi
exec "$@"
EOF
export T BOX=$box

# Traffic of processes outside of the box, in another network namespace.
ns out
traffic() {
	local sink
	background sink out "$T/traffic" sink 127.0.0.1 7001 && sink=$! &&
		background srv out "$T/traffic" serve 127.0.0.1 7002 &&
		in_ns out "$T/traffic" udp 127.0.0.1 7001 100 50 &&
		in_ns out "$T/traffic" tcp 127.0.0.1 7002 1000
	disown "$sink"
	kill -KILL "$sink"
}
PROGRAM='
ip:::send, ip:::receive
/ args[3]->if_ipstack == '"$(inum out)"' && args[4]->ipv4_protocol == 17 /
{
	@[probeprov, probename, "-"] = count();
}
udp:::send, udp:::receive / args[1]->cs_netns == '"$(inum out)"' / { @[probeprov, probename, "-"] = count(); }
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established
/ args[1]->cs_netns == '"$(inum out)"' /
{
	@[probeprov, probename, args[1]->cs_execname] = count();
}
END { printa("%s %s %s %@d\n", @); }'

cat >"$T/all" <<'EOF'
ip receive - 50
ip send - 50
tcp accept-established traffic 1
tcp connect-established traffic 1
tcp connect-request traffic 1
udp receive - 50
udp send - 50
EOF

# seen NAME COMMAND...: the command starts dtrace, which writes the traffic it sees to $T/NAME.seen
seen() {
	local name=$1
	shift
	: >"$T/$name.out" # removes the READY of an earlier run
	setpriv --pdeathsig KILL "$@" setpriv --pdeathsig KILL "$DTRACE" -qn "$PROGRAM" -n "$READY" >"$T/$name.out" 2>"$T/$name.err" &
	dt_pid[$name]=$!
	dt_ready "$name" || return 1
	traffic || fail "$name: no traffic"
	kill -INT $(cat "$box/cgroup.procs")
	dt_wait "$name"
	grep -v READY "$T/$name.out" | sed '/^$/d' | sort >"$T/$name.seen"
}

told() {
	grep -c 'sockets outside of this cgroup namespace are not seen' "$T/$1.err"
}

for tree in whole own none; do
	seen "$tree" $in_box "$tree"
	same_files "$tree: dtrace sees all traffic with its owners" "$T/all" "$T/$tree.seen"
	same "$tree: no message" 0 "$(told "$tree")"
done

# Without the capability to open the root cgroup by its handle, dtrace uses the namespace and mounts
# of process 1. If process 1 is itself in the box, dtrace sees only the traffic of the box.
less='setpriv --bounding-set -dac_read_search --inh-caps -dac_read_search'
alone='unshare --mount-proc -pf --kill-child'

seen first $less $alone bash -c '"$@"; :' - $in_box own
same_files 'by way of process 1: dtrace sees all traffic with its owners' "$T/all" "$T/first.seen"
same 'by way of process 1: no message' 0 "$(told first)"

seen rootless $in_box own $less $alone
same 'root cgroup out of reach: dtrace prints a message' 1 "$(told rootless)"
same 'root cgroup out of reach: the probes that fire' 'ip receive - 50' "$(cat "$T/rootless.seen")"
finish
