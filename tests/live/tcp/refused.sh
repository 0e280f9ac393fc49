# 1,000 connections over IPv4 and 1,000 over IPv6 are refused. For each, connect-refused and
# accept-refused fire once, with the reset. Every second client binds its port before it connects.
. "$(dirname "$0")/../lib.bash"
helper storm

ns one
COUNT=1000
ports='args[4]->tcp_sport == 5009 || args[4]->tcp_dport == 5009'

# Each line has WHAT SOURCE PORT DESTINATION PORT FLAGS SEQ ACK | LOCAL PORT REMOTE PORT STATE ACTIVE
# SOCKET.
line=' %s %d %s %d %d %u %u | %s %d %s %d %s %d %d\n", args[2]->ip_saddr, args[4]->tcp_sport,
    args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_flags, args[4]->tcp_seq, args[4]->tcp_ack,
    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport,
    tcp_state_string[args[3]->tcps_state], args[3]->tcps_active, args[3]->tcps_addr != 0'
clauses=
for probe in connect-request connect-refused accept-refused send receive reset-sent; do
	clauses+="tcp:::$probe / $ports / { printf(\"$probe$line); }
"
done
clauses+='
/* A socket that ends no longer has its ports, so mine[] remembers the socket by its address. */
tcp:::connect-request / args[4]->tcp_dport == 5009 / { mine[args[3]->tcps_addr] = 1; }
tcp:::destroy / mine[args[3]->tcps_addr] / { mine[args[3]->tcps_addr] = 0; @destroyed = count(); }
tcp:::reset-received / args[3]->tcps_rport == 5009 / {
	printf("%s %s %d %s %d %d %s\n", probename, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[3]->tcps_rport, args[3]->tcps_active, tcp_state_string[args[3]->tcps_state]);
}
tcp:::state-change / args[3]->tcps_rport == 5009 || args[3]->tcps_lport == 5009 / {
	@[tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]] = count();
}
END { printa("change %s %s %@d\n", @); printa("destroyed %@d\n", @destroyed); }'

settled one
snmp one >"$T/one.from"
dt_start refused -x footer -b 32m -n "$clauses" || exit 1
for a in 127.0.0.1 ::1; do
	in_ns one "$T/storm" refuse $a 5009 $COUNT >>"$T/attempts" || fail 'the traffic failed'
done
settled one
dt_stop refused
snmp one >"$T/one.to"
lossless refused

# of PROBE: prints the lines of a probe. From the lines of connect-request, the test takes the port
# and the sequence number of each SYN. From these it computes the expected lines of all probes.
of() {
	grep "^$1 " "$T/refused.out"
}
of connect-request | awk '{ print $3, $7 }' >"$T/syns"
paste -d ' ' "$T/attempts" "$T/syns" >"$T/known"
same 'number of attempts' $((2 * COUNT)) "$(wc -l <"$T/attempts")"
same 'number of attempts whose client bound its port' "$COUNT" "$(awk '$2 == $4 { n++ } END { print n + 0 }' "$T/known")"

# wanted PROBE "FORMAT": compares the lines of a probe with FORMAT for each attempt. It expands A
# (the address), P (the client's port), S (the SYN's number) and N (S + 1).
wanted() {
	awk -v probe="$1" -v what="$2" '{
		line = what
		next_to = sprintf("%.0f", ($5 + 1) % 4294967296)
		gsub(/A/, $1, line); gsub(/P/, $4, line); gsub(/S/, $5, line); gsub(/N/, next_to, line)
		print probe, line
	}' "$T/known" >"$T/wanted"
	of "$1" >"$T/got"
	same_files "$1" "$T/wanted" "$T/got"
}
wanted connect-request 'A P A 5009 2 S 0 | A P A 5009 state-syn-sent 1 1'
wanted connect-refused 'A 5009 A P 20 0 N | A P A 5009 state-syn-sent 1 1'
wanted accept-refused 'A 5009 A P 20 0 N | A 5009 A P state-closed 0 0'
wanted reset-sent 'A 5009 A P 20 0 N | A 5009 A P state-closed 0 0'
wanted reset-received 'A P A 5009 1 state-syn-sent'
same 'number of destroyed sockets' "destroyed $((2 * COUNT))" "$(of destroyed)"

same 'sent segments, as the kernel counts them' "$(delta one Tcp:OutSegs)" "$(of send | wc -l)"
same 'received segments, as the kernel counts them' "$(delta one Tcp:InSegs)" "$(of receive | wc -l)"
same 'sent resets, as the kernel counts them' "$(delta one Tcp:OutRsts)" "$(of send | grep -c ' 20 0 ')"
grep ^change "$T/refused.out" | sort >"$T/got"
printf "change state-%s $((2 * COUNT))\n" "closed state-syn-sent" "syn-sent state-closed" >"$T/wanted"
same_files "changes of state" "$T/wanted" "$T/got"
finish
