# The kernel gives a new network namespace the number of a deleted one. dtrace does not show the old
# name for the new namespace, and a filter by name does not match it.
. "$(dirname "$0")/../lib.bash"
need python3 nsenter

connects='import socket
socket.socket().connect_ex(("127.0.0.1", 7019))'
# in_new_ns COMMAND: runs the command in a new namespace and prints the namespace's number
in_new_ns() {
	unshare -n sh -c 'stat -Lc %i /proc/self/ns/net; ip link set lo up; eval "$1"' sh "$1"
}
prog='tcp:::connect-request /args[3]->tcps_rport == 7019/ { printf("%d name=%s\n", args[1]->cs_netns, args[1]->cs_netns_name);
	@[args[1]->cs_netns_name] = count(); }
	tcp:::connect-request /args[3]->tcps_rport == 7019 && args[1]->cs_netns_name == "blue"/ { printf("%d is blue\n", args[1]->cs_netns); }
	END { printa("key %s %@d\n", @); }'

ns blue
blue=$(inum blue)
dt_start names -n "${prog/args\[1\]->cs_netns_name == \"blue\"/0}"
in_ns blue python3 -c "$connects"
wait_line() { for ((i = 0; i < 200; i++)); do has "$T/$1.out" "$2" && return; pause 0.05; done; fail "no $2"; }
wait_line names "$blue name=blue"
ip netns del blue
# Other programs may make namespaces, too.
for ((i = 0; i < 40; i++)); do
	again=$(in_new_ns "python3 -c '$connects'; sleep 0.3")
	[ "$again" != "$blue" ] || break
done
dt_stop names
if [ "$again" = "$blue" ]; then
	same 'the old name is shown for the old namespace' 1 "$(grep -c "^$blue name=blue$" "$T/names.out")"
	same 'the new namespace has another name, or a number' 1 "$(grep "^$blue " "$T/names.out" | grep -vc name=blue)"
	same 'no key has the old name' 0 "$(grep -c '^key blue' "$T/names.out")"
else
	echo "SKIP: the number was not used again"
fi

ns blue
blue=$(inum blue)
dt_start literal -n "$prog"
dt_start filter -x netns=blue -n "$prog"
in_ns blue python3 -c "$connects"
wait_line filter "$blue name=blue"
ip netns del blue
for ((i = 0; i < 40; i++)); do
	in_new_ns "python3 -c '$connects'; sleep 0.1"
done >"$T/numbers"
dt_stop literal
dt_stop filter
same 'the number of a filter is not used again' 0 "$(grep -c "^$blue\$" "$T/numbers")"
same 'a literal matches only its namespace' 1 "$(grep -c 'is blue' "$T/literal.out")"
same 'a filter matches only its namespace' 1 "$(grep -c name= "$T/filter.out")"
finish
