# Probes that share the sockops hook: each fires at the operations that it wants, whichever
# operations the other probes of the run want. The unit (their common eBPF program) ends early for
# an operation that none of them wants.
. "$(dirname "$0")/../lib.bash"
need python3

cat >"$T/connections.py" <<'END'
import socket

listener = socket.socket()
listener.bind(("127.0.77.1", 0))
listener.listen()
for _ in range(20):
    client = socket.create_connection(listener.getsockname(), source_address=("127.0.77.1", 0))
    server = listener.accept()[0]
    client.close()
    server.close()
END

# An address that no other test uses
MINE='args[3]->tcps_laddr == "127.0.77.1"'
MINE_RAW='args[0]->sk->__sk_common.skc_rcv_saddr == htonl(0x7f004d01)'
ACCEPT="tcp:::accept-established /$MINE/"' { @["accept"] = count(); }'
CONNECT="tcp:::connect-established /$MINE/"' { @["connect"] = count(); }'
ONE="sockops:::op /args[0]->op == 4 && $MINE_RAW/"' { @["op 4"] = count(); }'
EACH="sockops:::op /(args[0]->op == 4 || args[0]->op == 5) && $MINE_RAW/"' { @[args[0]->op == 4 ? "op 4" : "op 5"] = count(); }'
END='END { printa("%s %@d\n", @); }'

# check WHAT WANTED CLAUSE...: runs the clauses while 20 connections open and close
check() {
	local what=$1 wanted=$2
	shift 2
	dt_start run -x footer -x aggsortkey -n "$* $END" || finish
	python3 "$T/connections.py"
	dt_stop run
	lossless run
	same "$what" "$wanted" "$(grep ' ' "$T/run.out" | tr '\n' ',')"
}
check 'accepted connections' 'accept 20,' "$ACCEPT"
check 'opened connections' 'connect 20,' "$CONNECT"
check 'both' 'accept 20,connect 20,' "$ACCEPT$CONNECT"
check 'with a clause of the user' 'accept 20,op 4 20,' "$ACCEPT$ONE"
check 'both, with a clause of the user' 'accept 20,connect 20,op 4 20,op 5 20,' "$ACCEPT$CONNECT$EACH"

# The first branch that looks at the operation leaves the unit.
"$DTRACE" -x dump=ir -n "$ACCEPT" -c true >"$T/ir" 2>"$T/err" || fail "$(cat "$T/err")"
same 'an operation that no probe wants ends the unit' 'br == 5,br == 10,wanted' \
	"$(awk '/load.u8/ { seen = 1 } seen && /br v/ { printf "br %s %s", $3, $4 } /: wanted/ { print "wanted"; exit }' "$T/ir")"
finish
