#!/bin/bash
# pkt_age is the time since the packet was sent or since a device received it; pkt_age_from says
# which of the two. The test compares it with the time since sending, which the D program measures
# itself. The kernel stamps packets only while a program reads an age. Setting the clock gives no
# negative and no huge age (in a virtual machine only).
. "$(dirname "$0")/../lib.bash"
need python3 tc

pair c s 10.181.0
cat >"$T/talk.py" <<'END'
import socket
import sys
import time

server = len(sys.argv) == 2
if server:
    l = socket.create_server(("10.181.0.2", 7900))
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.bind(("10.181.0.2", 7901))
    print("listening", flush=True)
    c, _ = l.accept()
    while c.recv(100000):
        pass
else:
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for i in range(20):
        u.sendto(b"d" * 100, ("10.181.0.2", 7901))
        time.sleep(0.01)
    c = socket.create_connection(("10.181.0.2", 7900))
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for i in range(20):
        c.send(b"t" * 1300)
        time.sleep(0.01)
END

# At this rate the device needs 28 ms for a segment of 1,400 bytes. The test sends a segment every
# 10 ms, and less often on a busy machine.
in_ns c sysctl -qw net.ipv4.tcp_autocorking=0 net.ipv4.tcp_early_retrans=0
in_ns c tc qdisc add dev vc root tbf rate 400kbit burst 1600 latency 1s 2>/dev/null ||
	skip 'this kernel has no queueing discipline tbf'

# shellcheck disable=SC2016
AGES='
inline struct tcphdr *TCP = (struct tcphdr *)((char *)args[4]->ipv4_hdr + 20);
uint64_t sent[uint32_t], given;
tcp:::send /args[4]->tcp_dport == 7900 && args[2]->ip_daddr == "10.181.0.2" && args[2]->ip_plength > 1000/ {
	sent[args[4]->tcp_seq] = timestamp;
	printf("send %d %d %d\n", args[0]->pkt_age_from, args[0]->pkt_age, 0);
}
ip:::receive /args[3]->if_name == "vs" && args[2]->ip_daddr == "10.181.0.2" && args[2]->ip_plength > 1000 && sent[ntohl(TCP->seq)]/ {
	printf("far %d %d %d\n", args[0]->pkt_age_from, args[0]->pkt_age, timestamp - sent[ntohl(TCP->seq)]);
}
tcp:::receive /args[4]->tcp_dport == 7900 && args[2]->ip_daddr == "10.181.0.2" && args[2]->ip_plength > 1000 && sent[args[4]->tcp_seq]/ {
	printf("near %d %d %d\n", args[0]->pkt_age_from, args[0]->pkt_age, timestamp - sent[args[4]->tcp_seq]);
}
udp:::send /args[4]->udp_dport == 7901 && args[2]->ip_daddr == "10.181.0.2"/ {
	given = timestamp;
	printf("datagram %d %d %d\n", args[0]->pkt_age_from, args[0]->pkt_age, 0);
}
udp:::receive /args[4]->udp_dport == 7901 && args[2]->ip_daddr == "10.181.0.2"/ {
	printf("device %d %d %d\n", args[0]->pkt_age_from, args[0]->pkt_age, timestamp - given);
}
BEGIN { printf("names %d %d %d\n", PKT_AGE_UNKNOWN, PKT_AGE_DEVICE, PKT_AGE_SENDER); }'
background server s python3 "$T/talk.py" server || fail 'the server does not start'
dt_start ages -x footer -n "$AGES"
in_ns c python3 "$T/talk.py"
settled c s
dt_stop ages
lossless ages

# rows NAME TEST: prints whether there are enough lines of the kind NAME, and the number of these
# lines that fail TEST. TCP may send two of the 20 writes together.
rows() {
	awk -v kind="$1" '$1 == kind { n++; if (!('"$2"')) { bad++; print > "/dev/stderr" } }
		END { print (n >= 15 && n <= 20), bad + 0 }' "$T/ages.out"
}
same 'PKT_AGE_UNKNOWN, PKT_AGE_DEVICE and PKT_AGE_SENDER are 0, 1 and 2' 'names 0 1 2' "$(grep names "$T/ages.out")"
same 'TCP: a sent segment has an age since TCP sent it' '1 0' "$(rows send '$2 == 2 && $3 > 0 && $3 < 1e7')"
same 'TCP: at the device of the other end, the age runs since the segment was sent' '1 0' \
	"$(rows far '$2 == 2 && $3 >= $4 * 0.9 && $3 <= $4 * 1.1 + 1e6')"
same 'some segments waited in the queueing discipline' 1 "$(awk '$1 == "far" && $4 > 1e7 { n++ } END { print (n > 3) }' "$T/ages.out")"
same 'TCP: a received segment has an age since the device received it' '1 0' "$(rows near '$2 == 1 && $3 > 0 && $3 < $4')"
same 'UDP: the age of a sent datagram is unknown' '1 0' "$(rows datagram '$2 == 0 && $3 == 0')"
same 'UDP: a received datagram has an age since the device received it' '1 0' "$(rows device '$2 == 1 && $3 > 0 && $3 < $4')"

# ------------------------------------------------------------------- stamps

# stamped NAME: prints 1 if datagrams arrive with a time stamp, and 0 if not
stamped() {
	dt_start "$1" -n 'rawtp:::netif_receive_skb /args[0]->len > 1000 && stringof(args[0]->dev->name) == "vs"/ {
		@[args[0]->tstamp != 0] = count(); } END { printa("%d\n", @); }'
	in_ns c python3 -c 'import socket
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(5): u.sendto(b"d" * 1100, ("10.181.0.2", 7902))'
	settled c s
	dt_stop "$1"
	grep -o '^[01]$' "$T/$1.out"
}
before=$(stamped before)
dt_start reads -n 'udp:::receive { @ = max(args[0]->pkt_age); }'
during=$(stamped during)
dt_stop reads
dt_start names -n 'udp:::receive /0/ { @ = max(args[0]->pkt_age_from); } udp:::receive { @a[args[0]->pkt_addr] = count(); }'
after=$(stamped after)
dt_stop names
same 'the kernel stamps datagrams while a program reads an age' 1 "$during"
if [ "$before" = 0 ] && [ "$after" != 0 ]; then
	sleep 2 # the kernel stops stamping a moment later
	after=$(stamped later)
fi
if [ "$before" = 0 ] && [ -n "${IN_VM:-}" ]; then
	same 'the kernel does not stamp datagrams for programs that read no age' 0 "$after"
else
	echo "stamped without such a program: before $before, after $after"
fi

# -------------------------------------------------------------------- clock

if [ -n "${IN_VM:-}" ]; then
	in_ns c tc qdisc del dev vc root
	dt_start step -n 'udp:::receive /args[4]->udp_dport == 7903 && args[2]->ip_daddr == "127.0.0.1"/ { @n = count(); @most = max(args[0]->pkt_age);
		@known = sum(args[0]->pkt_age != 0); }
		END { printa("%@d %@d %@d\n", @n, @most, @known); }'
	in_ns s python3 - <<'END'
import socket
import time
r = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
r.bind(("127.0.0.1", 7903))
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for step in 3600, -7200, 5, -5, 3600, 0.2, -0.2:
    for i in range(100):
        if i == 50:
            time.clock_settime(time.CLOCK_REALTIME, time.time() + step)
        u.sendto(b"d", ("127.0.0.1", 7903))
        r.recv(10)
    time.sleep(0.2)
END
	dt_stop step
	same 'setting the clock makes no age negative or huge' '700 1 1' \
		"$(awk 'NF == 3 { print $1, ($2 < 2e8), ($3 > 400) }' "$T/step.out")" "$(xargs <"$T/step.out")"
fi
finish
