# lib.bash - shared by live tests: isolation, dtrace runs, the kernel's counters.
#
# A test sources this file first. The test restarts itself in a mount and a network namespace of its
# own. All other namespaces and devices of the test belong to these two namespaces. So everything
# disappears with the test's last process, however the test ends. The test is skipped if the kernel
# refuses namespaces or BPF programs. $T is a scratch folder; `same` compares results.

set -u
LIVE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$LIVE/../results.bash"
DTRACE=$(realpath "${DTRACE:?must be the path of the dtrace command}") || exit 1
# $PLAIN is the build without sanitizers, which starts ten times faster. Use it for work that the
# test does not check.
PLAIN=$(realpath "${DTRACE_PLAIN:-$DTRACE}") || exit 1
# The leak checker needs ptrace, and finds nothing in runs of dtrace as short as those of the tests.
export LC_ALL=C DTRACE_OPT_nohint= ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}

# need COMMAND...: skips the test if a command is missing.
need() {
	local c
	for c; do
		command -v "$c" >/dev/null || skip "no $c command here"
	done
}

# since RELEASE: succeeds if the kernel's release is RELEASE or newer.
since() {
	[ "$(printf '%s\n%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}

# Succeeds if this kernel runs no tracing programs in init (process 1). An interrupt may handle a
# packet while init runs. On such a kernel the packet then passes the cgroup hooks, but fires no
# tracepoint.
shields_init() {
	local seen
	seen=$(timeout 120 "$PLAIN" -qn 'rawtp:::sched_switch /args[1]->tgid == 1/ { from++; }
		rawtp:::sched_switch /args[2]->tgid == 1/ { to++; }
		tick-100ms /from || n++ == 50/ { printf("%d %d", from, to); exit(0); }' 2>&1)
	[ "${seen% *}" = 0 ] && [ "${seen#* }" != 0 ]
}

# Runs the test. Repeats a failed test if packets passed that fired no tracepoint (see
# shields_init).
attempts() {
	local try status unseen

	# Virtual machines (tests/vm) need no repetition: their kernels run tracing programs in every
	# process.
	[ -z "${IN_VM:-}" ] || LIVE_INSIDE=1 exec unshare -mn --propagation private bash "$0" "$@"
	for try in 1 2 3; do
		unseen=$(mktemp)
		setpriv --pdeathsig KILL "$PLAIN" -qn 'cgroup_skb:::egress, cgroup_skb:::ingress /pid == 1/ { n++; }
			END { printf("%d", n); }' >"$unseen" 2>/dev/null &
		LIVE_INSIDE=1 setpriv --pdeathsig KILL unshare -mn --propagation private bash "$0" "$@"
		status=$?
		kill $! 2>/dev/null # not INT, which a background command ignores until it has started
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
	# The kernels of virtual machines (tests/vm) allow live tracing.
	[ -n "${IN_VM:-}" ] || why=$(timeout 120 "$PLAIN" -qn 'BEGIN { exit(0); }' 2>&1) || skip "live tracing is refused: $why"
	# ip(8) and unshare(1) both fail in a chroot whose root is a plain folder.
	why=$(unshare -mn true 2>&1) || skip "no network namespaces: $why (in a chroot, mount --bind its root on itself first)"
	attempts "$@"
fi

. "$LIVE/../pause.bash"
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

# same WHAT WANTED GOT [SHOWN]: checks that GOT equals WANTED, which must not be empty. On success,
# prints WHAT and SHOWN, which is ": WANTED" by default.
same() {
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok: $1${4-: $2}"
	else
		fail "$1: wanted $2, got $3"
	fi
}

# ---------------------------------------------------------------- namespaces

# ns NAME...: creates network namespaces with the loopback device up, in which IPv6 sends few
# packets by itself
ns() {
	local n
	for n; do
		ip netns add "$n" || exit 1
		in_ns "$n" sh -c '
			cd /proc/sys/net/ipv6/conf || exit 0
			for d in all default; do
				echo 0 >$d/accept_dad; echo 0 >$d/router_solicitations
				echo 0 >$d/dad_transmits; echo 0 >$d/use_tempaddr
			done
			echo 10 >default/mldv2_unsolicited_report_interval'
		ip -n "$n" link set lo up
	done
}

# veth NS1 DEV1 NS2 DEV2 [MTU]: creates a pair of veth devices, one in each namespace, and sets both
# up
veth() {
	ip link add "$2" netns "$1" mtu "${5:-1500}" type veth peer name "$4" netns "$3" \
		mtu "${5:-1500}" || exit 1
	ip -n "$1" link set "$2" up
	ip -n "$3" link set "$4" up
}

# pair A B NET [NET6]: namespaces joined by the veth devices vA and vB. A has NET.1 and NET6::1; B
# has NET.2 and NET6::2.
pair() {
	ns "$1" "$2"
	veth "$1" "v$1" "$2" "v$2"
	addr "$1" "v$1" "$3.1/24" ${4:+"$4::1/64"}
	addr "$2" "v$2" "$3.2/24" ${4:+"$4::2/64"}
}

# addr NS DEV ADDRESS/LENGTH...: adds the addresses to the device
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

# unlimited NS...: turns off the rate limit for ICMP errors, because the tests count each error.
unlimited() {
	local n
	for n; do
		in_ns "$n" sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_ratelimit
			echo 0 >/proc/sys/net/ipv6/icmp/ratelimit'
	done
}

# in_ns NS COMMAND...: runs the command in the network namespace. nsenter is faster than "ip netns
# exec", which mounts /sys each time and takes half a second in a virtual machine.
in_ns() {
	local n=$1
	shift
	nsenter --net="/run/netns/$n" "$@"
}

# inum NS: prints the namespace's inode number, which args[3]->if_ipstack shows.
inum() {
	stat -L -c %i "/run/netns/$1"
}

mac() {
	ip -n "$1" -o link show "$2" | sed 's|.*link/ether \([^ ]*\).*|\1|'
}

# ----------------------------------------------------------------- counters

# snmp NS: prints one counter per line, as "Ip:InReceives 5" and "Ip6:Ip6InReceives 7"
snmp() {
	in_ns "$1" cat /proc/net/snmp /proc/net/snmp6 2>/dev/null | awk '
		/^[A-Z][A-Za-z]*: [A-Za-z]/ { n = split($0, name); next }
		/^[A-Z][A-Za-z]*: / { for (i = 2; i <= n; i++) print $1 name[i], $i; next }
		{ print "Ip6:" $1, $2 }'
}

# Prints the packet counters; other counters may change without a packet.
packets() {
	snmp "$1" | grep -E '(InReceives|OutRequests|OutTransmits|ForwDatagrams|FragCreates|FragOKs|OutSegs) '
}

# settled NS...: waits until the namespaces' packet counters stop changing
settled() {
	local n was='' now i
	for ((i = 0; i < 50; i++)); do
		now=$(for n; do packets "$n"; done)
		[ "$now" = "$was" ] && return 0
		was=$now
		pause 0.3
	done
	fail "traffic in $* does not end"
	return 1
}

# delta NS COUNTER...: prints the sum of the increases of the counters from "$T/NS.from" to
# "$T/NS.to"
delta() {
	local n=$1
	shift
	awk -v names="$*" '
		BEGIN { m = split(names, a); for (i = 1; i <= m; i++) want[a[i]] = 1 }
		$1 in want { sum += (FILENAME == ARGV[1] ? -$2 : $2) }
		END { print sum + 0 }' "$T/$n.from" "$T/$n.to"
}

# ------------------------------------------------------------------- dtrace

# A clause that prints READY when the probes are enabled. With -q, dtrace prints no line before it.
READY='int is_ready; tick-10ms /!is_ready/ { is_ready = 1; printf("READY\n"); }'

# dt_start NAME ARGUMENTS: starts dtrace -q in the background, and waits until its probes are
# enabled. Its output goes to $T/NAME.out and .err.
dt_start() {
	local name=$1
	shift
	: >"$T/$name.out" # removes the READY of an earlier run
	setpriv --pdeathsig KILL "$DTRACE" -q "$@" -n "$READY" >"$T/$name.out" 2>"$T/$name.err" &
	dt_pid[$name]=$!
	dt_ready "$name"
}

dt_ready() {
	local i
	for ((i = 0; i < 1200; i++)); do
		has "$T/$1.out" READY && return 0
		kill -0 "${dt_pid[$1]}" 2>/dev/null || break
		pause 0.1
	done
	fail "dtrace did not start: $(cat "$T/$1.err")"
	return 1
}

# waiting PID: prints what each thread of the process and of its children waits for
waiting() {
	local task

	for task in /proc/"$1"/task/*; do
		cat "$task/comm" "$task/wchan" "$task/stack"
		grep State "$task/status"
	done
	for task in $(cat /proc/"$1"/task/*/children); do waiting "$task"; done
}

# dt_wait NAME [SECONDS]: waits until the run ends, and kills it after SECONDS (60, or 300 in a slow
# guest of tests/vm); returns the status of dtrace
dt_wait() {
	local i pid=${dt_pid[$1]} limit=60
	[ -z "${VM_NUMBER:-}" ] || limit=300
	for ((i = 0; i < ${2:-$limit} * 10; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		pause 0.1
	done
	if kill -0 "$pid" 2>/dev/null; then
		fail "dtrace did not end"
		waiting "$pid"
		kill -KILL "$pid"
	fi
	wait "$pid"
	local status=$?
	unset "dt_pid[$1]"
	return $status
}

# dt_stop NAME: sends SIGINT, like Ctrl-C, and waits until the run ends
dt_stop() {
	kill -INT "${dt_pid[$1]}"
	dt_wait "$1"
}

# footer NAME TEXT: prints the number after TEXT in the lines that the run printed for -x footer.
footer() {
	sed -n "s/^dtrace: $2  *\([0-9]*\)\$/\1/p" "$T/$1.err"
}

# lossless NAME [EXCEPT]: fails if the run lost something, because the results are then meaningless.
# Does not check the loss EXCEPT.
lossless() {
	local what
	for what in 'records dropped' 'aggregation keys refused' 'variable stores refused' \
		'probe firings missed' 'packets with unreadable headers' faults; do
		[ "$what" = "${2:-}" ] || same "$1: $what" 0 "$(footer "$1" "$what")" ''
	done
}

# ----------------------------------------------------------------- captures

# sniff NS starts a capture on all devices of a namespace. sniffed NS in|out prints the number of
# captured IP packets in one direction. Each fragment counts, and a packet of segmentation offload
# counts once.
declare -A sniff_pid=()

sniff() {
	local i
	: >"$T/$1.tcpdump"
	setpriv --pdeathsig KILL ip netns exec "$1" tcpdump -U --immediate-mode -B 16384 -i any -s 128 -w "$T/$1.pcap" 2>"$T/$1.tcpdump" &
	sniff_pid[$1]=$!
	for ((i = 0; i < 1200; i++)); do
		has "$T/$1.tcpdump" 'listening on' && return 0
		pause 0.05
	done
	fail "tcpdump did not start: $(cat "$T/$1.tcpdump")"
}

# sniff_end NS: ends the capture when it is complete. It is complete when its file has stopped
# growing and tcpdump waits for packets, not for a CPU.
sniff_end() {
	local was=-1

	while [ "$was" != "$(stat -c %s "$T/$1.pcap")" ] || ! grep -q '^State:.S' "/proc/${sniff_pid[$1]}/status"; do
		kill -0 "${sniff_pid[$1]}" || break
		was=$(stat -c %s "$T/$1.pcap")
		pause 0.2
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

# measure NAME COMMAND ARG...: dtrace and the kernel's counters count packets while the command
# runs. If a packet passes while probes are attached or detached, the two counts differ. So if the
# counters of a namespace in $SPACES change while dtrace starts or ends, the measurement is
# repeated. tcpdump captures the packets of the namespaces in $CAPTURE. $MORE has further clauses.
# VARIANT[X] has the extra arguments of a run NAME.X; all such runs count the same traffic. Without
# variants, there is one run, NAME.
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

# check_counters NAME NS...: compares dtrace with the namespaces' own counters
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

# check_capture NAME NS...: compares dtrace with a capture of the same traffic. Do not use it for
# packets that are fragmented on output, or that pass two devices. The capture shows a packet of the
# loopback device only as received.
check_capture() {
	local name=$1 n
	shift
	for n; do
		same "$name: $n captured in" "$(sniffed "$n" in)" "$(counted "$name" receive "$n")"
		same "$name: $n captured out" "$(sniffed "$n" out)" "$(counted "$name" send "$n")"
	done
}

# counted NAME send|receive NS [DEV [VERSION]]: prints the number of events in a namespace
counted() {
	awk -v probe="$2" -v ns="$(inum "$3")" -v dev="${4:-*}" -v ver="${5:-*}" '
		$1 == probe && $2 == ns && (dev == "*" || $3 == dev) && (ver == "*" || $4 == ver) {
			sum += $5
		}
		END { print sum + 0 }' "$T/$1.out"
}

# ------------------------------------------------------------------- helpers

# helper NAME: compiles NAME.c to $T/NAME, with frame pointers. If the folder $HELPERS already has
# the program (vm/lib.bash), copies it instead.
helper() {
	[ ! -x "${HELPERS:-}/$1" ] || { cp "$HELPERS/$1" "$T/$1"; return; }
	cc -std=gnu11 -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -Werror -pthread \
		-o "$T/$1" "$LIVE/helpers/$1.c" ||
		skip "cannot compile $1.c"
}

# background NAME NS COMMAND...: starts a server and waits until it prints "listening"
background() {
	local name=$1 ns=$2 i pid
	shift 2
	: >"$T/$name.srv"
	setpriv --pdeathsig KILL nsenter --net="/run/netns/$ns" "$@" >"$T/$name.srv" 2>&1 &
	pid=$!
	for ((i = 0; i < 3000; i++)); do
		has "$T/$name.srv" listening && return 0
		kill -0 "$pid" 2>/dev/null || break
		pause 0.02
	done
	echo "server $name: $(cat "$T/$name.srv")"
	return 1
}

# served NAME: prints the last line of a server started by `background`. The server prints this line
# when it has read everything from its client. The client may have ended before.
served() {
	local i n
	for ((i = 0; i < 600; i++)); do
		n=$(tail -n 1 "$T/$1.srv")
		[ "${n#listening}" = "$n" ] && break
		pause 0.05
	done
	echo "$n"
}
