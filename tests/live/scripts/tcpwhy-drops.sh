# A firewall drops segments of a connection on their way out of the client (a SYN) or into the
# server (data). tcpwhy shows each drop. In the right column, it counts the time until the segment
# is sent again. It does not show segments without a connection.
. "$(dirname "$0")/../lib.bash"
need python3 nft

pair c s 10.186.0 fd86
in_ns c nft -f - <<'END' && in_ns s nft -f - <<'END2' || skip 'this kernel lacks a part of nf_tables'
table inet way {
	chain out {
		type filter hook output priority 0;
		ct state invalid accept
		tcp dport 7001 counter drop
	}
}
END
table inet way {
	chain in {
		type filter hook input priority 0;
		ct state invalid accept
		tcp dport 7002 counter drop
	}
}
END2
functions=
! "$PLAIN" -en 'fbt::nft_do_chain:entry { }' >"$T/refused" 2>&1 || functions=1
cat >"$T/talk.py" <<'END'
import ctypes, os, socket, subprocess, sys, time
def rule(ns, *words):
    subprocess.run(["ip", "netns", "exec", ns, "nft", *words], check=True)
client, server = sys.argv[1:]
l = socket.create_server(("10.186.0.2", 7001))
pid = os.fork()
if pid:
    a = l.accept()[0]
    while a.recv(1000):
        pass
    a.close()
    os.waitpid(pid, 0)
    sys.exit()
with open("/run/netns/" + client) as there:
    assert ctypes.CDLL(None).setns(there.fileno(), 0) == 0
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex(("10.186.0.2", 7001))      # the client's firewall drops the SYN
    x = socket.socket()
    x.setblocking(False)
    x.connect_ex(("10.186.0.2", 7002))      # no connection of the server
    rule(client, "flush", "chain", "inet", "way", "out")
    s.settimeout(10)
    time.sleep(1.5)                         # the SYN is sent again after a second
    rule(server, "add", "rule", "inet", "way", "in", "tcp", "dport", "7001", "counter", "drop")
    s.send(b"x" * 100)                      # the server's firewall drops it
    time.sleep(0.05)
    rule(server, "flush", "chain", "inet", "way", "in")
    time.sleep(0.7)
    s.close()
END
dt_start why -x footer -x addr=10.186.0.0/24 -s "$(realpath "$LIVE/../../scripts")/tcpwhy.d" wide || finish
in_ns s timeout 20 python3 "$T/talk.py" c s || fail 'the traffic failed'
settled c s
dt_stop why
lossless why
table() { echo "${functions:+way/$1}" | sed 's,^$,<unknown>,'; }
# The SYN to port 7002 belongs to no connection of the server, which drops it.
awk '$7 == "dropped" { print $3, $5, $12, $13, $14 }' "$T/why.out" | sort -u >"$T/got"
cat >"$T/want" <<END
in $(grep -m 1 -o ' in  *7001  *[0-9]*' "$T/why.out" | awk '{ print $3 }') NETFILTER_DROP ct=established chain=$(table in)
out 7001 NETFILTER_DROP ct=new chain=$(table out)
END
same_files 'segments that the firewalls dropped' "$T/want" "$T/got"
same 'lines of drops without a time' 0 "$(awk '$7 == "dropped"' "$T/why.out" | grep -vcE "dropped $(date +%Y) [A-Z][a-z][a-z] [ 0-9][0-9] [0-9:]{8} ")"
same 'lines that say why the chain is unknown' "$((${functions:-0} == 0))" "$(grep -c '^chains are <unknown>: ' "$T/why.out")"
# The columns of the connection at the client's end: the lost SYN counts in CONNECT, the lost data in
# RESENT.
same 'the wait until the SYN is sent again counts as CONNECT' 1 "$(awk '$3 == "out" && $5 == 7001 && NF == 13 { print ($8 > 900000) }' "$T/why.out")"
same 'the wait until the data is sent again counts as RESENT' 1 "$(awk '$3 == "out" && $5 == 7001 && NF == 13 { print ($12 > 150000) }' "$T/why.out")"
finish
