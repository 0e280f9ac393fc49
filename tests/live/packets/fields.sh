#!/bin/bash
# Members of the tcp and udplite structs that only a live kernel knows, compared with other sources:
# TCP_INFO, TCP_REPAIR, a capture, the kernel's symbols.
. "$(dirname "$0")/../lib.bash"
need python3 tcpdump

pair c s 10.178.0 fd78:5c

# One process has both ends of each connection, and reads the kernel's state of an end before it
# closes the end.
cat >"$T/ends.py" <<'EOF'
import ctypes
import os
import socket
import struct
import subprocess
import time

REPAIR, REPAIR_QUEUE, QUEUE_SEQ = 19, 20, 21


def enter(name):
    fd = os.open("/run/netns/" + name, os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(fd, 0x40000000):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(fd)


def neighbour(mac):
    subprocess.check_call(["ip", "-n", "c", "neigh", "replace", "10.178.0.2", "lladdr", mac, "nud", "permanent",
                           "dev", "vc"])


def ask(name, s):
    info = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    (rto, _, mss), (rtt, var, ssthresh, cwnd) = struct.unpack_from("3I", info, 8), struct.unpack_from("4I", info, 68)
    s.setsockopt(socket.IPPROTO_TCP, REPAIR, 1)
    seq = []
    for queue in (1, 2):        # the receive queue, the send queue
        s.setsockopt(socket.IPPROTO_TCP, REPAIR_QUEUE, queue)
        seq.append(s.getsockopt(socket.IPPROTO_TCP, QUEUE_SEQ) & 0xffffffff)
    s.setsockopt(socket.IPPROTO_TCP, REPAIR, -1)
    ms = rtt // 1000
    for key, value in {
            "mss": mss, "rto": rto // 1000, "rtt": ms, "sd": var // 1000, "srtt": rtt * 4 // 125,
            "cwnd": cwnd * mss, "ssthresh": ssthresh if ssthresh >= 0x7fffffff else ssthresh * mss,
            "sws": info[6] & 15, "rws": info[6] >> 4,
            "swnd": struct.unpack_from("I", info, 228)[0], "rwnd": struct.unpack_from("I", info, 232)[0],
            "snxt": seq[1], "suna": seq[1], "smax": seq[1], "rnxt": seq[0],
            "debug": s.getsockopt(socket.SOL_SOCKET, socket.SO_DEBUG)}.items():
        print(name, key, value, flush=True)


enter("s")
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 50000)
listener.bind(("10.178.0.2", 7810))
listener.listen()
enter("c")
c = socket.socket()
c.bind(("10.178.0.1", 7811))
c.setsockopt(socket.SOL_SOCKET, socket.SO_DEBUG, 1)
c.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")  # other algorithms may have no ssthresh
c.connect(("10.178.0.2", 7810))
s, _ = listener.accept()
for n in (100, 30000):
    c.sendall(b"q" * n)
    s.recv(n, socket.MSG_WAITALL)
    s.sendall(b"a" * n)
    c.recv(n, socket.MSG_WAITALL)
    time.sleep(0.02)
neighbour("02:78:00:00:00:99")
c.sendall(b"l" * 10000)
time.sleep(0.4)         # lost, with its first retransmission
neighbour(os.environ["MAC"])
s.recv(10000, socket.MSG_WAITALL)
time.sleep(0.1)
c.send(b"!", socket.MSG_OOB)
time.sleep(0.5)         # for a delayed ACK
s.recv(1, socket.MSG_OOB)
ask("7811", c)
c.shutdown(socket.SHUT_WR)
assert not s.recv(10)
time.sleep(0.2)
ask("7810", s)
s.close()
time.sleep(0.1)
c.close()

# A reset because there is no listener, and one because of unread data.
try:
    socket.create_connection(("10.178.0.2", 7812))
except ConnectionRefusedError:
    pass
c = socket.create_connection(("10.178.0.2", 7810), source_address=("10.178.0.1", 7813))
s, _ = listener.accept()
s.sendall(b"unread")
time.sleep(0.1)
c.close()
time.sleep(0.1)

# UDP-Lite with a checksum over the header and 4 bytes, if the kernel supports it.
try:
    for family, host in ((socket.AF_INET, "10.178.0.2"), (socket.AF_INET6, "fd78:5c::2")):
        enter("s")
        r = socket.socket(family, socket.SOCK_DGRAM, 136)
        r.bind((host, 7815))
        enter("c")
        w = socket.socket(family, socket.SOCK_DGRAM, 136)
        w.setsockopt(136, 10, 12)
        w.bind(("", 7814))
        w.sendto(b"partly", (host, 7815))
        assert r.recv(100) == b"partly"
    print("udplite", flush=True)
except OSError as e:
    print("no udplite:", e)
EOF

sniff c
dt_start fields -x footer -n '
tcp:::state-change
/ (args[3]->tcps_lport == 7810 || args[3]->tcps_lport == 7811) &&
  ((args[5]->tcps_state == TCP_STATE_ESTABLISHED && args[3]->tcps_state == TCP_STATE_FIN_WAIT_1) ||
   (args[5]->tcps_state == TCP_STATE_CLOSE_WAIT && args[3]->tcps_state == TCP_STATE_LAST_ACK)) &&
  args[3]->tcps_rport != 7813 /
{
	printf("%d mss %d rto %d rtt %d sd %d srtt %d", args[3]->tcps_lport, args[3]->tcps_mss, args[3]->tcps_rto,
	    args[3]->tcps_rtt, args[3]->tcps_rtt_sd, args[3]->tcps_srtt);
	printf(" cwnd %d ssthresh %d sws %d rws %d swnd %d rwnd %d", args[3]->tcps_cwnd,
	    args[3]->tcps_cwnd_ssthresh, args[3]->tcps_snd_ws, args[3]->tcps_rcv_ws, args[3]->tcps_swnd,
	    args[3]->tcps_rwnd);
	printf(" snxt %u suna %u smax %u rnxt %u debug %d", args[3]->tcps_snxt, args[3]->tcps_suna,
	    args[3]->tcps_smax, args[3]->tcps_rnxt, args[3]->tcps_debug);
	printf(" iss %u irs %u rack %u swl1 %u swl2 %u rup %u radv %u recent %u active %d", args[3]->tcps_iss,
	    args[3]->tcps_irs, args[3]->tcps_rack, args[3]->tcps_swl1, args[3]->tcps_swl2, args[3]->tcps_rup,
	    args[3]->tcps_radv, args[3]->tcps_ts_recent, args[3]->tcps_active);
	printf(" recover %u next %u dups %d fack %u local %d same %d zero %d\n", args[3]->tcps_srecover,
	    args[3]->tcps_sack_snxt, args[3]->tcps_dupacks, args[3]->tcps_sack_fack,
	    args[3]->tcps_local, args[3]->tcps_addr == args[1]->cs_addr && args[1]->cs_addr != 0,
	    args[3]->tcps_rtttime | args[3]->tcps_rtseq | args[3]->tcps_cookie);
}
tcp:::reset-sent /args[3]->tcps_lport == 7812 || args[3]->tcps_lport == 7813/
{
	printf("reset %d %s\n", args[3]->tcps_lport, args[5]->rst_reason);
}
tcp:::drop /args[4]->tcp_dport == 7812/
{
	printf("drop %s %x\n", args[5]->drop_reason, args[5]->drop_location);
}
udplite:::send, udplite:::receive /args[4]->udplite_dport == 7815/
{
	printf("%s %d covers %d %s %d %s %d, %d %d %d\n", probename, args[4]->udplite_sport,
	    args[4]->udplite_coverage, args[3]->udplites_laddr, args[3]->udplites_lport,
	    args[3]->udplites_raddr, args[3]->udplites_rport, args[3]->udplites_addr == args[1]->cs_addr,
	    args[4]->udplite_checksum != 0 && args[4]->udplite_checksum == ntohs(args[4]->udplite_hdr->check),
	    args[1]->cs_pid);
}' || finish
MAC=$(mac s vs) timeout 120 python3 "$T/ends.py" >"$T/ends.out" 2>"$T/ends.err" & pid=$!
wait $pid || fail "$(cat "$T/ends.err")"
dt_stop fields
sniff_end c
lossless fields

# Compares sequence numbers and time stamps with those on the wire, and the other members with what
# the sockets said.
tcpdump -nSr "$T/c.pcap" 'tcp port 7810 and tcp port 7811' 2>/dev/null >"$T/c.txt"
python3 - "$T" <<'EOF' || failed=1
import re
import sys

T = sys.argv[1]
bad = 0


def check(what, want, got):
    global bad
    bad |= want != got
    print("%s: %s: %s" % ("ok" if want == got else "FAIL", what, got if want == got else
                          "wanted %s, got %s" % (want, got)))


seen = {}
for line in open(T + "/fields.out"):
    w = line.split()
    if w and w[0] in ("7810", "7811"):
        seen[w[0]] = dict(zip(w[1::2], w[2::2]))
check("ends that closed", ["7810", "7811"], sorted(seen))
asked = {"7810": {}, "7811": {}}
for line in open(T + "/ends.out"):
    w = line.split()
    if w[0] in asked:
        asked[w[0]][w[1]] = w[2]
# The segments of each sender on the wire. The segments before an end's FIN show what this end had
# received when it closed.
wire = {"7810": [], "7811": []}
ends = {"7810": "", "7811": ""}
for line in open(T + "/c.txt"):
    m = re.search(r"\.(781[01]) > .*Flags \[([^]]*)\](?:, seq (\d+)(?::(\d+))?)?(?:, ack (\d+))?, win", line)
    stamp = re.search(r"TS val (\d+)", line)
    # tcpdump omits the sequence number of a segment without data.
    seq = m.group(3) or ends[m.group(1)]
    ends[m.group(1)] = m.group(4) or str(int(seq) + ("S" in m.group(2)))
    wire[m.group(1)].append(dict(flags=m.group(2), seq=seq, end=ends[m.group(1)], ack=m.group(5),
                                 urg=re.search(r", urg (\d+)", line), stamp=stamp.group(1)))
for me, peer in (("7811", "7810"), ("7810", "7811")):
    for key, value in asked[me].items():
        check("%s %s" % (me, key), value, seen[me].get(key))
    # 7811 closes first. 7810 closes after it received and acknowledged that FIN.
    fin = [i for i, x in enumerate(wire["7811"]) if "F" in x["flags"]][0]
    mine = [x for x in wire[me] if "F" not in x["flags"]]
    theirs = [x for x in wire[peer] if "F" not in x["flags"]]
    if me == "7811":
        mine = wire[me][:fin]
        theirs = [x for x in theirs if not x["ack"] or int(x["ack"]) <= int(wire[me][fin]["seq"])]
    else:
        theirs = wire[peer][:fin + 1]
    acks = [int(x["ack"]) for x in mine if x["ack"]]
    check(me + " iss", mine[0]["seq"], seen[me]["iss"])
    check(me + " irs", theirs[0]["seq"], seen[me]["irs"])
    check(me + " rack", str(max(acks)), seen[me]["rack"])
    check(me + " radv", str((max(acks) + int(seen[me]["rwnd"])) % 2**32), seen[me]["radv"])
    check(me + " recent", theirs[-1]["stamp"], seen[me]["recent"])
    check(me + " swl1", theirs[-1]["seq"], seen[me]["swl1"])
    check(me + " swl2", seen[me]["suna"], seen[me]["swl2"])
    check(me + " fack", seen[me]["suna"], seen[me]["fack"])
    check(me + " active", "1" if me == "7811" else "0", seen[me]["active"])
    for key, value in {"dups": "0", "local": "0", "same": "1", "zero": "0"}.items():
        check("%s %s" % (me, key), value, seen[me][key])
urgent = [x for x in wire["7811"] if x["urg"]]
check("7810 rup", str(int(urgent[-1]["seq"]) + int(urgent[-1]["urg"].group(1)) - 1), seen["7810"]["rup"])
# A whole window was lost: the congestion window is smaller, and recovery covers the data sent until
# then.
check("7811 has a ssthresh", True, 0 < int(seen["7811"]["ssthresh"]) < 1000000)
check("7811 recover", str(int(seen["7811"]["snxt"]) - 1), seen["7811"]["recover"])
check("7811 next", seen["7811"]["recover"], seen["7811"]["next"])
check("7811 debug", "1", seen["7811"]["debug"])

text = open(T + "/fields.out").read()
btf = open("/sys/kernel/btf/vmlinux", "rb").read()
if b"SK_RST_REASON_TCP_ABORT_ON_CLOSE" in btf:
    check("resets", ["reset 7812 NO_SOCKET", "reset 7813 TCP_ABORT_ON_CLOSE"],
          sorted(re.findall("reset .*", text)))
drops = re.findall(r"drop (\w+) (\w+)", text)
check("drop", ["NO_SOCKET"], [d[0] for d in drops])
symbols = sorted((int(w[0], 16), w[2]) for w in (line.split() for line in open("/proc/kallsyms")) if w[1] in "tT")
place = [name for at, name in symbols if at <= int(drops[0][1], 16)][-1]
check("drop_location is in", "tcp_v4_rcv", place.split(".")[0])

if "udplite\n" in open(T + "/ends.out").read():
    lite = re.findall(r"(?:send|receive) \d+ covers.*", text)
    check("udplite", [
        "receive 7814 covers 12 10.178.0.2 7815 10.178.0.1 7814, 1 1",
        "receive 7814 covers 12 fd78:5c::2 7815 fd78:5c::1 7814, 1 1",
        "send 7814 covers 12 10.178.0.1 7814 10.178.0.2 7815, 1 1",
        "send 7814 covers 12 fd78:5c::1 7814 fd78:5c::2 7815, 1 1"], sorted(x.rsplit(" ", 1)[0] for x in lite))
    check("udplite: one process", 1, len({x.split()[-1] for x in lite}))
else:
    print("this kernel has no UDP-Lite")
sys.exit(bad)
EOF
finish
