#!/bin/bash
# Scripts that print a number of TCP segments print those on the network, as TcpOutSegs and
# TcpRetransSegs count them, although TCP gives many of them to the device as one packet. A queueing
# discipline (tbf) cuts these packets, and drops some of the segments, and each drop counts once.
. "$(dirname "$0")/../lib.bash"
need python3 tc
scripts=$(realpath "$LIVE/../../scripts")

pair c s 10.195.0
cat >"$T/sink.py" <<'END'
import socket

with socket.create_server(("10.195.0.2", 7950)) as l:
    print("listening", flush=True)
    c, _ = l.accept()
    while c.recv(1 << 16):
        pass
    print("read", flush=True)
END
cat >"$T/send.py" <<'END'
import socket

c = socket.create_connection(("10.195.0.2", 7950))
for i in range(40):
    c.sendall(b"s" * 65536)
c.shutdown(socket.SHUT_WR)
c.recv(1)
END
background sink s python3 "$T/sink.py" || finish
ping='import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", ("10.195.0.2", 9))'
in_ns c python3 -c "$ping" # the neighbours learn each other
settled c s
in_ns c tc qdisc add dev vc root tbf rate 40mbit burst 8k limit 40k || skip 'this kernel has no tbf'
for script in tcpstat tcpretrans tcpcong health tcpdrop qdisclat tcpsubnet; do
	dt_start $script -x footer -x port=7950 -s "$scripts/$script.d"
done
dt_start probes -x footer -x port=7950 -n '
	tcp:::send /args[2]->ip_saddr == "10.195.0.1"/ { @sent = sum(args[4]->tcp_segments); @packets = count(); }
	tcp:::drop { @lost = sum(args[4]->tcp_segments); @data = sum(args[4]->tcp_plength); }
	tcp:::receive /args[2]->ip_saddr == "10.195.0.1"/ { @got = sum(args[4]->tcp_segments); }
	mib:::tcpRetransSegs { @mib = sum(args[0]); }
	END { printa("sent %@d\n", @sent); printa("packets %@d\n", @packets); printa("lost %@d\n", @lost); printa("data %@d\n", @data);
		printa("got %@d\n", @got); printa("mib %@d\n", @mib); }'
settled c s
for n in c s; do snmp $n >"$T/$n.from"; done
in_ns c python3 "$T/send.py" || fail 'the sender failed'
same 'the receiver has read everything' read "$(served sink)"
settled c s
for n in c s; do snmp $n >"$T/$n.to"; done
tc=$(in_ns c tc -s qdisc show dev vc | sed -n 's/.*dropped \([0-9]*\).*/\1/p')
sleep 1
for run in probes tcpstat tcpretrans tcpcong health tcpdrop qdisclat tcpsubnet; do
	dt_stop $run
	lossless $run
done
again=$(delta c Tcp:RetransSegs)
sent=$(($(delta c Tcp:OutSegs) + again))
back=$(delta c Tcp:InSegs)
value() { sed -n "s/^$1 //p" "$T/probes.out"; }
column() { awk -v at="$1" '/^[0-9][0-9]:/ { n += $at } END { print n }' "$T/tcpstat.out"; }
line() { sed -n "s/^$1  *[a-z]*  *//p" "$T/health.out" | xargs; }
same 'many packets are several segments, and many segments are retransmitted' '1 1' "$(($(value packets) < sent * 9 / 10)) $((again > 50))"
same 'tcp_segments of the packets sent' "$sent" "$(value sent)"
same 'mib: retransmitted segments' "$again" "$(value mib)"
same 'tcpstat: sent, and retransmitted' "$((sent + back)) $again" "$(column 2) $(column 9)"
same 'tcpretrans: segments' "$again" "$(awk '/^SEGMENTS/ { on = 1; next } on { n += $1 } END { print n }' "$T/tcpretrans.out")"
same 'tcpcong: segments in all states' "$sent" "$(awk '$3 == 7950 { print $4 + $5 + $6 + $7 + $8 }' "$T/tcpcong.out")"
same 'health: segments sent again, of those sent' "$again $((sent + back))" "$(line 'TCP segments sent again')"
lost=$((sent - $(value got)))
same 'tcp:::drop: segments, each of them once' "$lost" "$(value lost)"
same 'tcp:::drop: bytes of data' 1 "$(($(value data) > (lost - 5) * 1400 && $(value data) <= lost * 1448))"
same 'tcpdrop: segments by reason' "$lost" "$(awk '/^REASON/ { on = 1; next } on { n += $NF } END { print n }' "$T/tcpdrop.out")"
same 'health: segments dropped' "$lost $((sent + back + $(value got) + back))" "$(line 'TCP segments dropped')"
same 'qdisclat: drops, as tc counts them' "$tc" "$(awk -v ns="$(inum c)" '$1 == ns && NF == 5 { n += $5 } END { print n }' "$T/qdisclat.out")"
# The last second may have more bytes than segments of the largest size.
awk '/^ *[0-9]+ +[0-9]+ 10\.195\.0\.0\/24/ { n += $2; b += $1 } END { print (b / n > 700 && b / n < 1449) }' "$T/tcpsubnet.out" >"$T/size"
same 'tcpsubnet: bytes in each segment' 1 "$(cat "$T/size")"
finish
