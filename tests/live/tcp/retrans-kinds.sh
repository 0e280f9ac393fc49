# The reason for a retransmission, from the kernel and from a capture: probes, timeouts, losses
# during recovery, and fast retransmissions.
. "$(dirname "$0")/../lib.bash"
need python3 tcpdump

pair c s 10.183.0
background server s python3 -c '
import os, socket
l = socket.socket(); l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); l.bind(("10.183.0.2", 7900)); l.listen(9)
print("listening", os.getpid(), flush=True)
for i in range(30):
    a = l.accept()[0]
    n = 0
    while n < 14000:
        n += len(a.recv(65536))
    a.sendall(b"x")'

# Writes one segment at a time; some go to a wrong neighbour.
cat >"$T/client.py" <<'END'
import socket, subprocess, sys, time
RIGHT, WRONG = sys.argv[1], "02:77:00:00:00:99"
def neighbour(mac):
    subprocess.run(["ip", "neigh", "replace", "10.183.0.2", "lladdr", mac, "nud", "permanent", "dev", "vc"], check=True)
def connect():
    c = socket.create_connection(("10.183.0.2", 7900))
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for i in range(4):
        c.sendall(b"y" * 1000); time.sleep(.02)
    return c, c.getsockname()[1]
def write(c, n):
    for i in range(n):
        c.sendall(b"y" * 1000)
def undone():
    """How often the kernel found that segments were not lost. It then leaves the recovery that the test wants to see."""
    names, values = [line.split()[1:] for line in open("/proc/net/netstat") if line.startswith("TcpExt:")]
    return sum(int(v) for n, v in zip(names, values) if n.endswith("Undo") or n == "TCPSpuriousRTOs")
# All segments are lost for a second.
for i in range(9): # until all are written before the first probe, and the kernel undoes no recovery
    before = undone()
    c, port = connect()
    neighbour(WRONG)
    at = time.monotonic()
    write(c, 10)
    took = time.monotonic() - at
    time.sleep(1)
    neighbour(RIGHT)
    c.recv(1)
    if took < .003 and undone() == before:
        break
print("all", port)
# The first of ten segments is lost. The test retries if the kernel sends a probe meanwhile.
for i in range(9):
    c, port = connect()
    neighbour(WRONG)
    at = time.monotonic()
    write(c, 1)
    neighbour(RIGHT)
    write(c, 9)
    took = time.monotonic() - at
    c.recv(1)
    if took < .1:
        break
print("one", port)
END
dt_start kinds -x footer -n "tcp:::retransmit /args[1]->cs_netns == $(inum c)/ {
	printf(\"%d %d %s\n\", args[3]->tcps_lport, args[4]->tcp_seq - args[3]->tcps_iss - 1,
	    tcp_retrans_string[args[3]->tcps_retransmit_kind]); }
tcp:::send /args[1]->cs_netns == $(inum c) && args[3]->tcps_retransmit != (args[3]->tcps_retransmit_kind != 0)/
{ printf(\"no kind, or one too much\n\"); }"
sniff c
in_ns c timeout 120 python3 "$T/client.py" "$(mac s vs)" >"$T/ports" || fail 'no client'
sniff_end c
dt_stop kinds
lossless kinds
sed -i '/READY/d; /^$/d' "$T/kinds.out"

kinds() { # kinds CONNECTION COLUMNS [FILE]: prints these columns of the lines of the connection
	awk -v p="$(awk -v w="$1" '$1 == w { print $2 }' "$T/ports")" -v c="$2" '$1 == p {
		n = split(c, a, ","); for (i = 1; i <= n; i++) printf("%s%s", $a[i], i < n ? " " : "\n") }' "${3:-$T/kinds.out}"
}
same 'all segments lost: a probe, then a timeout, then the other segments as lost' 'probe timeout loss' \
	"$(kinds all 3 | uniq | xargs)"
same 'all segments lost: the probe is the last segment' 13000 "$(kinds all 2,3 | awk '$2 == "probe" { print $1 }')"
same 'all segments lost: the timeout retransmits the first segment' 4000 "$(kinds all 2,3 | awk '$2 == "timeout" { print $1 }' | sort -u)"
same 'one segment lost: fast retransmission' '4000 fast' "$(kinds one 2,3)"

# A replay of the capture at the sender shows the same kinds.
timeout 300 "$DTRACE" -qr "$T/c.pcap" -x local=10.183.0.1 -n 'tcp:::retransmit {
	printf("%d %d %s\n", args[3]->tcps_lport, args[4]->tcp_seq - args[3]->tcps_iss - 1,
	    tcp_retrans_string[args[3]->tcps_retransmit_kind]); }' >"$T/replayed"
for w in all one; do
	kinds $w 2,3 >"$T/wanted"
	kinds $w 2,3 "$T/replayed" >"$T/got"
	same_files "a replay of the capture shows the same kinds ($w)" "$T/wanted" "$T/got"
done
finish
