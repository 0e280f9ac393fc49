#!/bin/bash
# ss -ti shows the same values as tcpsinfo_t's members, for connections at rest and for listeners.
. "$(dirname "$0")/../lib.bash"
need python3 ss tc

pair a b 10.179.0 fd79
in_ns b tc qdisc add dev vb root netem delay 3ms loss 3% 2>/dev/null || echo 'no delay, no losses: that is not tried'

# Two connections that carried data both ways, and three that are not accepted.
cat >"$T/rest.py" <<'X'
import socket
import sys
import time

held = []
for host in ("10.179.0.2", "fd79::2"):
    c = socket.create_connection((host, 7001))
    c.sendall(b"x" * 400000)
    c.sendall(b"\n")
    n = 0
    while n < 50000:
        n += len(c.recv(65536))
    held.append(c)
for _ in range(3):
    held.append(socket.create_connection(("10.179.0.2", 7002)))
print("listening", flush=True)
time.sleep(600)
X
cat >"$T/server.py" <<'X'
import socket
import time

listeners = []
held = []
for family, host in ((socket.AF_INET, "10.179.0.2"), (socket.AF_INET6, "fd79::2")):
    s = socket.socket(family)
    s.bind((host, 7001))
    s.listen(7)
    listeners.append(s)
w = socket.socket()
w.bind(("10.179.0.2", 7002))
w.listen(5)
print("listening", flush=True)
for s in listeners:
    c, _ = s.accept()
    while not c.recv(65536).endswith(b"\n"):
        pass
    c.sendall(b"y" * 50000)
    held.append(c)
time.sleep(600)
X
background server b python3 "$T/server.py" && background rest a python3 "$T/rest.py" || fail 'no connections'
settled a b
timeout 300 "$DTRACE" -q -x addr=10.179.0.0/24,fd79::/64 -n '
tcp:::existing
/args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	printf("%s:%d %s:%d rtt:%d/%d minrtt:%d bytes_acked:%d bytes_received:%d bytes_sent:%d bytes_retrans:%d retrans:%d unacked:%d lost:%d %s delivery_rate:%d\n",
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_rtt_us,
	    args[3]->tcps_rttvar_us, args[3]->tcps_minrtt_us, args[3]->tcps_bytes_acked, args[3]->tcps_bytes_received,
	    args[3]->tcps_bytes_sent, args[3]->tcps_bytes_retrans, args[3]->tcps_retrans, args[3]->tcps_unacked,
	    args[3]->tcps_lost, args[3]->tcps_ca_name, args[3]->tcps_delivery_rate);
}
tcp:::existing
/args[3]->tcps_state == TCP_STATE_LISTEN/
{
	printf("%s:%d %d/%d\n", args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_backlog, args[3]->tcps_backlog_max);
}
tick-5s { exit(0); }' >"$T/ours" 2>"$T/err"
same 'dtrace prints no error' 0 "$(wc -c <"$T/err")"
for n in a b; do
	in_ns "$n" ss -tinHO state established
done >"$T/connections"
in_ns b ss -ltnHO >"$T/listeners"
python3 - "$T" <<'X' || failed=1
import re
import sys

T = sys.argv[1]
ours, backlogs = {}, {}
for line in open(T + "/ours"):
    w = line.split()
    if len(w) == 2:
        backlogs[w[0]] = w[1]
    elif w:
        ours[w[0] + " " + w[1]] = dict(x.split(":") for x in w[2:] if ":" in x)
        ours[w[0] + " " + w[1]]["name"] = w[-2]
bad = n = 0


def same(what, want, got):
    global bad, n
    n += 1
    if str(want) != str(got):
        print("FAIL: %s: ss says %s, not %s" % (what, want, got))
        bad = 1


def micros(ms):
    return round(float(ms) * 1000)


for line in open(T + "/connections"):
    w = line.replace("[", "").replace("]", "").split()
    key = w[2] + " " + w[3]
    o = ours.get(key)
    if not o:
        print("FAIL: %s is not there" % key)
        bad = 1
        continue
    v = dict(x.split(":", 1) for x in w[4:] if ":" in x)
    rtt = v["rtt"].split("/")
    same(key + " rtt", "%d/%d" % (micros(rtt[0]), micros(rtt[1])), o["rtt"])
    same(key + " minrtt", micros(v["minrtt"]) if "minrtt" in v else 0, o["minrtt"])
    for name in ("bytes_acked", "bytes_received", "bytes_sent", "bytes_retrans", "unacked", "lost"):
        same(key + " " + name, v.get(name, 0), o[name])
    same(key + " retrans", v.get("retrans", "0/0").split("/")[1], o["retrans"])
    same(key + " algorithm", w[4] if ":" not in w[4] else "", o["name"] if ":" not in w[4] else "")
    rate = re.search(r"delivery_rate (\d+)bps", line)
    if rate:
        same(key + " delivery rate", int(rate.group(1)) // 8, o["delivery_rate"])
for line in open(T + "/listeners"):
    w = line.replace("[", "").replace("]", "").split()
    same(w[3] + " backlog", w[1] + "/" + w[2], backlogs.get(w[3]))
if n < 2 * 5 * 8 + 3:
    print("FAIL: only %d values" % n)
    bad = 1
print("%d values" % n)
sys.exit(bad)
X
finish
