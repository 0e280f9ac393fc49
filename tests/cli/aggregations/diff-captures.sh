# --diff of two captures finds every difference between the runs that made them, and nothing else.
# It prints nothing for the same traffic at another time, from other ports, and with packets of the
# same time in another order.
. tests/cli/lib.bash

# Hosts of 10.0.0.0/24. Each host speaks with one of four servers over its own TCP connection.
cat >"$tmp/make.py" <<'P'
import importlib.machinery
import importlib.util
import random
import sys

loader = importlib.machinery.SourceFileLoader('mkpcap', 'tests/pcap/mkpcap')
m = importlib.util.module_from_spec(importlib.util.spec_from_loader('mkpcap', loader))
sys.dont_write_bytecode = True
loader.exec_module(m)
path, change, shift, port = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def talk(host):
    """What host number `host` does: segments of how many bytes, and after how many ms the server answers each."""
    sizes, answer = [100 + host] * (3 + host % 5), 10
    if change == 'more' and host == 7:
        sizes *= 4
    if change == 'larger' and host == 11:
        sizes = [1400] * len(sizes)
    if change == 'slower' and host == 13:
        answer = 300
    return sizes, answer


def connection(host):
    a, b, t = f'10.0.0.{host}', f'192.0.2.{host % 4 + 1}', host * m.MS
    sizes, answer = talk(host)
    seq, ack, packets = 1001, 5001, m.handshake(t, a, port + host, b, 80)
    for size in sizes:
        t += 1000 * m.MS
        packets.append(m.Packet(t, m.eth(m.tcp(a, port + host, b, 80, m.PSH | m.ACK, seq, ack, bytes(size)))))
        seq += size
        packets.append(m.Packet(t + answer * m.MS, m.eth(m.tcp(b, 80, a, port + host, m.ACK, ack, seq))))
    return packets


hosts = list(range(5, 30))
if change == 'gone':
    hosts.remove(17)
if change == 'new':
    hosts.append(99)
random.Random(shift).shuffle(hosts)
packets = sorted((p for h in hosts for p in connection(h)), key=lambda p: p.t)
for p in packets:
    p.t += shift * m.S
with open(path, 'wb') as f:
    f.write(m.pcap(packets))
P

program='tcp:::send { @packets[args[2]->ip_saddr] = count(); @bytes[args[2]->ip_saddr] = sum(args[2]->ip_plength - args[4]->tcp_offset); }
tcp:::send { @sizes[args[2]->ip_saddr] = quantize(args[2]->ip_plength); }
tcp:::connect-established { @connections[args[3]->tcps_laddr] = count(); }
tcp:::send /args[2]->ip_plength > args[4]->tcp_offset/ { sent[args[1]->cs_cid] = timestamp; }
tcp:::receive /sent[args[1]->cs_cid]/
{
	@answered[args[3]->tcps_laddr] = quantize((timestamp - sent[args[1]->cs_cid]) / 1000000);
	sent[args[1]->cs_cid] = 0;
}'

what='making the captures'
keep() { # keep NAME CHANGE SECONDS PORT
	timeout 300 python3 "$tmp/make.py" "$tmp/$1.pcap" "$2" "$3" "$4" || wrong "the capture $1 is not made"
	run -q -r "$tmp/$1.pcap" -x aggout="$tmp/$1.agg" -n "$program"
	status 0
	[ "$(wc -l <"$out")" -gt 100 ] || wrong "too little was seen of $1"
}

# Writes the rows that --diff shows to $tmp/rows, as "aggregation key", sorted.
rows() {
	run --diff "$tmp/before.agg" "$tmp/$1.agg"
	status 0
	awk '/^@/ { name = $1 } / distance / || /%$| new$| gone$/ { print name, $1 }' "$out" | sort >"$tmp/rows"
}

differ() { # differ CHANGE ROW...
	local change=$1
	shift
	what="a capture with $change"
	keep "$change" "$change" 0 40000
	rows "$change"
	text_is rows "$tmp/rows" "$(printf '%s\n' "$@" | sort)"
}

keep before none 0 40000
keep again none 5000 50000
what='the same traffic at another time'
rows again
out ''
text_is rows "$tmp/rows" ''

differ more '@packets: 10.0.0.7' '@packets: 192.0.2.4' '@bytes: 10.0.0.7' \
	'@sizes: 10.0.0.7' '@sizes: 192.0.2.4' '@answered: 10.0.0.7'
differ larger '@bytes: 10.0.0.11' '@sizes: 10.0.0.11'
differ slower '@answered: 10.0.0.13'
differ gone '@packets: 10.0.0.17' '@packets: 192.0.2.2' '@bytes: 10.0.0.17' '@sizes: 10.0.0.17' '@sizes: 192.0.2.2' \
	'@connections: 10.0.0.17' '@answered: 10.0.0.17'
differ new '@packets: 10.0.0.99' '@packets: 192.0.2.4' '@bytes: 10.0.0.99' '@sizes: 10.0.0.99' '@sizes: 192.0.2.4' \
	'@connections: 10.0.0.99' '@answered: 10.0.0.99'
finish
