# peer.bash - compares the events of TCP scenarios with the events that a script expects.
#
# Source this file after lib.bash.  peer.c plays the other end of the connections by the script.  The lines
# "= EVENT" of a script are the events that the tcp probes must show next, in this order.  "=4" and
# "=6" are for one version of IP only.  An event is
#	PROBE FLAGS BYTES STATE [TEXT]  a segment: its TCP flags, its bytes of data, the state of the
#	                                socket; TEXT: the reason of a drop or a reset that was sent,
#	                                or the kind of a retransmission
#	change OLD NEW | destroy STATE | reset-received STATE
# tcp:::send and tcp:::receive must also show the segments with the same addresses, ports, sequence
# numbers, windows, flags and lengths as peer.c.
need ip
helper peer
ns one

# A socket loses its ports when it ends. So when a socket changes state, who[] stores the number of
# its scenario, under the address of the struct sock. A dropped packet may have no device, so "ours"
# first compares dev with NULL.
EVENTS='
int who[uint64_t];
inline int ours = args[1]->cs_addr != 0 ?
	((struct sock *)args[1]->cs_addr)->__sk_common.skc_net.net->ns.inum == $1 :
	args[0]->pkt_addr != 0 && ((struct sk_buff *)args[0]->pkt_addr)->dev != NULL &&
	((struct sk_buff *)args[0]->pkt_addr)->dev->nd_net.net->ns.inum == $1;
inline int ours_too = ((struct sock *)args[1]->cs_addr)->__sk_common.skc_net.net->ns.inum == $1;
inline int number = args[3]->tcps_rport >= 9000 ? (args[3]->tcps_rport - 9000) % 100 :
	args[3]->tcps_lport >= 1000 && args[3]->tcps_lport < 1100 ? args[3]->tcps_lport - 1000 :
	who[args[3]->tcps_addr];
tcp:::state-change, tcp:::destroy, tcp:::reset-received / ours_too / {
	who[args[3]->tcps_addr] = number;
}
tcp:::state-change / ours_too / {
	printf("%d change %s %s\n", number, tcp_state_string[args[5]->tcps_state],
	    tcp_state_string[args[3]->tcps_state]);
}
tcp:::destroy, tcp:::reset-received / ours_too / {
	printf("%d %s %s\n", number, probename, tcp_state_string[args[3]->tcps_state]);
}
'
# Before about Linux 6.13, the kernel sends some replies (resets, and ACKs of TIME_WAIT sockets)
# from a socket of its own. For these, tcp:::send shows the state closed. So the sed commands in
# $unowned change the expected state to closed. A line "0 answer with its socket" shows that the
# kernel is newer.
EVENTS+='
inline struct sk_buff *queued = (struct sk_buff *)args[0];
inline struct tcphdr *queued_tcp = (struct tcphdr *)(queued->head + queued->transport_header);
inline int queued_state = queued->sk == NULL ? 0 : queued->sk->__sk_common.skc_state;
rawtp:::net_dev_queue
/ queued->dev->nd_net.net->ns.inum == $1 &&
  (queued_state == TCP_STATE_TIME_WAIT || (queued_state == TCP_STATE_LISTEN && queued_tcp->rst)) / {
	printf("0 answer with its socket\n");
}
'
unowned='/^send R/s/ \(listen\|syn-sent\|time-wait\)$/ closed/; /^send A 0 time-wait$/s/time-wait/closed/'

# compiles PROGRAM: succeeds if the D program compiles on this kernel
compiles() {
	"$DTRACE" -e -n "$1" >/dev/null 2>&1
}
# If the kernel does not report reasons for resets, sed removes the reasons from the expected
# output.
untold=
compiles 'tcp:::reset-sent { trace(args[5]->rst_reason); }' || untold='/^reset-sent/s/ [A-Z_]*$//'
for probe in connect-request connect-established connect-refused accept-established accept-refused \
	retransmit drop reset-sent send receive; do
	extra='""'
	[ $probe = drop ] && extra='args[5]->drop_reason'
	[ $probe = retransmit ] && extra='args[3]->tcps_retransmit == 1 ? tcp_retrans_string[args[3]->tcps_retransmit_kind] : "not-again"'
	[ $probe = reset-sent ] && [ -z "$untold" ] && extra='args[5]->rst_reason'
	EVENTS+='
tcp:::'$probe' / ours / {
	printf("%d %s %s%s%s%s%s%s%s %d %s %s # %s %d %s %d %u %u %u\n", number, probename,
	    args[4]->tcp_flags & TH_FIN ? "F" : "", args[4]->tcp_flags & TH_SYN ? "S" : "",
	    args[4]->tcp_flags & TH_RST ? "R" : "", args[4]->tcp_flags & TH_PUSH ? "P" : "",
	    args[4]->tcp_flags & TH_ACK ? "A" : "", args[4]->tcp_flags & TH_URG ? "U" : "",
	    args[4]->tcp_flags & 63 ? "" : "0",
	    args[2]->ip_plength == 0 ? 0 : args[2]->ip_plength - args[4]->tcp_offset,
	    tcp_state_string[args[3]->tcps_state], '$extra', args[2]->ip_saddr, args[4]->tcp_sport,
	    args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_window);
}'
done

# version_of VERSION FILE: prints the script for one version of IP
version_of() {
	sed -e "s/^=$1 /= /" -e '/^=[46] /d' "$2"
}

# play NAME LOCAL REMOTE VERSION: plays the script $T/NAME and compares the events. FIRST is the
# number of its first scenario. It grows, so that no port in TIME_WAIT is used again.
FIRST=1
play() {
	local name=$1.$4
	version_of "$4" "$T/$1" >"$T/$name"
	dt_start "$name" -x footer -n "${EVENTS//\$1/$(inum one)}" || exit 1
	in_ns one "$T/peer" peer0 "$2" "$3" $FIRST <"$T/$name" >"$T/$name.account" 2>&1 ||
		fail "$name: $(grep -v '^out \|^in ' "$T/$name.account")"
	dt_stop "$name"
	# Missed firings are not checked, because packets of other processes may have caused them.
	same "$name: records dropped" 0 "$(footer "$name" 'records dropped')" ''
	same "$name: faults" 0 "$(footer "$name" faults)" ''
	sed -i 's/state-//g' "$T/$name.out"
	judge "$name"
}

judge() {
	local n=0 what unknown=$unowned
	has "$T/$1.out" $'\n0 answer with its socket\n' && unknown=
	# One awk writes the files of all scenarios, because a virtual machine starts processes
	# slowly.
	rm -f "$T"/wanted.* "$T"/got.*
	awk -v to="$T/wanted." '/^scenario / { at++ } at && sub(/^= /, "") { print >(to at) }' "$T/$1"
	sed -i -e "$untold" -e "$unknown" "$T"/wanted.*
	awk -v to="$T/got." -v first=$FIRST '$1 >= first && $1 ~ /^[0-9]+$/ {
		at = $1 - first + 1; sub(/ *#.*/, ""); sub(/^[0-9]* /, ""); sub(/ *$/, ""); print >(to at) }' "$T/$1.out"
	while IFS= read -r what; do
		n=$((n + 1))
		: >>"$T/wanted.$n"
		: >>"$T/got.$n"
		same_files "$1: $what" "$T/wanted.$n" "$T/got.$n"
	done <<<"$(sed -n 's/^scenario //p' "$T/$1")"
	awk '$1 == "out" || $1 == "in" { print $1, $2, $3, $4, $5, $7, $8, $9, $6, $10 }' "$T/$1.account" |
		sort >"$T/wanted"
	awk '$2 == "send" || $2 == "receive" {
		way = $2 == "send" ? "out" : "in"; flags = $3; bytes = $4
		sub(/.*# /, ""); print way, $0, flags, bytes
	}' "$T/$1.out" | sort >"$T/got"
	same_files "$1: every segment as it passed" "$T/wanted" "$T/got"
}

# play_both NAME <SCRIPT: plays the script over IPv4, and then over IPv6
play_both() {
	cat >"$T/$1"
	play "$1" 10.9.0.1 10.9.0.2 4
	play "$1" fd09::1 fd09::2 6
	FIRST=$((FIRST + $(grep -c '^scenario ' "$T/$1")))
}

# In a virtual machine, opening /dev/net/tun loads the module, so this makes the device file.
[ -z "${IN_VM:-}" ] || [ -e /dev/net/tun ] || { mkdir -p /dev/net && mknod /dev/net/tun c 10 200; }
in_ns one ip tuntap add mode tun dev peer0 2>/dev/null || skip 'no tun devices'
ip -n one link set peer0 up
addr one peer0 10.9.0.1/24 fd09::1/64
