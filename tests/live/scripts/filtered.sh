#!/bin/bash
# Shipped scripts by name, each with a filter, on a live machine: clients and servers with known
# traffic, beside other traffic that the filter rejects.
. "$(dirname "$0")/../lib.bash"
need python3 ping
cd "$LIVE/../.." || exit 1
export TZ=UTC

pair c s 10.181.0 fd7b
ip -n c neigh replace fd7b::2 lladdr "$(mac s vs)" nud permanent dev vc
ip -n s neigh replace fd7b::1 lladdr "$(mac c vc)" nud permanent dev vs
V="$LIVE/helpers/visitors"
in_ns c ping -qc 1 10.181.0.2 >/dev/null && in_ns c ping -qc 1 fd7b::2 >/dev/null || fail 'no connection'

# Scripts that print at intervals run for one interval.
seconds() {
	case $1 in *top | *stat | tcpsubnet | dnslat) echo 1000 ;; esac
}
while read -r name args; do
	# shellcheck disable=SC2086
	: >"$T/$name.out"
	setpriv --pdeathsig KILL "$DTRACE" -x footer -x defaultargs -s "$name" $args -n "$READY" $(seconds "$name") >"$T/$name.out" 2>"$T/$name.err" &
	dt_pid[$name]=$!
	dt_ready "$name" || finish
done <<X
solisten -x laddr=10.181.0.2
tcpconnect -x raddr=10.181.0.2 -x rport=7801
tcpaccept -x execname=v-server -x laddr=fd7b::2 -x port=7801
tcptracer -x netns=c -x port=7801
tcprtt -x lport=7801 -x addr=10.181.0.0/24
tcpsubnet -x addr=10.181.0.0/24,fd7b::/48 -x lport=7801
tcpreset -x netns=s
tcpsynbl -x lport=7801 -x netns=s
acceptlat -x lport=7801 -x netns=s
tcpcong -x lport=7801 -x netns=s -x ipver=4
udpsnoop -x netns=c -x ipver=6 -x rport=7805
tcpstat -x netns=c
tcpwhy -x execname=v-client -x addr=10.181.0.2
dnslat -x netns=c -x raddr=10.181.0.2
gethostlatency -x execname=v-dns -x ipver=4
udpstat -x netns=s -x lport=7805
ipio -x netns=c -x ipver=6 -x port=7805
ipproto -x netns=c -x ipver=6 -x port=7805
ipsize -x netns=c -x ipver=6 -x port=7805
ipstat -x netns=c -x addr=fd7b::2 -x port=7805
iptop -x netns=c -x addr=fd7b::2 -x port=7805
udpdrop -x netns=s -x lport=7899
tcpconnlog -x rport=7801 -x netns=c
tcpconnlat -x ipver=6 -x netns=c
tcp1stbyte -x addr=10.181.0.2 -x netns=c
tcpstates -x netns=c -x ipver=4
tcprwnd -x execname=v-server -x addr=10.181.0.0/24
tcpsnoop -x port=7802 -x netns=c
tcptop -x lport=7801 -x netns=s
tcpscan -x addr=10.181.0.0/24
netlat -x netns=c -x port=7801
tcpretrans -x netns=c -x raddr=10.181.0.9
tcplife -x execname=v-client -x raddr=fd7b::2
tcpdrop -x ipver=4 -x port=7802 -x netns=s
udptop -x netns=c -x rport=7805
connaudit -x netns=c -x rport=7801
pktway -x netns=c -x ipver=6 -x port=7805
health -x netns=c
X
background server s "$V" server 10.181.0.2 fd7b::2
server=$(awk '{ print $2 }' "$T/server.srv")
in_ns c timeout 120 "$V" client 10.181.0.2 && in_ns c timeout 120 "$V" client fd7b::2 || fail 'the visitors failed'
in_ns c timeout 120 "$V" full 10.181.0.2 && in_ns c timeout 120 "$V" full fd7b::2 || fail 'the visitors failed'
# Two absent hosts: packets to them are retransmitted.
for a in 10.181.0.9 fd7b::9; do
	ip -n c neigh replace $a lladdr 02:77:00:00:00:99 nud permanent dev vc
	in_ns c python3 -c 'import socket, sys
try:
    socket.create_connection((sys.argv[1], 7801), 1.2)
except OSError:
    print("done")' $a >"$T/$a.gone" &
done
# v-dns and v-other ask a DNS server over IPv4 and IPv6. It answers at once.
cat >"$T/dns.py" <<'END'
import socket, sys, struct
name, to, at = sys.argv[1:4]
open("/proc/self/comm", "w").write(name)
s = socket.socket(socket.AF_INET6 if ":" in to else socket.AF_INET, socket.SOCK_DGRAM)
if name == "v-dnsd":
    s.bind((to, 53))
    print("listening", flush=True)
    while True:
        q, a = s.recvfrom(1000)
        s.sendto(q[:2] + struct.pack(">H", 0x8180 | (2 if b"fail" in q else 0)) + q[4:], a)
for i, n in enumerate((b"\4host\2go", b"\4fail\2go", b"\4host\2go")):
    s.sendto(struct.pack(">HHHHHH", i, 256, 1, 0, 0, 0) + n + b"\0" + struct.pack(">HH", 1, 1), (to, 53))
    s.recv(1000)
END
for to in 10.181.0.2 fd7b::2; do
	background "dns$to" s python3 "$T/dns.py" v-dnsd $to 53 || fail 'no DNS'
	for name in v-dns v-other; do
		in_ns c timeout 120 python3 "$T/dns.py" $name $to 53 || fail 'nobody asks'
	done
done
# Datagrams to closed ports.
in_ns c python3 -c 'import socket
for to in "10.181.0.2", "fd7b::2":
    socket.socket(socket.AF_INET6 if ":" in to else socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", (to, 7899))'
for a in 10.181.0.9 fd7b::9; do
	for ((i = 0; i < 200; i++)); do
		grep -q done "$T/$a.gone" && break
		sleep 0.05
	done
done
sleep 0.3
timeout 120 "$DTRACE" -x execname=v-server -x laddr=10.181.0.2 -s tcpwho >"$T/tcpwho.out" 2>"$T/err" || fail 'tcpwho fails'
for name in "${!dt_pid[@]}"; do
	dt_stop "$name" || fail "$name ends with status $?"
	lossless "$name" >/dev/null
done

lines() { # lines NAME RE: prints the number of matching lines
	grep -cE "$2" "$T/$1.out"
}
total() { # total NAME COLUMN: prints the sum of the column over the lines that begin with a time of day
	awk -v c="$2" '$1 ~ /^[0-9]+:[0-9:]+$/ { n += $c } END { print n + 0 }' "$T/$1.out"
}
same 'solisten: both ports of the one address' 2 "$(lines solisten "^ *$server v-server +[0-9]+ +64 780[13] +10\.181\.0\.2$")"
same 'solisten: nothing else' 0 "$(lines solisten 'fd7b::2')"
same 'tcpconnect' 3 "$(lines tcpconnect '^ *[0-9]+ v-client +4 10\.181\.0\.1 +[0-9]+ 10\.181\.0\.2 +7801$')"
same 'tcpconnect: no other' 3 "$(lines tcpconnect v-)"
same 'tcpaccept' 3 "$(lines tcpaccept "^ *$server v-server +6 fd7b::1 +[0-9]+ fd7b::2 +7801$")"
same 'tcpaccept: no other' 3 "$(lines tcpaccept v-)"
same 'tcptracer: connected' 6 "$(lines tcptracer '^C +[0-9]+ v-client ')"
same 'tcptracer: ended' 6 "$(lines tcptracer '^X +[0-9]+ v-client ')"
same 'tcptracer: the other namespace' 0 "$(lines tcptracer '^A')"
same 'tcprtt: one host' 1 "$(lines tcprtt '^ *[0-9]+ +[0-9]+ +[0-9]+ +[1-9][0-9]* 10\.181\.0\.1$')"
same 'tcprtt: no other' 0 "$(lines tcprtt 'fd7b')"
same 'tcpsubnet' "3000 3000" "$(awk '$3 == "10.181.0.0/24" { a += $1 } $3 == "fd7b::/48" { b += $1 } END { print a, b }' "$T/tcpsubnet.out")"
same 'tcpreset: refused' 8 "$(lines tcpreset ' closed +7802 -> ')"
same 'tcpsynbl: SYNs' 6 "$(awk '$5 == "v-server" && $3 == 64 { n += $1 } END { print n + 0 }' "$T/tcpsynbl.out")"
same 'acceptlat: accepted' '7801 6' "$(awk 'NF == 7 && $3 ~ /^[0-9]+$/ && $7 ~ /^[0-9]+$/ { print $7, $3 }' "$T/acceptlat.out" | xargs)"
same 'tcpcong: connections' 3 "$(lines tcpcong '^ *7801 10\.181\.0\.1 +[0-9]+ +[1-9][0-9]* +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$')"
same 'udpsnoop' '10 10' "$(lines udpsnoop 'v-client +50 +7806 -> fd7b::2 +7805$') $(lines udpsnoop 'v-client +70 +7806 <- fd7b::2 +7805$')"
same 'udpsnoop: no other' 20 "$(lines udpsnoop v-)"
same 'dnslat: one server' 1 "$(lines dnslat '^ *6 +6 +2 +[0-9]+ +[0-9]+ 10\.181\.0\.2$')"
same 'dnslat: no other' 0 "$(lines dnslat 'fd7b')"
same 'gethostlatency' '2 1' "$(lines gethostlatency ' v-dns +[0-9]+\.[0-9]{3} A +NOERROR +host\.go$') $(lines gethostlatency ' v-dns .* SERVFAIL +fail\.go$')"
same 'gethostlatency: no other' 3 "$(lines gethostlatency '\.go$')"
same 'tcpstat: connections' '8 0 8' "$(total tcpstat 6) $(total tcpstat 7) $(total tcpstat 8)"
# Three connections with answers after 20 ms, and four refused ones. The columns of tcpwhy add up to
# the whole time.
why=$(awk '$3 == "out" { port = $5; getline; sum = $2 + $3 + $4 + $5 + $6 + $7
	print port, ($3 + $7 >= 20000 && $3 > 15000), ($1 - sum >= 0 && $1 - sum < 8), $1 == $2 }' "$T/tcpwhy.out" | sort | uniq -c | xargs)
same 'tcpwhy' '3 7801 1 1 0 4 7802 0 1 1' "$why"
same 'tcpwhy: no other' 7 "$(lines tcpwhy v-)"
same 'udpstat' '10 700 10 500 10 700 10 500' "$(for c in 2 3 4 5 6 7 8 9; do total udpstat $c; done | xargs)"
# Ten datagrams of 50 bytes in one direction, ten of 70 bytes back.
same 'ipio' '10 10 20' "$(lines ipio ' send +58 .* fd7b::1 +-> fd7b::2$') $(lines ipio ' receive +78 .* fd7b::2 +-> fd7b::1$') $(lines ipio ' -> ')"
same 'ipproto' '10 780 UDP fd7b::2 fd7b::1' "$(awk '/fd7b/ { print $1, $2, $3, $4, $5 }' "$T/ipproto.out")"
same 'ipsize' '1 1' "$(lines ipsize '^send: mean 58, largest 58 bytes$') $(lines ipsize '^receive: mean 78, largest 78 bytes$')"
same 'ipstat' '0 0 0 0 10 980 10 1180' "$(for c in 2 3 4 5 6 7 8 9; do total ipstat $c; done | xargs)"
same 'iptop' '780 fd7b::2' "$(awk 'NF == 2 && $1 ~ /^[0-9]+$/ { n += $1; f = $2 } END { print n, f }' "$T/iptop.out")"
same 'udpdrop' '1 1 2' "$(lines udpdrop '^ *-1 <unknown> +7899 10\.181\.0\.1 +[0-9]+ NO_SOCKET$') $(lines udpdrop ' 7899 fd7b::1 +[0-9]+ NO_SOCKET$') $(awk 'NF == 2 && $1 == "NO_SOCKET" { print $2 }' "$T/udpdrop.out")"
same 'tcpconnlog' '6 0' "$(lines tcpconnlog " v-client +out +[0-9]+ .* 7801\$") $(lines tcpconnlog '780[23]')"
same 'tcpconnlat' '3 1 0' "$(lines tcpconnlat " v-client +fd7b::2 +7801 ") $(lines tcpconnlat " v-full +fd7b::2 +7803 ") $(lines tcpconnlat '10\.181')"
same 'tcp1stbyte' '1 0' "$(lines tcp1stbyte '^ *10\.181\.0\.2 7801$') $(lines tcp1stbyte 'fd7b')"
same 'tcpstates' '3 0' "$(lines tcpstates ' syn-sent -> established +[0-9]+ 10\.181\.0\.2 +7801$') $(lines tcpstates 'fd7b|listen')"
same 'tcprwnd' '1 0' "$(lines tcprwnd "^here .* $server v-server +10\.181\.0\.1 ") $(lines tcprwnd 'there|fd7b')"
same 'tcpsnoop' '16 0' "$(lines tcpsnoop ' 7802( |$)') $(lines tcpsnoop ' 780[13]( |$)')"
same 'tcptop' '6000 600 0' "$(awk '$5 == 7801 { n[$6] += $3 } END { print n["->"], n["<-"] }' "$T/tcptop.out") $(lines tcptop 'v-client|7803|7802')"
same 'tcpscan' '1 0' "$(lines tcpscan '^refused +4 10\.181\.0\.1 +7802$') $(lines tcpscan 'fd7b')"
same 'tcpretrans' '1 0' "$(lines tcpretrans ' 0 syn .* 10\.181\.0\.9 +7801$') $(lines tcpretrans 'fd7b')"
same 'tcplife' '3 3' "$(lines tcplife ' v-client +100 +1000 ') $(lines tcplife 'v-')"
same 'tcpdrop' '4 0' "$(lines tcpdrop ' 7802 NO_SOCKET$') $(lines tcpdrop 'fd7b|780[13]')"
same 'udptop' '1000 1400 0' "$(awk '$2 == "v-client" { n[/->/] += $3 } END { print n[1], n[0] }' "$T/udptop.out") $(lines udptop 'v-server')"
same 'connaudit' '6 6' "$(lines connaudit ' how=out verdict=closed .* rport=7801 sent=100 received=1000 comm=v-client$') $(lines connaudit 'comm=v-')"
same 'tcpwho' '2 0' "$(lines tcpwho "^ *$server v-server +listen +10\.181\.0\.2 +780[13] ") $(lines tcpwho 'fd7b')"
# Ten datagrams each way: a datagram that leaves has three lines, and so has one that arrives.
same 'pktway' '10 10 10 10 10 10' "$(for s in send queue start-xmit backlog rx receive; do lines pktway "^[0-9]+\.[0-9]+ +[0-9.]+ $s +vc "; done | xargs)"
same 'pktway: no other' 0 "$(lines pktway '10\.181|vs')"
same 'health: resets, refusals, failures' '8 8 4' "$(sed -nE 's/^(TCP resets received|connections that others refuse|DNS answers that are failures) +[a-z]+ +([0-9]+) .*/\2/p' "$T/health.out" | xargs)"
same 'health: bytes' '6600 2400' "$(awk '$1 == "v-client" { print $3 }' "$T/health.out" | xargs)"
# Every script about packets and connections must have been tried.
for script in scripts/*.d; do
	name=$(basename "$script" .d)
	grep -qE '^(tcp|udp|ip|dns|icmp):::' "$script" && [ ! -e "$T/$name.out" ] && fail "$name is not tried with a filter"
done
finish
