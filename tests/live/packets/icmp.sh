# icmp: echoes and errors with their quoted packets, between hosts and through a router. The probes
# count exactly the messages that the commands cause.
. "$(dirname "$0")/../lib.bash"
need ping python3

ns a r b
unlimited a r b
veth a e0 r ra
veth b e0 r rb
addr a e0 10.9.1.1/24 fd09:1::1/64
addr r ra 10.9.1.2/24 fd09:1::2/64
addr r rb 10.9.2.2/24 fd09:2::2/64
addr b e0 10.9.2.1/24 fd09:2::1/64
ip -n a route add default via 10.9.1.2
ip -n a route add default via fd09:1::2
ip -n b route add default via 10.9.2.2
ip -n b route add default via fd09:2::2
in_ns r sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'

cat >"$T/ask.py" <<'END'
import socket
for family, to in ((socket.AF_INET, '10.9.2.1'), (socket.AF_INET6, 'fd09:2::1')):
    s = socket.socket(family, socket.SOCK_DGRAM)
    s.bind(('', 5060))
    s.sendto(b'x', (to, 9))
END
talk() {
	in_ns a ping -qc 5 -i 0.01 10.9.2.1
	in_ns a ping -qc 5 -i 0.01 fd09:2::1
	in_ns a ping -qc 1 -W 1 -t 1 10.9.2.1
	in_ns a ping -qc 1 -W 1 -t 1 fd09:2::1
	in_ns a python3 "$T/ask.py"
	in_ns a ping -qc 3 -i 0.01 -s 4000 10.9.2.1
	in_ns a ping -qc 3 -i 0.01 -s 4000 fd09:2::1
}
in_ns a ping -qc 1 10.9.2.1 >/dev/null # fills the neighbour caches
in_ns a ping -qc 1 fd09:2::1 >/dev/null
settled a r b
dt_start icmp -x footer -n '
	icmp:::send, icmp:::receive { @[probename, args[4]->icmp_name, args[2]->ip_saddr, args[2]->ip_daddr] = count(); }
	icmp:::receive /args[4]->icmp_about_protocol == IPPROTO_UDP/ { @about["about", args[4]->icmp_about_saddr,
	    args[4]->icmp_about_sport, args[4]->icmp_about_daddr, args[4]->icmp_about_dport] = count(); }
	icmp:::send /args[1]->cs_execname == "ping"/ { @who["ping", args[4]->icmp_name, args[2]->ip_saddr] = count(); }
	END { printa("%s %s %s>%s %@d\n", @); printa("%s %s:%d>%s:%d %@d\n", @about); printa("%s %s %s %@d\n", @who); }'
talk >/dev/null
settled a r b
dt_stop icmp
lossless icmp
has() {
	grep -qxF -- "$1" "$T/icmp.out" && echo "ok: $1" || fail "not: $1"
}
# A forwarded message is sent by a and r, and received by r and b. Three messages are
# in fragments, and the first fragment of each counts.
has 'send echo-request 10.9.1.1>10.9.2.1 17'
has 'receive echo-request 10.9.1.1>10.9.2.1 17'
has 'receive echo-request fd09:1::1>fd09:2::1 17'
has 'send echo-reply 10.9.2.1>10.9.1.1 16'
has 'receive echo-reply fd09:2::1>fd09:1::1 16'
has 'send time-exceeded 10.9.1.2>10.9.1.1 1'
has 'receive time-exceeded fd09:1::2>fd09:1::1 1'
has 'receive unreachable 10.9.2.1>10.9.1.1 2'
has 'send unreachable fd09:2::1>fd09:1::1 2'
has 'about 10.9.1.1:5060>10.9.2.1:9 2'
has 'about fd09:1::1:5060>fd09:2::1:9 2'
has 'ping echo-request 10.9.1.1 9'
has 'ping echo-request fd09:1::1 9'
[ "$failed" = 0 ] || cat "$T/icmp.out"
finish
