#!/bin/bash
# 100,000 sockets come and go beside idle ones. When the idle sockets speak, dtrace still knows
# their owners. It does not show the idle sockets a second time as sockets that existed at the
# start.
. "$(dirname "$0")/../lib.bash"
helper hoard

ns one
MANY=${MANY:-25000}
mkfifo "$T/commands"
background hoard one "$T/hoard" 6001 "$T/commands"
exec 3>"$T/commands"
pid=$(sed -n 's/listening //p' "$T/hoard.srv")

# do_it COMMAND...: sends a command and waits for its answer
do_it() {
	local i was
	was=$(grep -c did "$T/hoard.srv")
	echo "$*" >&3
	for ((i = 0; i < 2400; i++)); do
		[ "$(grep -c did "$T/hoard.srv")" -gt "$was" ] && return 0
		sleep 0.05
	done
	fail "$* takes too long: $(cat "$T/hoard.srv")"
}

# These are the idle sockets, which exist when dtrace begins.
PROGRAM='
int idle[uint64_t], spoken, port[uint64_t];
tcp:::existing /args[1]->cs_netns == $1/ {
	idle[args[1]->cs_cid] = args[3]->tcps_state == TCP_STATE_ESTABLISHED;
	@existing[tcp_state_string[args[3]->tcps_state], args[1]->cs_pid, args[1]->cs_execname] = count();
}
tcp:::send, tcp:::receive /args[1]->cs_netns == $1 && idle[args[1]->cs_cid]/
{ @spoken[probename, args[1]->cs_pid, args[1]->cs_execname] = count(); }
udp:::send, udp:::receive /args[1]->cs_netns == $1 && args[4]->udp_length == 9/
{ @datagrams[probename, args[1]->cs_pid, args[1]->cs_execname] = count(); }
tcp:::accept-established, tcp:::connect-established /args[1]->cs_netns == $1/
{ @made[probename, args[1]->cs_pid, args[1]->cs_execname] = count(); }
tcp:::state-change /args[1]->cs_netns == $1 && args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{ @ended[args[1]->cs_pid, args[1]->cs_execname] = count(); }
END {
	printa("existing %s %d %s %@d\n", @existing);
	printa("idle %s %d %s\n", @spoken);
	printa("%s %d %s %@d\n", @made);
	printa("time-wait %d %s %@d\n", @ended);
	printa("udp %s %d %s %@d\n", @datagrams);
}'

dt_start churn -x footer -n "${PROGRAM//\$1/$(inum one)}" || exit 1
for what in finish reset refused datagram; do
	do_it $what $MANY
done
do_it speak
do_it hangup
sleep 0.3
dt_stop churn
lossless churn
grep . "$T/churn.out" | grep -v READY | sort >"$T/got"
cat >"$T/want" <<END
accept-established $pid hoard $((2 * MANY))
connect-established $pid hoard $((2 * MANY))
existing state-established $pid hoard 2
existing state-listen $pid hoard 1
idle receive $pid hoard
idle send $pid hoard
time-wait $pid hoard $((MANY + 1))
udp receive $pid hoard $((MANY + 1))
udp send $pid hoard $((MANY + 1))
END
same_files 'everything is its owner'\''s' "$T/want" "$T/got"
finish
