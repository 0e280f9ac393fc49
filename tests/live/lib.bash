# lib.bash - what live tests share: a place of their own, dtrace runs, the kernel's counters.
#
# Source it first.  The script is started again in a mount and a network namespace of
# its own, which hold every other namespace and device it makes: when its last process
# is gone, however it went, so is all the rest.  Where that or BPF is refused, the test
# is skipped.  $T is a scratch directory; results are compared with `same`.

set -u
LIVE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$LIVE/../results.bash"
DTRACE=$(realpath "${DTRACE:?must be the path of the dtrace command}") || exit 1
# The test build's leak checker needs ptrace and finds nothing that lives as short as we do.
export LC_ALL=C DTRACE_OPT_nohint= ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}

# The first arguments' commands must exist.
need() {
	local c
	for c; do
		command -v "$c" >/dev/null || skip "no $c command here"
	done
}

# Is the kernel of that release, or newer?
since() {
	[ "$(printf '%s\n%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}

# Some kernels run no tracing program in the time of a certain process: on a machine whose init
# is shielded so, a packet that an interrupt handles just then passes the cgroup hooks, but no
# tracepoint of ours.  Is this one of them?
shields_init() {
	local seen
	seen=$(timeout 120 "$DTRACE" -qn 'rawtp:::sched_switch /args[1]->tgid == 1/ { from++; }
		rawtp:::sched_switch /args[2]->tgid == 1/ { to++; }
		tick-100ms /from || n++ == 50/ { printf("%d %d", from, to); exit(0); }' 2>&1)
	[ "${seen% *}" = 0 ] && [ "${seen#* }" != 0 ]
}

# Runs the test; again if it failed while packets passed that no tracepoint could show.
attempts() {
	local try status unseen

	# A guest's kernel (tests/vm) shields nobody.
	[ -z "${IN_VM:-}" ] || LIVE_INSIDE=1 exec unshare -mn --propagation private bash "$0" "$@"
	for try in 1 2 3; do
		unseen=$(mktemp)
		setpriv --pdeathsig KILL "$DTRACE" -qn 'cgroup_skb:::egress, cgroup_skb:::ingress /pid == 1/ { n++; }
			END { printf("%d", n); }' >"$unseen" 2>/dev/null &
		LIVE_INSIDE=1 setpriv --pdeathsig KILL unshare -mn --propagation private bash "$0" "$@"
		status=$?
		kill $! 2>/dev/null # not INT: what a shell starts behind itself ignores that until it has begun
		wait $!
		n=$(tail -n 1 "$unseen")
		rm -f "$unseen"
		[ "$status" = 1 ] && [ "${n:-0}" != 0 ] && shields_init || exit "$status"
		echo "AGAIN: $n packets passed where this kernel runs no tracing program (attempt $try)"
	done
	exit 1
}

if [ -z "${LIVE_INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || skip "live tracing needs root"
	need ip unshare setpriv cc
	why=$(timeout 120 "$DTRACE" -qn 'BEGIN { exit(0); }' 2>&1) || skip "live tracing is refused: $why"
	# ip(8) and unshare(1) both fail in a chroot whose root is a plain folder.
	why=$(unshare -mn true 2>&1) || skip "no network namespaces: $why (in a chroot, mount --bind its root on itself first)"
	attempts "$@"
fi

T=$(mktemp -d)
declare -A dt_pid=()

live_end() {
	local p
	for p in $(jobs -p); do
		disown "$p"
		kill -KILL "$p" 2>/dev/null
	done
	rm -rf "$T"
}
trap live_end EXIT
trap 'exit 1' INT TERM

mkdir -p /run/netns
mount -t tmpfs none /run/netns
ip link set lo up

# ------------------------------------------------------------------- results

# same WHAT WANTED GOT
same() {
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok: $1${4-: $2}"
	else
		fail "$1: wanted $2, got $3"
	fi
}

# ---------------------------------------------------------------- namespaces

# ns NAME...: namespaces with the loopback device up and without IPv6's own chatter
ns() {
	local n
	for n; do
		ip netns add "$n" || exit 1
		ip netns exec "$n" sh -c '
			cd /proc/sys/net/ipv6/conf || exit 0
			for d in all default; do
				echo 0 >$d/accept_dad; echo 0 >$d/router_solicitations
				echo 0 >$d/dad_transmits; echo 0 >$d/use_tempaddr
			done
			echo 10 >default/mldv2_unsolicited_report_interval'
		ip -n "$n" link set lo up
	done
}

# veth NS1 DEV1 NS2 DEV2 [MTU]
veth() {
	ip link add "$2" netns "$1" mtu "${5:-1500}" type veth peer name "$4" netns "$3" \
		mtu "${5:-1500}" || exit 1
	ip -n "$1" link set "$2" up
	ip -n "$3" link set "$4" up
}

# pair A B NET [NET6]: namespaces with a veth between them, vA and vB; NET.1 and NET6::1 are A's, NET.2 and NET6::2 are B's
pair() {
	ns "$1" "$2"
	veth "$1" "v$1" "$2" "v$2"
	addr "$1" "v$1" "$3.1/24" ${4:+"$4::1/64"}
	addr "$2" "v$2" "$3.2/24" ${4:+"$4::2/64"}
}

# addr NS DEV ADDRESS/LENGTH...
addr() {
	local n=$1 d=$2 a
	shift 2
	for a; do
		case $a in
		*:*) ip -n "$n" addr add "$a" dev "$d" nodad ;;
		*) ip -n "$n" addr add "$a" dev "$d" ;;
		esac
	done
}

# Error messages are limited in number by default; for counting each must come.
unlimited() {
	local n
	for n; do
		in_ns "$n" sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_ratelimit
			echo 0 >/proc/sys/net/ipv6/icmp/ratelimit'
	done
}

# Not "ip netns exec", which mounts /sys each time: in a guest that takes half a second.
in_ns() {
	local n=$1
	shift
	nsenter --net="/run/netns/$n" "$@"
}

# The number that args[3]->if_ipstack shows.
inum() {
	stat -L -c %i "/run/netns/$1"
}

mac() {
	ip -n "$1" -o link show "$2" | sed 's|.*link/ether \([^ ]*\).*|\1|'
}

# ----------------------------------------------------------------- counters

# snmp NS: "Ip:InReceives 5" and "Ip6:Ip6InReceives 7", a line each
snmp() {
	in_ns "$1" cat /proc/net/snmp /proc/net/snmp6 2>/dev/null | awk '
		/^[A-Z][A-Za-z]*: [A-Za-z]/ { n = split($0, name); next }
		/^[A-Z][A-Za-z]*: / { for (i = 2; i <= n; i++) print $1 name[i], $i; next }
		{ print "Ip6:" $1, $2 }'
}

# The counters of packets; other counters may change without a packet.
packets() {
	snmp "$1" | grep -E '(InReceives|OutRequests|OutTransmits|ForwDatagrams|FragCreates|FragOKs|OutSegs) '
}

# settled NS...: waits until no packet moves any more
settled() {
	local n was='' now i
	for ((i = 0; i < 50; i++)); do
		now=$(for n; do packets "$n"; done)
		[ "$now" = "$was" ] && return 0
		was=$now
		sleep 0.3
	done
	fail "traffic in $* does not end"
	return 1
}

# delta NS COUNTER...: by how much the counters grew from "$T/NS.from" to "$T/NS.to", added up
delta() {
	local n=$1
	shift
	awk -v names="$*" '
		BEGIN { m = split(names, a); for (i = 1; i <= m; i++) want[a[i]] = 1 }
		$1 in want { sum += (FILENAME == ARGV[1] ? -$2 : $2) }
		END { print sum + 0 }' "$T/$n.from" "$T/$n.to"
}

# ------------------------------------------------------------------- dtrace

# A clause that says when probes are live; the run is quiet, its output starts with READY.
READY='int is_ready; tick-10ms /!is_ready/ { is_ready = 1; printf("READY\n"); }'

# dt_start NAME ARGUMENTS: starts dtrace -q in the background, its output in $T/NAME.out and .err
dt_start() {
	local name=$1
	shift
	: >"$T/$name.out" # READY of a run before of that name is not this one's
	setpriv --pdeathsig KILL "$DTRACE" -q "$@" -n "$READY" >"$T/$name.out" 2>"$T/$name.err" &
	dt_pid[$name]=$!
	dt_ready "$name"
}

dt_ready() {
	local i
	for ((i = 0; i < 2400; i++)); do
		grep -qs READY "$T/$1.out" && return 0
		kill -0 "${dt_pid[$1]}" 2>/dev/null || break
		sleep 0.05
	done
	fail "dtrace did not start: $(cat "$T/$1.err")"
	return 1
}

# dt_wait NAME [SECONDS]: waits for the end; its status
dt_wait() {
	local i pid=${dt_pid[$1]}
	for ((i = 0; i < ${2:-60} * 20; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	if kill -KILL "$pid" 2>/dev/null; then
		fail "dtrace did not end"
	fi
	wait "$pid"
	local status=$?
	unset "dt_pid[$1]"
	return $status
}

# dt_stop NAME: as Ctrl-C does
dt_stop() {
	kill -INT "${dt_pid[$1]}"
	dt_wait "$1"
}

# A line of -x footer.
footer() {
	sed -n "s/^dtrace: $2  *\([0-9]*\)\$/\1/p" "$T/$1.err"
}

# lossless NAME: nothing was lost, or the test cannot say anything
lossless() {
	local what
	for what in 'records dropped' 'aggregation keys refused' 'probe firings missed' \
		'packets with unreadable headers' faults; do
		same "$1: $what" 0 "$(footer "$1" "$what")" ''
	done
}

# ----------------------------------------------------------------- captures

# sniff NS / sniffed NS in|out: IP packets that the devices of a namespace saw.  Fragments
# count each, packets of segmentation offload once.
declare -A sniff_pid=()

sniff() {
	local i
	: >"$T/$1.tcpdump"
	setpriv --pdeathsig KILL ip netns exec "$1" tcpdump -U --immediate-mode -B 16384 -i any -s 128 -w "$T/$1.pcap" 2>"$T/$1.tcpdump" &
	sniff_pid[$1]=$!
	for ((i = 0; i < 1200; i++)); do
		grep -q 'listening on' "$T/$1.tcpdump" && return 0
		sleep 0.05
	done
	fail "tcpdump did not start: $(cat "$T/$1.tcpdump")"
}

# It has all when its file grows no more and it waits for packets, which is not to wait for a CPU.
sniff_end() {
	local was=-1

	while [ "$was" != "$(stat -c %s "$T/$1.pcap")" ] || ! grep -q '^State:.S' "/proc/${sniff_pid[$1]}/status"; do
		kill -0 "${sniff_pid[$1]}" || break
		was=$(stat -c %s "$T/$1.pcap")
		sleep 0.2
	done
	kill -INT "${sniff_pid[$1]}"
	wait "${sniff_pid[$1]}"
	grep -q '^0 packets dropped by kernel' "$T/$1.tcpdump" || fail "tcpdump lost packets"
}

sniffed() {
	local dir=inbound
	[ "$2" = out ] && dir=outbound
	tcpdump -nr "$T/$1.pcap" "$dir and (ip or ip6)" 2>/dev/null | wc -l
}

# -------------------------------------------------------- counts of both sides

COUNT='
ip:::receive { @r[args[3]->if_ipstack, args[3]->if_name, args[2]->ip_ver] = count(); }
ip:::send { @s[args[3]->if_ipstack, args[3]->if_name, args[2]->ip_ver] = count(); }
END { printa("receive %d %s %d %@d\n", @r); printa("send %d %s %d %@d\n", @s); }'

# measure NAME COMMAND ARG...: counts while the command runs.  A packet that moves while
# the probes go on or off would make both sides differ by no one's fault, so the
# namespaces in $SPACES must be silent then: else it is done again.  Those in $CAPTURE
# are captured meanwhile.  $MORE: further clauses.  VARIANT[X]: more arguments of a run of its own,
# NAME.X; all of them count the same traffic.  Without any there is one, NAME.
CAPTURE='' MORE=''
declare -A VARIANT=()
variants() {
	local v
	[ ${#VARIANT[@]} -gt 0 ] || echo "$1"
	for v in "${!VARIANT[@]}"; do echo "$1.$v"; done
}

measure() {
	local name=$1 i n
	shift
	for ((i = 0; i < 10; i++)); do
		measure_once "$name" "$@" || return 1
		for n in $SPACES; do
			cmp -s "$T/$n.from" "$T/$n.live" && cmp -s "$T/$n.dead" "$T/$n.to" || continue 2
		done
		for n in $(variants "$name"); do lossless "$n"; done
		return 0
	done
	fail "$name: no quiet moment in ten tries"
	return 1
}

measure_once() {
	local name=$1 n
	shift
	# shellcheck disable=SC2086
	settled $SPACES || return 1
	for n in $SPACES; do packets "$n" >"$T/$n.from"; done
	for n in $(variants "$name"); do
		# shellcheck disable=SC2086
		dt_start "$n" ${VARIANT[${n#"$name".}]:-} -x footer -n "$COUNT$MORE" || return 1
	done
	for n in $CAPTURE; do sniff "$n"; done
	for n in $SPACES; do packets "$n" >"$T/$n.live"; done
	"$@" >"$T/$name.log" 2>&1 || fail "$name: the traffic failed: $(tail -5 "$T/$name.log")"
	# shellcheck disable=SC2086
	settled $SPACES || return 1
	for n in $SPACES; do packets "$n" >"$T/$n.dead"; done
	for n in $CAPTURE; do sniff_end "$n"; done
	for n in $(variants "$name"); do dt_stop "$n"; done
	for n in $SPACES; do packets "$n" >"$T/$n.to"; done
}

# check_counters NAME NS...: dtrace against the namespaces' own counters
check_counters() {
	local name=$1 n
	shift
	for n; do
		same "$name: $n receives IPv4" "$(delta "$n" Ip:InReceives)" \
			"$(counted "$name" receive "$n" '*' 4)"
		same "$name: $n receives IPv6" "$(delta "$n" Ip6:Ip6InReceives)" \
			"$(counted "$name" receive "$n" '*' 6)"
		same "$name: $n sends IPv4" "$(delta "$n" Ip:OutRequests Ip:ForwDatagrams)" \
			"$(counted "$name" send "$n" '*' 4)"
		same "$name: $n sends IPv6" "$(delta "$n" Ip6:Ip6OutRequests Ip6:Ip6OutForwDatagrams)" \
			"$(counted "$name" send "$n" '*' 6)"
	done
}

# check_capture NAME NS...: against a capture of the same traffic; not where packets are
# fragmented on their way out, or pass two devices.  Packets that leave through the loopback
# device are shown as received only.
check_capture() {
	local name=$1 n
	shift
	for n; do
		same "$name: $n captured in" "$(sniffed "$n" in)" "$(counted "$name" receive "$n")"
		same "$name: $n captured out" "$(sniffed "$n" out)" "$(counted "$name" send "$n")"
	done
}

# counted NAME send|receive NS [DEV [VERSION]]: events in a namespace
counted() {
	awk -v probe="$2" -v ns="$(inum "$3")" -v dev="${4:-*}" -v ver="${5:-*}" '
		$1 == probe && $2 == ns && (dev == "*" || $3 == dev) && (ver == "*" || $4 == ver) {
			sum += $5
		}
		END { print sum + 0 }' "$T/$1.out"
}

# ------------------------------------------------------------------- helpers

# helper NAME: compiles NAME.c; the program is then $T/NAME.  $HELPERS: a folder where it may be already.
helper() {
	[ ! -x "${HELPERS:-}/$1" ] || { cp "$HELPERS/$1" "$T/$1"; return; }
	cc -std=gnu11 -O2 -Wall -Wextra -Werror -pthread -o "$T/$1" "$LIVE/helpers/$1.c" ||
		skip "cannot compile $1.c"
}

# background NAME NS COMMAND...: a server; waits until it says "listening"
background() {
	local name=$1 ns=$2 i pid
	shift 2
	: >"$T/$name.srv"
	setpriv --pdeathsig KILL ip netns exec "$ns" "$@" >"$T/$name.srv" 2>&1 &
	pid=$!
	for ((i = 0; i < 3000; i++)); do
		grep -q listening "$T/$name.srv" && return 0
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.02
	done
	echo "server $name: $(cat "$T/$name.srv")"
	return 1
}

# served NAME: what a server of `background` says last; one that serves once says it when it has
# read everything, which may be later than its client is done.
served() {
	local i n
	for ((i = 0; i < 600; i++)); do
		n=$(tail -n 1 "$T/$1.srv")
		[ "${n#listening}" = "$n" ] && break
		sleep 0.05
	done
	echo "$n"
}
