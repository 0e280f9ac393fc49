#!/bin/bash
# The shipped tcp and udp scripts and one-liners on a live machine: a server and its clients with
# known traffic. Other traffic is excluded by address or port.
. "$(dirname "$0")/../lib.bash"
need python3 ping tcpdump
cd "$LIVE/../.." || exit 1
export TZ=UTC

pair c s 10.177.0 fd77:5c
addr c vc 10.177.9.1/32
ip -n s route add 10.177.9.1/32 dev vs
V="$LIVE/helpers/visitors"
in_ns c ping -qc 1 10.177.0.2 >/dev/null && in_ns c ping -qc 1 fd77:5c::2 >/dev/null || fail 'no connection'
background server s "$V" server 10.177.0.2 fd77:5c::2
server=$(awk '{ print $2 }' "$T/server.srv")

# Packets to 10.177.9.1 go to a wrong neighbour for over a second, so its SYN and the SYN+ACK are
# retransmitted.
visit() {
	ip -n s neigh replace 10.177.9.1 lladdr 02:77:00:00:00:99 nud permanent dev vs
	in_ns c timeout 120 "$V" late 10.177.9.1 10.177.0.2 &
	local late=$!
	in_ns c timeout 120 "$V" client 10.177.0.2 && in_ns c timeout 120 "$V" client fd77:5c::2 &&
		in_ns c timeout 120 "$V" scan 10.177.0.1 10.177.0.2 || fail 'the visitors failed'
	sleep 1.3
	ip -n s neigh replace 10.177.9.1 lladdr "$(mac c vc)" nud permanent dev vs
	in_ns c timeout 120 "$V" full 10.177.0.2 || fail 'the visitor failed'
	wait $late || fail 'the late visitor failed'
	sleep 0.3
}

# Scripts that print every second run for one interval.
seconds() {
	case $1 in *top | tcpscan) echo 1000 ;; esac
}
SCRIPTS='tcpconnlog tcpconnlat tcp1stbyte tcpstates tcprwnd tcpsnoop tcptop tcpscan tcpretrans tcplife
	tcpdrop udptop'
# Other tests may open 100,000 connections in a few seconds. tcpstates and tcpsnoop have records of
# each of their events, so these scripts need a larger buffer.
buffer() {
	case $1 in tcpstates | tcpsnoop) echo -b 64m ;; esac
}
for n in $SCRIPTS; do
	dt_start "$n" $(buffer "$n") -x footer -x defaultargs -s "scripts/$n.d" $(seconds "$n") || finish
done
sniff c
visit
# tcpwho runs before the minute of TIME_WAIT is over.
timeout 300 "$DTRACE" -s scripts/tcpwho.d >"$T/tcpwho.out" 2>"$T/tcpwho.err" || fail 'tcpwho.d fails'
same 'tcpwho prints no errors' 0 "$(wc -c <"$T/tcpwho.err")"
sniff_end c
for n in $SCRIPTS; do
	dt_stop "$n" || fail "$n ends with status $?"
	lossless "$n"
done

ONE=$(cd tests/replay/oneliners && ls -- *.args)
for f in $ONE; do
	program=$(sed "s/^-r [^ ]* -n '\(.*\)'\$/\1/" "tests/replay/oneliners/$f")
	dt_start "${f%.args}" -x footer -n "$program" || finish
done
visit
for f in $ONE; do
	dt_stop "${f%.args}" || fail "$f ends with status $?"
	lossless "${f%.args}"
done

tcpdump -nr "$T/c.pcap" tcp 2>/dev/null >"$T/c.txt"
python3 - "$T" "$server" <<'EOF' || failed=1
import collections
import re
import sys

T, SERVER = sys.argv[1:]
bad = 0


def words(name):
    """Returns the words of each line that has an address of our hosts, or is a port of ours and a number."""
    out = []
    for line in open("%s/%s.out" % (T, name)):
        w = line.split()
        if any(re.match(r"(10\.177\.|fd77:5c::)", x) for x in w) or (len(w) == 2 and re.match(r"78\d\d$", w[0]) and w[1].isdigit()):
            out.append(w)
    return out


def pick(name, *columns):
    return collections.Counter(" ".join(w[i] for i in columns) for w in words(name))


def total(name, value, *columns):
    out = collections.Counter()
    for w in words(name):
        out[" ".join(w[i] for i in columns)] += int(w[value])
    return out


def check(what, want, got):
    """Checks each key of want: its value is the wanted number, or a function that tests the number."""
    global bad
    for key, n in want.items():
        have = got.get(key, 0)
        if not (n(have) if callable(n) else n == have):
            print("FAIL: %s: %s: %s" % (what, key, have))
            bad = 1
            return
    print("ok: %s (%d)" % (what, len(want)))


def exactly(what, want, got):
    check(what, dict(want, lines=len(want)), dict(got, lines=len(got)))


def histograms(name):
    """Returns the counts by key and lower end of the interval."""
    out, key = collections.Counter(), ""
    for line in open("%s/%s.out" % (T, name)):
        m = re.match(r" *(-?\d+) \|@* *(\d+) *$", line)
        if m:
            out[key + " " + m.group(1)] += int(m.group(2))
        elif line.strip() and not line.lstrip().startswith("value"):
            key = " ".join(line.split())
    return out


def some(n):
    return n >= 1


# ------------------------------------------------------------------- scripts

# The column TIME has four words.
exactly("tcpconnlog", {
    "v-client out 7801": 6, "v-late out 7801": 1, "v-server in 7801": 7, "v-full out 7803": 1,
    "v-server in 7803": 1, "v-client refused 7802": 8, "- refusal 7802": 8, "- refusal 7804": 1},
    collections.Counter("%s %s %s" % (w[5], w[6], w[9] if w[6] in ("out", "refused") else w[7])
                        for w in words("tcpconnlog")))
exactly("tcpconnlog: the server", {SERVER: 8},
        collections.Counter(w[4] for w in words("tcpconnlog") if w[5] == "v-server"))

rows = {w[3]: w for w in words("tcpconnlat") if len(w) == 4}
check("tcpconnlat: connections", {"fd77:5c::2": 3, "10.177.0.2": 5}, {k: int(w[2]) for k, w in rows.items()})
check("tcpconnlat: longest", {"fd77:5c::2": lambda us: 0 < us < 500000, "10.177.0.2": lambda us: us > 900000},
      {k: int(w[1]) for k, w in rows.items()})
exactly("tcpconnlat: lines", {"v-client fd77:5c::2": 3, "v-client 10.177.0.2": 3, "v-late 10.177.0.2": 1,
                              "v-full 10.177.0.2": 1},
        collections.Counter("%s %s" % (w[1], w[2]) for w in words("tcpconnlat") if len(w) == 5 and w[0].isdigit()))
longest = collections.defaultdict(int)
for w in words("tcpconnlat"):
    if len(w) == 5 and w[0].isdigit():
        longest[w[2]] = max(longest[w[2]], int(w[4].replace(".", "")))
exactly("tcpconnlat: lines and table", {k: int(w[1]) for k, w in rows.items() if w[1].isdigit()}, longest)
h = histograms("tcpconnlat")
check("tcpconnlat: late", {"10.177.0.2": 1},
      {"10.177.0.2": sum(n for k, n in h.items() if re.match(r"10\.177\.0\.2 \d{6}", k))})

h = histograms("tcp1stbyte")
check("tcp1stbyte", {"fd77:5c::2 7801": 3, "10.177.0.2 7801": 4},
      {a: sum(n for k, n in h.items() if k.startswith(a + " ") and int(k.split()[2]) >= 16384)
       for a in ("fd77:5c::2 7801", "10.177.0.2 7801")})

exactly("tcpstates", {
    "closed -> syn-sent": 16, "syn-sent -> established": 8, "syn-sent -> closed": 8,
    "listen -> syn-received": 8, "syn-received -> established": 8, "established -> fin-wait-1": 8,
    "established -> close-wait": 8, "fin-wait-1 -> fin-wait-2": 8, "fin-wait-2 -> time-wait": 8,
    "close-wait -> last-ack": 8, "last-ack -> closed": 8}, pick("tcpstates", 2, 3, 4))
chain, broken = {}, 0
for w in words("tcpstates"):
    broken += chain.get(w[0], w[2]) != w[2] or (w[0] in chain) != (w[1] != "-")
    chain[w[0]] = w[4]
check("tcpstates: each follows the one before", {"broken": 0}, {"broken": broken})
check("tcpstates: times", {"7801": 14},
      collections.Counter(p for w in words("tcpstates") for p in (w[5], w[7])
                          if p == "7801" and w[2] == "established" and int(w[1]) >= 20000))

rows = words("tcprwnd")
check("tcprwnd", {"here": 1, "there": 1}, collections.Counter(w[0] for w in rows))
check("tcprwnd: whose", {"here v-server": 1, "there v-full": 1}, pick("tcprwnd", 0, 5))
check("tcprwnd: as often here as there", {"n": 1}, {"n": len({w[3] for w in rows})})
check("tcprwnd: closed for so long", {"here": lambda us: 1000 < us < 10**7},
      {w[0]: int(w[1]) for w in rows})

rows = words("tcpsnoop")
sizes = collections.Counter()
for w in rows:
    sizes["%s %s" % (w[5] if w[5] == "7801" else w[8], w[6])] += int(w[2])
check("tcpsnoop: bytes", {"7801 ->": 7700, "7801 <-": 7700}, sizes)
check("tcpsnoop: flags", {"FPU": 1, "S": lambda n: n >= 18, "SA": lambda n: n >= 8, "R": 1},
      collections.Counter(w[3] for w in rows if w[6] == "<-"))
# Packets of a raw socket do not count as TCP.
sent = [x for x in open(T + "/c.txt") if " Out IP" in x and (".7809 >" not in x or "[R]" in x)]
check("tcpsnoop: as many segments as tcpdump sees", {"n": len(sent)},
      {"n": sum(w[6] == "->" and w[4] in ("10.177.0.1", "10.177.9.1", "fd77:5c::1") for w in rows)})

check("tcptop", {"v-server 7801 ->": 7000, "v-server 7801 <-": 700, "v-server 7803 <-":
                 lambda n: n >= 262144}, total("tcptop", 2, 1, 4, 5))
check("tcptop: clients", {
    "v-client 7801 ->": 600, "v-client 7801 <-": 6000, "v-late 7801 <-": 1000},
      total("tcptop", 2, 1, 7, 5))

exactly("tcpscan", {
    "refused 10.177.0.1 7802": 4, "refused fd77:5c::1 7802": 4, "refused 10.177.0.1 7804": 1,
    "half 10.177.0.1 7801": 1, "null 10.177.0.1 7801": 1, "null 10.177.0.1 7804": 1,
    "xmas 10.177.0.1 7801": 1, "fin 10.177.0.1 7804": 1},
        collections.Counter({" ".join(w[i] for i in (0, 2, 3)): int(w[1]) for w in words("tcpscan") if len(w) == 4}))
exactly("tcpscan: totals", {
    "refused 5 7802-7804 10.177.0.1": 1, "refused 4 7802-7802 fd77:5c::1": 1, "half 1 7801-7801 10.177.0.1": 1,
    "null 2 7801-7804 10.177.0.1": 1, "xmas 1 7801-7801 10.177.0.1": 1, "fin 1 7804-7804 10.177.0.1": 1},
        collections.Counter(" ".join(w[:3] + w[5:]) for w in words("tcpscan") if len(w) == 6 and int(w[3]) <= int(w[4])))

again = [w for w in words("tcpretrans") if len(w) == 10]
check("tcpretrans", {"10.177.0.2 7801 0 syn": some, "10.177.9.1 0 syn-ack": some},
      collections.Counter(" ".join(w[i] for i in ((8, 9, 2, 3) if w[3] == "syn" else (8, 2, 3))) for w in again))
check("tcpretrans: a window of a segment or more, no threshold yet", {"syn": some},
      collections.Counter(w[3] for w in again if int(w[4]) >= 1 and w[5] == "-1"))
check("tcpretrans: as many by connection", {"n": len(again)},
      {"n": sum(int(w[0]) for w in words("tcpretrans") if len(w) == 7)})

exactly("tcplife", {
    "v-server 1000 100": 7, "v-client 100 1000": 6, "v-late 100 1000": 1, "v-full 262144 0": 1,
    "v-server 0 262144": 1}, pick("tcplife", 1, 2, 3))

check("tcpdrop", {"7802 NO_SOCKET": 8, "7804 NO_SOCKET": 3}, pick("tcpdrop", 5, 6))
check("tcpdrop: devices", {"vs": lambda n: n >= 11}, collections.Counter({
    w[2]: int(w[3]) for w in map(str.split, open(T + "/tcpdrop.out")) if len(w) == 4 and w[0] == "NO_SOCKET"}))

exactly("udptop", {
    "v-client ->": 1000, "v-client <-": 1400, "v-server ->": 1400, "v-server <-": 1000},
    total("udptop", 2, 1, 5))

check("tcpwho", {SERVER + " v-server 7801 listen": 2, SERVER + " v-server 7803 listen": 2,
                 "-1 <unknown> 7801 time-wait": 7}, pick("tcpwho", 0, 1, 4, 2))

# ---------------------------------------------------------------- one-liners


def one(name, want, exact=True):
    got = {" ".join(w[:-1]): int(w[-1]) for w in words(name) if not re.search(r"[|]", " ".join(w))}
    (exactly if exact else check)(name, want, got)


one("tcp-accepted-by-address", {"10.177.0.1": 4, "10.177.9.1": 1, "fd77:5c::1": 3})
one("tcp-accepted-by-address-and-port", {
    "10.177.0.1 7801": 3, "10.177.0.1 7803": 1, "10.177.9.1 7801": 1, "fd77:5c::1 7801": 3})
one("tcp-connected-by-address-and-port", {"10.177.0.2 7801": 4, "10.177.0.2 7803": 1, "fd77:5c::2 7801": 3})
one("tcp-refused-by-address-and-port", {"10.177.0.1 7802": 4, "10.177.0.1 7804": 1, "fd77:5c::1 7802": 4})
one("tcp-connects-refused", {"10.177.0.2 7802": 4, "fd77:5c::2 7802": 4})
one("tcp-received-by-port", {"7802": 8, "7804": 3, "7801": lambda n: n > 7 * 4}, False)
one("tcp-sent-by-address", {
    "fd77:5c::1": lambda n: n >= 3 * 4 + 4, "fd77:5c::2": lambda n: n >= 3 * 5 + 4}, False)
one("tcp-bytes-sent-by-address", {
    "fd77:5c::1": 3000, "fd77:5c::2": 300, "10.177.0.1": 3000, "10.177.9.1": 1000}, False)
one("tcp-bytes-received-by-address-and-port", {
    "fd77:5c::1 7801": 300, "10.177.0.1 7801": 300, "10.177.9.1 7801": 100, "10.177.0.1 7804": 0}, False)
check("tcp-sizes", {"7802 0": 8, "7801 64": 7}, histograms("tcp-sizes"))
one("tcp-syns-by-address", {"fd77:5c::1": 7, "10.177.0.1": 10, "10.177.9.1": lambda n: n >= 2})
one("tcp-zero-window", {"10.177.0.2 7803": some})
one("tcp-first-byte", {a: lambda us: 20000 <= us < 10**7 for a in ("10.177.0.2", "fd77:5c::2")})
one("udp-sent-by-port", {"7805": 20, "7806": 20})
one("udp-received-by-port", {"7805": 20, "7806": 20})
one("udp-received-by-address", {"10.177.0.1": 10, "10.177.0.2": 10, "fd77:5c::1": 10, "fd77:5c::2": 10})
one("udp-bytes-by-address", {"10.177.0.1": 780, "10.177.0.2": 580, "fd77:5c::1": 780, "fd77:5c::2": 580})
check("udp-sizes", {"10.177.0.1 64": 10, "10.177.0.2 32": 10, "fd77:5c::1 64": 10, "fd77:5c::2 32": 10},
      histograms("udp-sizes"))


# Other traffic can have the same keys, so the counts may be higher.
def at_least(name, want):
    got = collections.Counter()
    for line in open("%s/%s.out" % (T, name)):
        w = line.split()
        if len(w) > 1:
            got[" ".join(w[:-1])] = int(w[-1]) if w[-1].isdigit() else 0
    check(name, {k: (lambda n: lambda m: m >= n)(n) for k, n in want.items()}, got)


at_least("tcp-by-flags", {"0": 2, "1": 1, "41": 1, "2": 19, "18": 8})
at_least("tcp-probes", {
    "accept-established": 8, "connect-established": 8, "connect-request": 16, "connect-refused": 8,
    "accept-refused": 9, "state-change": 96, "send": 60, "receive": 60, "retransmit": 2, "drop": 8,
    "destroy": 24, "reset-sent": 9, "reset-received": 8, "existing": 4})
at_least("tcp-state-changes", {
    "state-closed state-syn-sent": 16, "state-syn-sent state-established": 8,
    "state-fin-wait-2 state-time-wait": 8, "state-last-ack state-closed": 8})
check("tcp-connect-latency", {"n": lambda n: n >= 8}, {"n": sum(histograms("tcp-connect-latency").values())})
sys.exit(bad)
EOF
finish
