# Compares each connection attempt in the log of connaudit with the actions of the processes, with
# the kernel's counters, and with captures that tshark reads. There are 3,000 connections
# (CONNECTIONS sets another number), refusals, resets, a scan, an absent host, firewalls and a full
# queue.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1

pair c s 10.185.0 fd85
ip -n c neigh replace 10.185.0.99 lladdr 02:77:00:00:00:99 nud permanent dev vc
ip -n c neigh replace fd85::2 lladdr "$(mac s vs)" nud permanent dev vc
ip -n s neigh replace fd85::1 lladdr "$(mac c vc)" nud permanent dev vs
in_ns s sh -c 'echo 4096 >/proc/sys/net/core/somaxconn'

export CONNECTIONS=${CONNECTIONS:-3000} FIREWALLS=0
if command -v nft >/dev/null && in_ns s nft -f - <<'END' && in_ns c nft -f - <<'END2'
table inet test {
	chain in {
		type filter hook input priority 0;
		tcp dport 7805 counter drop
		tcp dport 7806 counter reject with tcp reset
	}
}
END
table inet test {
	chain out {
		type filter hook output priority 0;
		tcp dport 7808 counter drop
	}
}
END2
then
	FIREWALLS=1
else
	echo 'no firewall here: that part is left out'
fi
counted() { in_ns "$1" nft list ruleset | sed -n "s/.*dport $2 counter packets \([0-9]*\) .*/\1/p"; }

# Each process prints what it did, by the client's port.
cat >"$T/talk.py" <<'END'
import os, select, socket, struct, subprocess, sys, time
N = int(os.environ["CONNECTIONS"])
REFUSED, SILENT, SCANNED, BLOCKED = N // 10, N // 100, N // 30, int(os.environ["FIREWALLS"]) * N // 100
def name(n):
    with open("/proc/self/comm", "w") as f:
        f.write(n)
def server():
    name("a-server")
    ls = []
    for family, to, port, backlog in ((socket.AF_INET, "10.185.0.2", 7801, 4096), (socket.AF_INET6, "fd85::2", 7801, 4096),
                                      (socket.AF_INET, "10.185.0.2", 7803, 0)):
        l = socket.socket(family)
        l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        l.bind((to, port))
        l.listen(backlog)
        ls.append(l)
    print("listening", os.getpid(), flush=True)
    open_now = []
    while True:
        for s in select.select(ls[:2] + open_now, [], [])[0]:
            if s in ls:
                open_now.append(s.accept()[0])
                continue
            try:
                data = s.recv(1000)
            except ConnectionResetError:
                data = b""
            if data:
                s.sendall(data * 3)
            else:
                open_now.remove(s)
                s.close()
def say(how, port, *words):
    print(how, port, *words)
def client():
    name("a-client")
    os.setuid(1234)
    for i in range(N):
        s = socket.socket(socket.AF_INET6 if i % 3 == 0 else socket.AF_INET)
        s.connect(("fd85::2" if i % 3 == 0 else "10.185.0.2", 7801))
        port = s.getsockname()[1]
        s.sendall(b"x" * (i % 50 + 1))
        got = 0
        while got < 3 * (i % 50 + 1):
            got += len(s.recv(1000))
        if i % 10 == 9:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            say("aborted", port, i % 50 + 1, got)
        else:
            say("closed", port, i % 50 + 1, got)
        s.close()
    for i in range(REFUSED):
        s = socket.socket()
        s.bind(("10.185.0.1", 0))
        try:
            s.connect(("10.185.0.2", 7802))
        except ConnectionRefusedError:
            say("refused", s.getsockname()[1], 0, 0)
        s.close()
    for i in range(SILENT):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex(("10.185.0.99", 7801))
        say("unanswered", s.getsockname()[1], 0, 0)
        s.close()
    # Firewalls: at the server, silent or with a rejection, and at the client.
    for port, how in ((7805, "blocked"), (7806, "rejected"), (7808, "kept")):
        for i in range(BLOCKED):
            s = socket.socket(socket.AF_INET6 if i % 3 == 0 else socket.AF_INET)
            if how != "rejected":
                s.setblocking(False)
            try:
                s.connect(("fd85::2" if i % 3 == 0 else "10.185.0.2", port))
            except (BlockingIOError, ConnectionRefusedError):
                pass
            say(how, s.getsockname()[1], 0, 0)
            s.close()
    # The queue has room for one connection. So the SYNs of the next two connections are dropped.
    first = socket.socket()
    first.connect(("10.185.0.2", 7803))
    say("queued", first.getsockname()[1], 0, 0)
    for i in range(2):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex(("10.185.0.2", 7803))
        say("overflown", s.getsockname()[1], 0, 0)
        s.close()
def scan():
    name("a-scan")
    s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    ends = socket.inet_aton("10.185.0.1") + socket.inet_aton("10.185.0.2")
    for i in range(SCANNED):
        for port, what in ((7801, "half-open"), (7804, "scanned")):
            seg = struct.pack(">HHIIBBHHH", 20000 + i, port, 1000, 0, 5 << 4, 2, 1024, 0, 0)
            n = sum(struct.unpack(">6H", ends + struct.pack(">HH", 6, 20))) + sum(struct.unpack(">10H", seg))
            n = (n & 0xffff) + (n >> 16)
            n = ~((n & 0xffff) + (n >> 16)) & 0xffff
            seg = seg[:16] + struct.pack(">H", n) + seg[18:]
            s.sendto(struct.pack(">BBHHHBBH", 0x45, 0, 40, 0, 0, 64, 6, 0) + ends + seg, ("10.185.0.2", 0))
            say(what, 20000 + i, 0, 0)
        time.sleep(.001)
# Prints each attempt in a capture: verdict, the client's port, bytes that the host of the capture
# sent, bytes that it received.
def wire(capture, at):
    fields = ["ip.src", "ipv6.src", "tcp.srcport", "tcp.dstport", "tcp.flags", "tcp.nxtseq", "tcp.stream", "ip.dst"]
    out = subprocess.run(["tshark", "-n", "-r", capture, "-o", "tcp.analyze_sequence_numbers:TRUE", "-Y", "tcp", "-T", "fields"] +
                         [a for f in fields for a in ("-e", f)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    streams = {}
    for line in out.splitlines():
        v4, v6, sport, dport, flags, after, stream, to = line.split("\t")
        theirs = (v4 or v6) in ("10.185.0.1", "fd85::1")
        s = streams.setdefault(stream, {"port": sport, "to": int(dport), "flags": [0, 0], "acked": False, "bytes": [0, 0],
                                        "absent": to == "10.185.0.99"})
        flags = int(flags, 16)
        s["acked"] |= theirs and flags & 0x17 == 0x10
        s["flags"][not theirs] |= flags
        if not flags & 4:
            s["bytes"][not theirs] = max(s["bytes"][not theirs], int(after) - 1)
    for s in streams.values():
        client, server = s["flags"]
        sent, received = (max(0, b - bool(f & 1)) for b, f in zip(s["bytes"], s["flags"]))
        if not server:
            how = "unanswered"
        elif not server & 2:
            how = "refused"
        elif not s["acked"]:
            how = "half-open"
        else:
            how = "aborted" if client & 4 else "closed"
        if at == "s":
            if s["absent"] or s["to"] == 7803 and how == "closed":
                continue
            how = {"aborted": "reset-by-peer", "refused": "refusal", "unanswered": "overflow"}.get(how, how)
            how = "dropped" if s["to"] in (7805, 7806) else how
            sent, received = received, sent
        elif 20000 <= int(s["port"]) < 20000 + SCANNED:
            continue
        say(how, s["port"], sent, received)
{"wire": lambda: wire(*sys.argv[2:]), "server": server, "client": client, "scan": scan}[sys.argv[1]]()
END

counters() { # counters NS: prints the kernel's counters of TCP, as "Tcp:ActiveOpens 5"
	snmp "$1" | grep -E '^Tcp:(ActiveOpens|PassiveOpens|AttemptFails|EstabResets) '
	in_ns "$1" awk '/^TcpExt:/ && !n { n = split($0, a); next }
		/^TcpExt:/ { for (i in a) if (a[i] == "ListenOverflows") print "ListenOverflows", $i }' /proc/net/netstat
}
# The log covers the whole machine; only these namespaces count.
dt_start audit -x footer -x netns=c,s -x addr=10.185.0.0/24,fd85::/64 -b 16m -s scripts/connaudit.d || finish
background server s python3 "$T/talk.py" server
server=$(awk '{ print $2 }' "$T/server.srv")
for n in c s; do
	counters $n >"$T/$n.from"
	if command -v tcpdump >/dev/null && command -v tshark >/dev/null; then
		background cap_$n $n tcpdump -Z root -n -B 65536 -s 128 -i v$n -w "$T/$n.pcap" tcp || finish
		eval "cap_$n=$!"
	fi
done
in_ns c timeout 600 python3 "$T/talk.py" client >"$T/did" || fail 'the client failed'
in_ns c timeout 600 python3 "$T/talk.py" scan >>"$T/did" || fail 'the scan failed'
sleep 0.5
for n in c s; do counters $n >"$T/$n.to"; done
dt_stop audit
same 'exit status 0, because nothing was lost' 0 $?
lossless audit

log() { # log out|in COLUMNS: prints these columns of the lines of one side, sorted
	awk -v how="how=$1" -v names="$2" '{ delete v; for (i = 1; i <= NF; i++) if (split($i, w, "=") == 2) v[w[1]] = w[2] }
		("how=" v["how"]) == how { n = split(names, a, ","); for (i = 1; i <= n; i++) printf("%s%s", v[a[i]], i < n ? " " : "\n") }' \
		"$T/audit.out" | sort
}
# Each attempt as the client saw it, by its port: the verdict, and the bytes sent and received.
awk '$1 ~ /overflown|blocked|kept/ { $1 = "unanswered" } $1 == "rejected" { $1 = "refused" } $1 == "queued" { $1 = "closed" } $1 !~ /half-open|scanned/' "$T/did" | sort >"$T/wanted"
log out verdict,lport,sent,received >"$T/got"
same_files 'each attempt of the client: verdict, port and bytes' "$T/wanted" "$T/got"
# Each attempt as the server saw it.
awk '$1 == "aborted" { $1 = "reset-by-peer" } $1 == "refused" || $1 == "scanned" { $1 = "refusal" } $1 == "overflown" { $1 = "overflow" }
	$1 ~ /blocked|rejected/ { $1 = "dropped" } $1 !~ /unanswered|queued|kept/ { print $1, $2, $4, $3 }' "$T/did" | sort >"$T/wanted"
log in verdict,rport,sent,received >"$T/got"
same_files 'each attempt that reaches the server: verdict, port and bytes' "$T/wanted" "$T/got"
same 'names of the owner: a user without a name, the namespace, no container' '1234 c -' "$(log out user,netns,container | uniq | xargs)"
same 'owner of the client'\''s connections' '1234 a-client' "$(log out uid,comm | uniq | xargs)"
same 'owner of the server'\''s connections' "closed $server a-server reset-by-peer $server a-server" \
	"$(log in verdict,pid,comm | grep -E '^(closed|reset)' | uniq | xargs)"
same 'connections that are still open' 'still open: 1, SYNs with no outcome: 0' \
	"$(sed -n 's/^attempts: [0-9]*, //p' "$T/audit.out")"

# The kernel's counters.
same 'the kernel'\''s ActiveOpens equals the attempts of the client' "$(delta c Tcp:ActiveOpens)" "$(log out pid | wc -l)"
same 'the kernel'\''s PassiveOpens equals the server'\''s connections and the one that waits to be accepted' "$(delta s Tcp:PassiveOpens)" \
	$(($(log in verdict | grep -cE 'closed|reset') + 1))
same 'the kernel'\''s AttemptFails equals the refused attempts' "$(delta c Tcp:AttemptFails)" "$(log out verdict | grep -c refused)"
same 'the kernel'\''s EstabResets equals the connections that the client aborted' "$(delta c Tcp:EstabResets)" "$(log out verdict | grep -c aborted)"
if [ $FIREWALLS = 1 ]; then
	chain='<unknown>'
	! "$PLAIN" -en 'fbt::nft_do_chain:entry { }' 2>"$T/refused" || chain=test/in
	same 'chain of the firewall rule' "$chain" "$(log in verdict,chain | sed -n 's/^dropped //p' | sort -u)"
	same "packets that the server's firewall dropped" "$(($(counted s 7805) + $(counted s 7806)))" "$(log in verdict | grep -c dropped)"
	same "packets that the client's firewall dropped" "$(counted c 7808)" "$(log out verdict,rport | grep -c ' 7808')"
fi
same 'the kernel'\''s ListenOverflows equals the attempts with the verdict overflow' "$(delta s ListenOverflows)" "$(log in verdict | grep -c overflow)"

# The packets on the wire, as tshark reads them. Packets that the client's firewall dropped are not
# in the client's capture.
for n in c s; do
	[ -s "$T/cap_$n.srv" ] || continue
	eval "kill -INT \$cap_$n; wait \$cap_$n"
	same "packets that the capture at $n lost" 0 "$(sed -n 's/^\([0-9]*\) packets* dropped by kernel/\1/p' "$T/cap_$n.srv")"
	in_ns $n python3 "$T/talk.py" wire "$T/$n.pcap" $n | sort >"$T/wanted"
	if [ $n = c ]; then
		log out verdict,lport,sent,received,rport | awk '$NF != 7808 { print $1, $2, $3, $4 }' | sort >"$T/got"
	else
		log in verdict,rport,sent,received >"$T/got"
	fi
	same_files "tshark at $n, $(wc -l <"$T/wanted") attempts" "$T/wanted" "$T/got"
done
finish
