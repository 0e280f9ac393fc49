#!/bin/bash
# Filters on a live machine. The test takes the events of a run without filters, selects events by
# the definition of each filter, and compares them line by line with a filtered run.
. "$(dirname "$0")/../lib.bash"
need python3 ping

pair a b 10.178.0 fd78
ip -n a neigh replace fd78::2 lladdr "$(mac b vb)" nud permanent dev va
ip -n b neigh replace fd78::1 lladdr "$(mac a va)" nud permanent dev vb
V="$LIVE/helpers/visitors"
in_ns a ping -qc 1 10.178.0.2 >/dev/null && in_ns a ping -qc 1 fd78::2 >/dev/null || fail 'the hosts do not reach each other'
background server b "$V" server 10.178.0.2 fd78::2
server=$(awk '{ print $2 }' "$T/server.srv")
mkdir "$T/cgroup" && mount -t cgroup2 none "$T/cgroup" && mkdir "$T/cgroup/filters-$$" "$T/cgroup/filters-$$/leaf" ||
	skip 'no control groups'
trap 'rmdir "$T/cgroup/filters-$$/leaf" "$T/cgroup/filters-$$"; umount "$T/cgroup"; live_end' EXIT
leaf=$(stat -c %i "$T/cgroup/filters-$$/leaf")

WHO='probeprov, probename, args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_uid, args[1]->cs_netns, args[1]->cs_cgroup'
# Selects the packets and connections of this test. With all traffic of the machine, dtrace could
# lose events.
ours() { echo "/cidr($1, \"10.178.0.0/24\") || cidr($1, \"fd78::/64\")/"; }
PROGRAM="
tcp:::send, tcp:::receive, tcp:::connect-request, tcp:::connect-established, tcp:::accept-established,
tcp:::connect-refused, tcp:::accept-refused
$(ours 'args[3]->tcps_laddr')
{
	printf(\"%s:%s %d %s %d %d %d %s %d %s %d\\n\", $WHO, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}
tcp:::state-change
$(ours 'args[3]->tcps_laddr')
{
	printf(\"%s:%s %d %s %d %d %d %s %d %s %d\\n\", $WHO, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}
udp:::send, udp:::receive
$(ours 'args[3]->udps_laddr')
{
	printf(\"%s:%s %d %s %d %d %d %s %d %s %d\\n\", $WHO, args[3]->udps_laddr, args[3]->udps_lport,
	    args[3]->udps_raddr, args[3]->udps_rport);
}
/* The probes of packets have no port to print. */
ip:::send $(ours 'args[2]->ip_saddr') { printf(\"%s:%s %d %s %d %d %d %s %d %s %d\\n\", $WHO, args[2]->ip_saddr, -1, args[2]->ip_daddr, -1); }
ip:::receive $(ours 'args[2]->ip_saddr') { printf(\"%s:%s %d %s %d %d %d %s %d %s %d\\n\", $WHO, args[2]->ip_daddr, -1, args[2]->ip_saddr, -1); }"

# Each line has a name for the files, and the filters.
cat >"$T/filters" <<X
all
port -x port=7801
lport -x lport=7801
rport -x rport=7801,7805-7806
not-port -x port=!7801
not-all -x port=7800-7805,!7802
addr -x addr=10.178.0.1
net -x laddr=fd78::/64,10.178.0.2/31
not-net -x raddr=!10.178.0.0/24
ipver -x ipver=6
netns -x netns=a
netns-pid -x netns=$server
not-netns -x netns=!a
user -x user=1234
users -x user=!1234,!nobody
cgroup -x cgroup=$T/cgroup/filters-$$
pid -x pid=$server
not-pid -x pid=!$server
execname -x execname=v-server
names -x execname=v-cl*,v-full
two -x port=7801,7805 -x user=0-100
both -x addr=10.178.0.1 -x addr=10.178.0.2 -x port=7805
X
while read -r name args; do
	# shellcheck disable=SC2086
	dt_start "$name" -b 16m -x footer $args -n "$PROGRAM" || finish
done <"$T/filters"
warnings=$(cat "$T"/*.err | grep -v -e 'cannot identify the owning process' -e 'tcp:::state-change has no packet, so -x lport leaves out')
[ -z "$warnings" ] || fail "an unexpected warning: $warnings"

# The client in the control group also has another user.
visit() {
	# shellcheck disable=SC2016
	in_ns a sh -c 'echo $$ >"$0" && exec setpriv --reuid 1234 --clear-groups "$@"' \
		"$T/cgroup/filters-$$/leaf/cgroup.procs" timeout 120 "$V" client "$1"
	in_ns a timeout 120 "$V" client "$1"
}
visit 10.178.0.2 && visit fd78::2 && in_ns a timeout 120 "$V" full 10.178.0.2 || fail 'the visitors failed'
sleep 0.5
while read -r name args; do
	dt_stop "$name" || fail "$name ends with status $?"
	lossless "$name" >/dev/null
done <"$T/filters"

python3 - "$T" "$server" "$leaf" "$(inum a)" <<'X' || failed=1
import collections
import ipaddress
import re
import sys

T, SERVER, LEAF, A = sys.argv[1], *map(int, sys.argv[2:])
OURS = [ipaddress.ip_network(n) for n in ("10.178.0.0/24", "fd78::/64")]
Event = collections.namedtuple("Event", "probe pid name uid netns cgroup laddr lport raddr rport")
bad = 0


def inside(text, *nets):
    a = ipaddress.ip_address(text)
    return any(a in ipaddress.ip_network(n) for n in nets)


def events(name):
    """Those of our hosts; others' packets pass meanwhile, too."""
    out = []
    for line in open("%s/%s.out" % (T, name)):
        w = line.split()
        if len(w) != 10 or not all(any(ipaddress.ip_address(a) in n for n in OURS) for a in (w[6], w[8])):
            continue
        out.append(Event(w[0], int(w[1]), w[2], int(w[3]), int(w[4]), int(w[5]), w[6], int(w[7]), w[8], int(w[9])))
    return out


def some_port(e, *ports):
    return e.lport in ports or e.rport in ports


# A packet without a socket belongs to the network namespace of its device.
def in_a(e):
    return e.netns == A if e.netns else inside(e.laddr, "10.178.0.1", "fd78::1")


MEANING = {
    "port": lambda e: some_port(e, 7801),
    "lport": lambda e: e.lport == 7801,
    "rport": lambda e: e.rport in (7801, 7805, 7806),
    "not-port": lambda e: not some_port(e, 7801),
    "not-all": lambda e: some_port(e, *range(7800, 7806)) and not some_port(e, 7802),
    "addr": lambda e: "10.178.0.1" in (e.laddr, e.raddr),
    "net": lambda e: inside(e.laddr, "fd78::/64", "10.178.0.2/31"),
    "not-net": lambda e: not inside(e.raddr, "10.178.0.0/24"),
    "ipver": lambda e: ":" in e.laddr,
    "netns": in_a,
    "netns-pid": lambda e: not in_a(e),
    "not-netns": lambda e: not in_a(e),
    "user": lambda e: e.uid == 1234,
    "users": lambda e: e.uid not in (1234, 65534),
    "cgroup": lambda e: e.cgroup == LEAF,
    "pid": lambda e: e.pid == SERVER,
    "not-pid": lambda e: e.pid != SERVER,
    "execname": lambda e: e.name == "v-server",
    "names": lambda e: e.name in ("v-client", "v-full"),
    "two": lambda e: some_port(e, 7801, 7805) and e.uid <= 100,
    "both": lambda e: {e.laddr, e.raddr} == {"10.178.0.1", "10.178.0.2"} and some_port(e, 7805),
}
PORTS = {"port", "lport", "rport", "not-port", "not-all", "two", "both"}
all_events = events("all")
# The unfiltered listing must contain every kind of event, with addresses of both families.
kinds = {(e.probe, ":" in e.laddr) for e in all_events}
if len(kinds) != 2 * 12:
    print("FAIL: not all events were seen: %s" % sorted(kinds))
    bad = 1
for name, meaning in MEANING.items():
    got = events(name)
    packets = {p: sum(e.probe == "ip:" + p for e in got) for p in ("send", "receive")}
    parts = {p: sum(e.probe in ("tcp:" + p, "udp:" + p) for e in got) for p in ("send", "receive")}
    # Packet probes print no port. So a filter by port must select as many packets as segments and
    # datagrams. "two" also selects by owner, which ip:::receive does not know.
    if name in PORTS - {"two"} and packets != parts:
        print("FAIL: %s: packets %s, segments and datagrams %s" % (name, packets, parts))
        bad = 1
    got = collections.Counter(e for e in got if name not in PORTS or not e.probe.startswith("ip:"))
    want = collections.Counter(e for e in all_events
                               if meaning(e) and (name not in PORTS or not e.probe.startswith("ip:")))
    if got != want or not want:
        print("FAIL: %s: %d, wanted %d: too many %s, too few %s" % (
            name, sum(got.values()), sum(want.values()), list((got - want).items())[:3],
            list((want - got).items())[:3]))
        bad = 1
        continue
    print("ok: %s (%d)" % (name, sum(want.values())))
sys.exit(bad)
X
finish
