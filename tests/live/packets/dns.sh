# dns: queries and responses of processes, over IPv4 and IPv6. A response shows the owner of its
# query.
. "$(dirname "$0")/../lib.bash"
need python3

pair c s 10.184.0 fd84
ip -n c neigh replace fd84::2 lladdr "$(mac s vs)" nud permanent dev vc
ip -n s neigh replace fd84::1 lladdr "$(mac c vc)" nud permanent dev vs

# The first label of a query selects how the server answers. The client sends six queries from one
# socket, and two queries with the same ID from another.
cat >"$T/talk.py" <<'END'
import os, socket, struct, sys, time
def name(pid):
    with open("/proc/self/comm", "w") as f:
        f.write(pid)
def labels(n):
    return b"".join(bytes([len(x)]) + x.encode() for x in n.split(".") if x) + b"\0"
def server():
    name("d-server")
    ss = []
    for family, to in ((socket.AF_INET, "10.184.0.2"), (socket.AF_INET6, "fd84::2")):
        s = socket.socket(family, socket.SOCK_DGRAM)
        s.bind((to, 53))
        ss.append(s)
    print("listening", os.getpid(), flush=True)
    import select
    while True:
        for s in select.select(ss, [], [])[0]:
            q, a = s.recvfrom(2000)
            first = q[13:13 + q[12]].decode()
            if first == "silent":
                continue
            if first == "slow":
                time.sleep(.2)
            flags = 0x8180 | (3 if first == "no" else 0)
            s.sendto(q[:2] + struct.pack(">HHHHH", flags, 1, 0 if first == "no" else 2, 0, 0) + q[12:] + bytes(200), a)
def ask(s, to, i, n, kind):
    s.sendto(struct.pack(">HHHHHH", i, 0x0100, 1, 0, 0, 0) + labels(n) + struct.pack(">HH", kind, 1), (to, 53))
def client(to):
    name("d-client")
    print("client", os.getpid(), flush=True)
    family = socket.AF_INET6 if ":" in to else socket.AF_INET
    s = socket.socket(family, socket.SOCK_DGRAM)
    for i, (n, kind) in enumerate((("www.example.org", 1), ("no.example", 28), ("slow.example", 1),
                                   ("x" * 63 + ".example", 16), (".", 2), ("good.com\0.evil\\.org", 28))):
        ask(s, to, 100 + i, n, kind)
        s.recv(2000)
    t = socket.socket(family, socket.SOCK_DGRAM)
    t.connect((to, 53))
    ask(s, to, 200, "silent.example", 1)
    t.send(struct.pack(">HHHHHH", 200, 0, 1, 0, 0, 0) + labels("www.other") + struct.pack(">HH", 65, 1))
    t.recv(2000)
server() if sys.argv[1] == "server" else client(sys.argv[1])
END
background server s python3 "$T/talk.py" server
# A statement with many names: 40 comparisons (only the last one can be true), and ten uses of one
# name.
none=$(for i in $(seq 39); do printf 'args[4]->dns_name == "host%d.example" || ' "$i"; done)
ten=$(printf ', args[4]->dns_name%.0s' $(seq 10))
dt_start dns -x footer -n "
	dns:::query /args[1]->cs_netns == $(inum c)/ {
		printf(\"q %d %s %d %d %s %s %d\n\", args[2]->ip_ver, args[1]->cs_execname, args[1]->cs_pid, args[4]->dns_id,
		    args[4]->dns_name, args[4]->dns_typestr, args[3]->udps_rport);
	}
	dns:::response /args[1]->cs_netns == $(inum c)/ {
		printf(\"r %d %s %d %d %s %s %s %d\n\", args[2]->ip_ver, args[1]->cs_execname, args[1]->cs_pid, args[4]->dns_id,
		    args[4]->dns_name, args[4]->dns_typestr, args[4]->dns_rcodestr, args[4]->dns_answers);
		printf(\"%s %d %s\n\", args[4]->dns_name == \"slow.example\" ? \"slow\" : \"latency\",
		    args[4]->dns_latency > 0 && args[4]->dns_latency < 100000000000,
		    args[4]->dns_latency >= 200000000 ? \"long\" : \"short\");
	}
	dns:::query /args[1]->cs_netns == $(inum c) && ($none args[4]->dns_name == \"www.other\")/ {
		printf(\"many%s\n\", \"\");
		printf(\"ten%s%s%s%s%s%s%s%s%s%s\n\"$ten);
	}
	dns:::query, dns:::response /args[1]->cs_netns == $(inum s)/ { printf(\"the server's\n\"); }"
for to in 10.184.0.2 fd84::2; do
	in_ns c timeout 120 python3 "$T/talk.py" $to >>"$T/pids" || fail "no client $to"
done
sleep 0.2
dt_stop dns
lossless dns
x63=$(printf 'x%.0s' $(seq 63))
v=4
while read -r _ pid; do
	for q in '100 www.example.org A' '101 no.example AAAA' '102 slow.example A' "103 $x63.example TXT" '104 . NS' \
		'105 good.com\000.evil\\.org AAAA' \
		'200 silent.example A' '200 www.other HTTPS'; do
		set -- $q
		echo "q $v d-client $pid $q 53"
		case $2 in
		silent*) ;;
		no*) echo "r $v d-client $pid $q NXDOMAIN 0" ;;
		*) echo "r $v d-client $pid $q NOERROR 2" ;;
		esac
	done
	v=6
done <"$T/pids" | sort >"$T/wanted"
grep -E '^[qr] ' "$T/dns.out" | sort >"$T/got"
same_files 'queries and responses have the process that asked' "$T/wanted" "$T/got"
same 'comparing many names in one statement' '2 many 2 ten'"$(printf 'www.other%.0s' $(seq 10))" \
	"$(grep -E '^(many|ten)' "$T/dns.out" | sort | uniq -c | xargs)"
same 'no event belongs to the server' 0 "$(grep -c server "$T/dns.out")"
same 'latencies of a slow query and of a repeated query' '2 slow 1 long' "$(grep '^slow' "$T/dns.out" | sort | uniq -c | xargs)"
same 'each of the other responses has a latency' 12 "$(grep -c '^latency 1' "$T/dns.out")"
finish
