# Listeners: the process that accepts each connection (tcp:::accept), and connections that come
# while the queue is full (tcp:::listen-overflow).
. "$(dirname "$0")/../lib.bash"
. "$LIVE/helpers/peer.bash"
need python3

# ------------------------------------------------- segment by segment, beside the other events

EVENTS+='
tcp:::accept / ours_too / {
	printf("%d accept %s\n", number, tcp_state_string[args[3]->tcps_state]);
}'
compiles tcp:::listen-overflow && EVENTS+='
tcp:::listen-overflow / ours_too / {
	printf("%d listen-overflow %s %d/%d\n", number, args[4]->tcp_flags & TH_SYN ? "S" : "A",
	    args[3]->tcps_backlog, args[3]->tcps_backlog_max);
}' || untold+=';/^listen-overflow/d'
# If the kernel gives used packets a reason, a packet that is freed without a reason is a drop.
compiles 'BEGIN { trace(SKB_DROP_REASON_TCP_LISTEN_OVERFLOW); }' || untold+=';s/TCP_LISTEN_OVERFLOW$/NOT_SPECIFIED/'
compiles 'BEGIN { trace(SKB_CONSUMED); }' || untold+=';/^drop A 0 listen/d'
overflows() {
	in_ns one awk '/^TcpExt:/ && !n { n = split($0, a); next }
		/^TcpExt:/ { for (i in a) if (a[i] == "ListenOverflows") print $i }' /proc/net/netstat
}
at_first=$(overflows)
play_both queue <<'END'
scenario a queue of one; the second is remembered by a cookie
listen L 0
< S
> SA
with 1
< S
> SA
with 0
< A
with 1
< A
with 2
< S
accept A L
with 1
< A
accept B L
with 0
< R
with 1
< R
error A
error B
close A
close B
close L
= change closed listen
= receive S 0 listen
= send SA 0 listen
= receive S 0 listen
= send SA 0 closed
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= receive A 0 listen
= listen-overflow A 1/0
= drop A 0 listen NO_SOCKET
= receive S 0 listen
= listen-overflow S 1/0
= accept established
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= accept established
= receive R 0 established
= reset-received established
= change established closed
= receive R 0 established
= reset-received established
= change established closed
= destroy closed
= destroy closed
= change listen closed
= destroy closed

scenario a queue of three
listen L 2
< S
> SA
< A
with 1
< S
> SA
< A
with 2
< S
> SA
with 3
< S
> SA
with 2
< A
with 3
< A
with 4
< S
accept A L
with 3
< A
accept B L
accept C L
accept D L
with 0
< R
with 1
< R
with 2
< R
with 3
< R
error A
error B
error C
error D
close L
= change closed listen
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= receive S 0 listen
= send SA 0 listen
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= receive A 0 listen
= listen-overflow A 3/2
= drop A 0 listen TCP_LISTEN_OVERFLOW
= receive S 0 listen
= listen-overflow S 3/2
= accept established
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= accept established
= accept established
= accept established
= receive R 0 established
= reset-received established
= change established closed
= receive R 0 established
= reset-received established
= change established closed
= receive R 0 established
= reset-received established
= change established closed
= receive R 0 established
= reset-received established
= change established closed
= change listen closed
= destroy closed
= destroy closed
= destroy closed
= destroy closed
= destroy closed
END
same 'listen-overflow: the kernel counts four for each version of IP' 8 $(($(overflows) - at_first))

# ------------------------------------------------------- processes that share a listener

PEERS="$LIVE/helpers/peers"
background old one "$PEERS" server 10.9.0.1 5001 3
dt_start accept -x footer -n "tcp:::accept /args[1]->cs_netns == $(inum one)/ {
	printf(\"accepted %d %d\n\", args[3]->tcps_rport, args[1]->cs_pid);
	printf(\"by %s %d %s %d\n\", args[1]->cs_execname, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[1]->cs_cid != 0 && args[3]->tcps_active == 0);
}"
background new one "$PEERS" server fd09::1 5002 3
for i in 1 2; do
	in_ns one timeout 120 "$PEERS" client 10.9.0.1 5001 20 >/dev/null || fail 'no client'
	in_ns one timeout 120 "$PEERS" client fd09::1 5002 20 >/dev/null || fail 'no client'
done
dt_stop accept
lossless accept
grep -h '^accepted' "$T/old.srv" "$T/new.srv" | sort >"$T/wanted"
grep '^accepted' "$T/accept.out" | sort >"$T/got"
same_files 'each connection is shown with the process that accepts it' "$T/wanted" "$T/got"
same 'number of accepted connections' 80 "$(wc -l <"$T/got")"
same 'name of the process, port and address of each accepted connection' "40 by p-child 5001 10.9.0.1 1 40 by p-child 5002 fd09::1 1" \
	"$(grep '^by' "$T/accept.out" | sort | uniq -c | xargs)"
finish
