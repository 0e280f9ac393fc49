#!/bin/bash
# here.sh [ROW...]: kinds of devices and of trouble on the way, each a row (rows.bash): packets
# and bytes that the probes show, against the kernel's own counters.  Without arguments all rows.
# $MATRIX_OPTIONS: more arguments for dtrace.
. "$(dirname "$0")/../live/lib.bash"
. "$LIVE/../matrix/rows.bash"
need ping tc ethtool
helper traffic

port=$((20000 + RANDOM % 20000))
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

# Each row has networks of its own: below, above, and of the far side of a router.
set_up() { # NUMBER NAME FUNCTION ARGUMENTS
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
	# The hosts know each other; a bond or a bridge needs its time.
	for f in ${families/46/4 6}; do
		[ $f = 4 ] && to=$net4.2 || to=$net6::2
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			in_ns "$a" ping -qc 1 -W 1 $to >/dev/null && break
		done || { fail "$name: no way through"; return 1; }
	done
}

# ---------------------------------------------------------------------- talking

# To each address: pings, datagrams, a connection and one that is refused.
talk() { # NAME
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

# IP by namespace; the transport, where a socket may be missing, by the row's ports.
SEGS='((struct skb_shared_info *)(((struct sk_buff *)args[0]->pkt_addr)->head + ((struct sk_buff *)args[0]->pkt_addr)->end))->gso_segs'
COUNT="
ip:::receive { @c[\"receive\", args[3]->if_ipstack, args[2]->ip_ver] = count();
	@o[\"receive\", args[3]->if_ipstack, args[2]->ip_ver] = sum(args[2]->ip_plength + (args[2]->ip_ver == 4 ? args[4]->ipv4_ihl : 40)); }
ip:::send { @c[\"send\", args[3]->if_ipstack, args[2]->ip_ver] = count();
	@o[\"send\", args[3]->if_ipstack, args[2]->ip_ver] = sum(args[2]->ip_plength + (args[2]->ip_ver == 4 ? args[4]->ipv4_ihl : 40)); }
tcp:::send { @s[args[4]->tcp_dport, args[4]->tcp_sport] = sum($SEGS ? $SEGS : 1); }
tcp:::receive { @r[args[4]->tcp_dport, args[4]->tcp_sport] = count(); }
udp:::send { @u[\"usend\", args[4]->udp_dport] = count(); @l[\"usend\", args[4]->udp_dport] = sum(args[4]->udp_length); }
udp:::receive { @u[\"ureceive\", args[4]->udp_dport] = count(); @l[\"ureceive\", args[4]->udp_dport] = sum(args[4]->udp_length); }
END { printa(\"ip %s %d %d %@d %@d\n\", @c, @o); printa(\"tcp tsend %d %d %@d\n\", @s);
	printa(\"tcp treceive %d %d %@d\n\", @r); printa(\"udp %s %d %@d %@d\n\", @u, @l); }"

# got NS receive|send VERSION COLUMN
got() {
	awk -v p="$2" -v ns="$(inum "$1")" -v v="$3" -v c="$4" '
		$1 == "ip" && $2 == p && $3 == ns && $4 == v { n = $c } END { print n + 0 }' "$T/matrix.out"
}

# segments tsend|treceive PORT
segments() {
	awk -v p="$1" -v a="$2" '$1 == "tcp" && $2 == p && ($3 >= a && $3 < a + 4 || $4 >= a && $4 < a + 4) { n += $5 }
		END { print n + 0 }' "$T/matrix.out"
}

# datagrams usend|ureceive PORT COLUMN
datagrams() {
	awk -v p="$1" -v a="$2" -v c="$3" '$1 == "udp" && $2 == p && $3 == a { n = $c } END { print n + 0 }' "$T/matrix.out"
}

# near WHAT WANTED GOT: the same, but for what the row's limits say of that figure
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

check_ip() { # NAMESPACE LETTER VERSION
	local n=$1 p=Ip: sent=OutTransmits in out frags
	[ "$3" = 4 ] || p=Ip6:Ip6
	if [ "$damaged" ]; then
		local most=$(delta "$n" ${p}InReceives) least
		least=$((most - $(delta "$n" ${p}InHdrErrors)))
		in=$(got "$n" receive "$3" 5)
		[ "$in" -le "$most" ] && [ "$in" -ge "$least" ] && same "$row: $2 receives IPv$3" ok ok ": $in" ||
			fail "$row: $2 receives IPv$3: $in, not between $least and $most"
	else
		near "$2 receives IPv$3" "$(delta "$n" ${p}InReceives)" "$(got "$n" receive "$3" 5)" "$2.receive$3"
		[ "$3" = 4 ] && in=IpExt:InOctets || in=Ip6:Ip6InOctets
		near "$2 receives IPv$3, bytes" "$(delta "$n" $in)" "$(got "$n" receive "$3" 6)" "$2.receive$3"
	fi
	# What leaves is counted in pieces; a probe fires before it is taken to pieces.
	frags=$(($(delta "$n" ${p}FragCreates) - $(delta "$n" ${p}FragOKs)))
	near "$2 sends IPv$3" $(($(delta "$n" $p$sent) - frags)) "$(got "$n" send "$3" 5)" "$2.send$3"
	[ "$3" = 4 ] && out=$(($(delta "$n" IpExt:OutOctets) - 20 * frags)) ||
		out=$(($(delta "$n" Ip6:Ip6OutOctets) - 48 * $(delta "$n" ${p}FragCreates) + 40 * $(delta "$n" ${p}FragOKs)))
	near "$2 sends IPv$3, bytes" "$out" "$(got "$n" send "$3" 6)" "$2.send$3"
}

check_transport() {
	local p=$((port + 4 * i)) n want=$((50 * ${#families}))
	near 'TCP segments sent' $(($(delta "a$i" Tcp:OutSegs Tcp:RetransSegs) + $(delta "b$i" Tcp:OutSegs Tcp:RetransSegs))) \
		"$(segments tsend $p)" tsend
	near 'TCP segments received' $(($(delta "a$i" Tcp:InSegs) + $(delta "b$i" Tcp:InSegs))) "$(segments treceive $p)" treceive
	near 'datagrams sent' $want "$(datagrams usend $p 4)" usend
	near 'datagrams sent, bytes' $((want * (size + 8))) "$(datagrams usend $p 5)" usend
	n=$want
	[ -z "$lossy" ] || n=$(delta "b$i" Udp:InDatagrams Ip6:Udp6InDatagrams)
	near 'datagrams received' "$n" "$(datagrams ureceive $p 4)" ureceive
	near 'datagrams received, bytes' $((n * (size + 8))) "$(datagrams ureceive $p 5)" ureceive
}

check_row() { # NAME LIMITS
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

# Counters of octets too.
snmp() {
	nsenter --net="/run/netns/$1" cat /proc/net/snmp /proc/net/netstat /proc/net/snmp6 2>/dev/null | awk '
		/^[A-Z][A-Za-z]*: [A-Za-z]/ { n = split($0, name); next }
		/^[A-Z][A-Za-z]*: / { for (i = 2; i <= n; i++) print $1 name[i], $i; next }
		{ print "Ip6:" $1, $2 }'
}
packets() {
	snmp "$1" | awk '/(InReceives|OutRequests|OutTransmits|ForwDatagrams|FragCreates|FragOKs|OutSegs|InSegs|RetransSegs|InHdrErrors|InOctets|OutOctets|InDatagrams) /'
}

dt_start() {
	local name=$1
	shift
	# shellcheck disable=SC2086
	setpriv --pdeathsig KILL "$DTRACE" -q ${MATRIX_OPTIONS:-} "$@" -n "$READY" >"$T/$name.out" 2>"$T/$name.err" &
	dt_pid[$name]=$!
	dt_ready "$name"
}

# May functions be traced here?
blind=1
# shellcheck disable=SC2086
if "$DTRACE" ${MATRIX_OPTIONS:-} -e -x dump=plain -n 'ip:::receive { @ = count(); }' | grep -q '^unit ip_rcv_core'; then
	blind=''
fi

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
for row in "${rows[@]}"; do
	read -r i _ <<<"${R[$row]}"
	check_row "$row" "${limit_of[$i]}"
done
finish
