#!/bin/bash
# here.sh [ROW...]: compares the packets and bytes of the probes with the kernel's counters. Each
# row (rows.bash) has a kind of network device, or a fault of the network such as loss. Without
# arguments, tests all rows. With $MATRIX_BOTH, a second run of dtrace counts the same traffic
# without tracing kernel functions.
. "$(dirname "$0")/../live/lib.bash"
. "$LIVE/../matrix/rows.bash"
need ping tc ethtool
helper traffic

port=$((20000 + RANDOM % 12000)) # below the kernel's range of ephemeral ports
chosen=" $* "
SPACES='' rows=()
declare -A R=() limit=() limit_of=()

# ------------------------------------------------------------------- setting up

new_router() {
	r=r$i
	ns "$r"
	in_ns "$r" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
		for f in /proc/sys/net/ipv4/conf/*/send_redirects; do echo 0 >$f; done'
}

# Sets up a row. Each row has three networks: for its traffic, for the devices below, and behind a
# router.
set_up() { # set_up NUMBER NAME FUNCTION ARGUMENTS
	local i=$1 name=$2
	shift 2
	a=a$i b=b$i r='' size=1000 bytes=300000 families=46
	net4=10.1.$i net6=fd01:$i under4=10.2.$i under6=fd02:$i up4=10.3.$i up6=fd03:$i from4=$net4.1 from6=$net6::1
	ns "$a" "$b"
	"$@" >>"$T/setup" 2>&1
	case $? in
	0) ;;
	77) echo "SKIP $name: this kernel lacks it: $(tail -n 1 "$T/setup")"; return 1 ;;
	*) fail "$name: cannot be set up: $(tail -n 3 "$T/setup")"; return 1 ;;
	esac
	# shellcheck disable=SC2086
	unlimited $a $b $r
	R[$name]="$i $families $size $bytes"
	rows+=("$name")
	SPACES="$SPACES $a $b $r"
	# Wait until the hosts reach each other: a bond or a bridge needs time.
	for f in ${families/46/4 6}; do
		[ $f = 4 ] && to=$net4.2 || to=$net6::2
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			in_ns "$a" ping -qc 1 -W 1 $to >/dev/null && break
		done || { fail "$name: no way through"; return 1; }
	done
}

# ---------------------------------------------------------------------- talking

# Sends to each address: pings, datagrams, a connection and a refused connection.
talk() { # talk NAME
	local i families size bytes f to p out
	read -r i families size bytes <<<"${R[$1]}"
	for f in ${families/46/4 6}; do
		[ "$f" = 4 ] && to=10.1.$i.2 || to=fd01:$i::2
		p=$((port + 4 * i))
		in_ns "a$i" ping -qc 10 -i 0.01 -W 1 -s "$size" $to >/dev/null
		background "sink$f$i" "b$i" "$T/traffic" sink $to $p || return 1
		in_ns "a$i" "$T/traffic" udp $to $p "$size" 50 || return 1
		background "srv$f$i" "b$i" "$T/traffic" serve $to $((p + 1)) || return 1
		in_ns "a$i" timeout 60 "$T/traffic" tcp $to $((p + 1)) "$bytes" || return 1
		in_ns "a$i" "$T/traffic" tcp $to $((p + 2)) 1 2>/dev/null
	done
	return 0
}

all_talk() {
	local n bad=0
	for n in "${rows[@]}"; do talk "$n" || { echo "$n"; bad=1; }; done
	return $bad
}

# -------------------------------------------------------------------- comparing

# IP probes count by namespace. TCP and UDP probes count by the row's ports, because a packet may
# have no socket.
SEGS='((struct skb_shared_info *)(((struct sk_buff *)args[0]->pkt_addr)->head + ((struct sk_buff *)args[0]->pkt_addr)->end))->gso_segs'
COUNT="
uint64_t raced[int]; uint32_t seq[int]; /* by CPU: a segment that the kernel may look up, and count, once more */
ip:::receive { @c[\"receive\", args[3]->if_ipstack, args[2]->ip_ver] = count();
	@o[\"receive\", args[3]->if_ipstack, args[2]->ip_ver] = sum(args[2]->ip_plength + (args[2]->ip_ver == 4 ? args[4]->ipv4_ihl : args[2]->ip_plength > 65535 ? 48 : 40)); }
ip:::send { @c[\"send\", args[3]->if_ipstack, args[2]->ip_ver] = count();
	@o[\"send\", args[3]->if_ipstack, args[2]->ip_ver] = sum(args[2]->ip_plength + (args[2]->ip_ver == 4 ? args[4]->ipv4_ihl : args[2]->ip_plength > 65535 ? 48 : 40)); }
tcp:::send { @s[args[4]->tcp_dport, args[4]->tcp_sport] = sum($SEGS ? $SEGS : 1); }
tcp:::receive { @r[args[4]->tcp_dport, args[4]->tcp_sport] = count(); }
tcp:::receive /raced[cpu] && raced[cpu] == args[0]->pkt_addr && seq[cpu] == args[4]->tcp_seq/ {
	@a[args[4]->tcp_dport, args[4]->tcp_sport] = count(); }
tcp:::receive { seq[cpu] = args[4]->tcp_seq; raced[cpu] = args[4]->tcp_flags & TH_SYN ||
	(args[3]->tcps_state != TCP_STATE_LISTEN && args[3]->tcps_state != TCP_STATE_SYN_RECEIVED) ? 0 : args[0]->pkt_addr; }
udp:::send { @u[\"usend\", args[4]->udp_dport] = count(); @l[\"usend\", args[4]->udp_dport] = sum(args[4]->udp_length); }
udp:::receive { @u[\"ureceive\", args[4]->udp_dport] = count(); @l[\"ureceive\", args[4]->udp_dport] = sum(args[4]->udp_length); }
END { printa(\"ip %s %d %d %@d %@d\n\", @c, @o); printa(\"tcp tsend %d %d %@d\n\", @s);
	printa(\"tcp treceive %d %d %@d\n\", @r); printa(\"tcp again %d %d %@d\n\", @a); printa(\"udp %s %d %@d %@d\n\", @u, @l); }"

# The test reads all figures into tables once, because a process for each figure would be slow in a
# virtual machine.
declare -A SEEN=() MOVED=() INUM=()

# seen RUN: sets SEEN to the packets that the probes of RUN saw, by [receive|send NS VERSION], [tsend|treceive|again PORT]
# and [usend|ureceive PORT].  PORT is the first port of a row.  "again" counts the segments of treceive that were
# received twice (docs/limits.md).  A key with " bytes" at the end has the bytes.
seen() {
	local kind p a b c d
	SEEN=()
	while read -r kind p a b c d; do
		case $kind in
		ip) SEEN["$p $a $b"]=$c SEEN["$p $a $b bytes"]=$d ;;
		tcp)
			((a >= port && a < port + 400)) || a=$b
			a=$((a - (a - port) % 4))
			SEEN["$p $a"]=$((${SEEN["$p $a"]:-0} + c)) ;;
		udp) SEEN["$p $a"]=$b SEEN["$p $a bytes"]=$c ;;
		esac
	done <"$T/$1.out"
}

# moved NS: sets MOVED[NS NAME] to the increase of each counter
moved() {
	local name value
	while read -r name value; do MOVED["$1 $name"]=-$value; done <"$T/$1.from"
	while read -r name value; do MOVED["$1 $name"]=$((value + ${MOVED["$1 $name"]:-0})); done <"$T/$1.to"
}

# near WHAT WANTED GOT FIGURE: checks that the numbers are equal, or differ as the row allows for
# FIGURE (rows.bash)
near() {
	local what=$1 want=$2 got=$3 l=${limit[$row.$4]:-}
	case $l in
	'') same "$row: $what" "$want" "$got" ;;
	0) same "$row: $what (of $want; a limit)" 0 "$got" ;;
	less)
		[ "$got" -lt "$want" ] && [ "$got" -gt 0 ] && want=$got
		same "$row: $what (of $want; a limit)" "$want" "$got" ;;
	esac
}

check_ip() { # check_ip NAMESPACE HOST VERSION: HOST is a, b or r; VERSION is 4 or 6
	local n=$1 p=Ip: sent=OutTransmits receive send in out frags most
	receive="receive ${INUM[$n]} $3" send="send ${INUM[$n]} $3"
	[ "$3" = 4 ] || p=Ip6:Ip6
	if [ "$damaged" ]; then
		most=${MOVED["$n ${p}InReceives"]:-0}
		in=${SEEN[$receive]:-0}
		[ "$in" -le "$most" ] && [ "$in" -ge $((most - ${MOVED["$n ${p}InHdrErrors"]:-0})) ] &&
			same "$row: $2 receives IPv$3" ok ok ": $in" ||
			fail "$row: $2 receives IPv$3: $in of $most, ${MOVED["$n ${p}InHdrErrors"]:-0} of them with errors"
	else
		near "$2 receives IPv$3" "${MOVED["$n ${p}InReceives"]:-0}" "${SEEN[$receive]:-0}" "$2.receive$3"
		[ "$3" = 4 ] && in=IpExt:InOctets || in=Ip6:Ip6InOctets
		near "$2 receives IPv$3, bytes" "${MOVED["$n $in"]:-0}" "${SEEN["$receive bytes"]:-0}" "$2.receive$3"
	fi
	# The kernel counts the fragments that it sends; a probe fires before fragmentation.
	frags=$((${MOVED["$n ${p}FragCreates"]:-0} - ${MOVED["$n ${p}FragOKs"]:-0}))
	near "$2 sends IPv$3" $((${MOVED["$n $p$sent"]:-0} - frags)) "${SEEN[$send]:-0}" "$2.send$3"
	[ "$3" = 4 ] && out=$((${MOVED["$n IpExt:OutOctets"]:-0} - 20 * frags)) ||
		out=$((${MOVED["$n Ip6:Ip6OutOctets"]:-0} - 48 * ${MOVED["$n ${p}FragCreates"]:-0} + 40 * ${MOVED["$n ${p}FragOKs"]:-0}))
	near "$2 sends IPv$3, bytes" "$out" "${SEEN["$send bytes"]:-0}" "$2.send$3"
}

# ends COUNTER...: sets $ends to the sum of the counters of the row's hosts a and b
ends() {
	local c
	ends=0
	for c; do ends=$((ends + ${MOVED["a$i $c"]:-0} + ${MOVED["b$i $c"]:-0})); done
}

check_transport() {
	local p=$((port + 4 * i)) n want=$((50 * ${#families})) ends
	ends Tcp:OutSegs Tcp:RetransSegs
	near 'TCP segments sent' $ends "${SEEN["tsend $p"]:-0}" tsend
	ends Tcp:InSegs
	near 'TCP segments received' $ends $((${SEEN["treceive $p"]:-0} - ${SEEN["again $p"]:-0})) treceive
	near 'datagrams sent' $want "${SEEN["usend $p"]:-0}" usend
	near 'datagrams sent, bytes' $((want * (size + 8))) "${SEEN["usend $p bytes"]:-0}" usend
	n=$want
	[ -z "$lossy" ] || n=$((${MOVED["b$i Udp:InDatagrams"]:-0} + ${MOVED["b$i Ip6:Udp6InDatagrams"]:-0}))
	near 'datagrams received' "$n" "${SEEN["ureceive $p"]:-0}" ureceive
	near 'datagrams received, bytes' $((n * (size + 8))) "${SEEN["ureceive $p bytes"]:-0}" ureceive
}

check_row() { # check_row NAME LIMITS
	local row=$1 i families size bytes l v n lossy='' damaged=''
	read -r i families size bytes <<<"${R[$1]}"
	for l in $2; do
		case $l in
		blind:) [ -n "$blind" ] || break ;;
		lossy) lossy=1 ;;
		damaged) lossy=1 damaged=1 ;;
		*=*) limit[$row.${l%%=*}]=${l#*=} ;;
		esac
	done
	for n in a b r; do
		[ -e "$T/$n$i.from" ] || continue
		for v in 4 6; do check_ip "$n$i" $n $v; done
	done
	[ -n "$damaged" ] || check_transport
}

# packets NS: prints the namespace's counters of packets and octets. $T/NS.from has these lines from
# before the traffic, and $T/NS.to from after the traffic.
packets() {
	nsenter --net="/run/netns/$1" awk '
		/^[A-Z][A-Za-z]*: [A-Za-z]/ { n = split($0, name); next }
		/^[A-Z][A-Za-z]*: / { for (i = 2; i <= n; i++) show($1 name[i], $i); next }
		{ show("Ip6:" $1, $2) }
		function show(what, n) {
			if (what ~ /(InReceives|OutRequests|OutTransmits|ForwDatagrams|FragCreates|FragOKs|OutSegs|InSegs|RetransSegs|InHdrErrors|InOctets|OutOctets|InDatagrams)$/)
				print what, n
		}' /proc/net/snmp /proc/net/netstat /proc/net/snmp6 2>/dev/null
}

[ -z "${MATRIX_BOTH:-}" ] || VARIANT=([traced]='' [blind]='-x nofentry')

# may_trace RUN: succeeds if the run may trace kernel functions
may_trace() {
	# shellcheck disable=SC2086
	"$DTRACE" ${VARIANT[${1#matrix.}]:-} -e -x dump=plain -n 'ip:::receive { @ = count(); }' | grep -q '^unit ip_rcv_core'
}

i=0
while IFS='|' read -r row limits; do
	# shellcheck disable=SC2086
	set -- $row
	[ $# -gt 0 ] || continue
	i=$((i + 1))
	[ "$chosen" = '  ' ] || [[ $chosen == *" $1 "* ]] || continue
	set_up $i "$@" || continue
	limit_of[$i]=$limits
done <<<"$ROWS"
[ ${#rows[@]} -gt 0 ] || finish
measure matrix all_talk
for n in $SPACES; do
	moved "$n"
	INUM[$n]=$(inum "$n")
done
for run in $(variants matrix); do
	may_trace "$run" && blind='' || blind=1
	echo "$run, functions ${blind:+not }traced"
	seen "$run"
	limit=()
	for row in "${rows[@]}"; do
		read -r i _ <<<"${R[$row]}"
		check_row "$row" "${limit_of[$i]}"
	done
done
finish
