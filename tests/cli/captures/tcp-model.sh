# Thousands of short TCP connections, with segments repeated, lost, moved and acknowledged before they
# are in the file. A model of TCP must give the same states, retransmissions and bytes (tcp-model.py).
. tests/cli/lib.bash

model=tests/cli/captures/tcp-model.py
python3 "$model" capture "$tmp/tcp.pcap"

cat >"$tmp/events.d" <<'EOF'
#pragma D option quiet
inline int SERVER = args[3]->tcps_lport == 80;
inline string CLIENT = SERVER ? args[3]->tcps_raddr : args[3]->tcps_laddr;
tcp:::state-change
{
	printf("%d %s %d>%d:%u,%u,%u,%d,%d,%d\n", SERVER, CLIENT, args[5]->tcps_state, args[3]->tcps_state, args[3]->tcps_suna,
	    args[3]->tcps_snxt, args[3]->tcps_rnxt, args[3]->tcps_retrans, args[3]->tcps_bytes_sent, args[3]->tcps_bytes_retrans);
}
tcp:::retransmit { printf("%d %s again\n", SERVER, CLIENT); }
EOF

# view NAME OPTION...: compares what dtrace says with the model, for one point of view
view() {
	local name=$1
	shift
	succeeds -r "$tmp/tcp.pcap" "$@" -s "$tmp/events.d"
	mv "$out" "$tmp/events"
	succeeds -r "$tmp/tcp.pcap" "$@" -s scripts/tcplife.d wide
	mv "$out" "$tmp/rows"
	what="the model, view $name"
	python3 "$model" "$name" "$tmp/events" "$tmp/rows" || wrong 'dtrace and the model differ'
}

view both
view client -x local=10.0.0.0/8
view server -x local=192.0.2.2
finish
