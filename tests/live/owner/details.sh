# Parent and arguments of the owner of a socket: clients, servers before and after accept(2),
# sockets that existed at the start, and sockets without an owner.
. "$(dirname "$0")/../lib.bash"
need python3

ns one
ip -n one addr add 10.186.0.1/32 dev lo
PEERS="$LIVE/helpers/peers"
background old one "$PEERS" server 10.186.0.1 5001 1
dt_start details -x footer -x netns=one -n '
	tcp:::connect-request, tcp:::accept-established { printf("%s %d %d %d [%S]\n", probename, args[3]->tcps_lport < 6000 ?
	    args[3]->tcps_lport : args[3]->tcps_rport, args[1]->cs_pid, args[1]->cs_ppid, args[1]->cs_psargs); }
	tcp:::accept { printf("%s %d %d %d [%S]\n", probename, args[3]->tcps_lport, args[1]->cs_pid, args[1]->cs_ppid,
	    args[1]->cs_psargs); }
	tcp:::accept-refused { printf("nobody %d [%s]\n", args[1]->cs_ppid, args[1]->cs_psargs); }'
background new one "$PEERS" server 10.186.0.1 5002 1
old=$(awk '$1 == "listening" { print $2 }' "$T/old.srv") new=$(awk '$1 == "listening" { print $2 }' "$T/new.srv")
for port in 5001 5002; do
	in_ns one timeout 120 "$PEERS" client 10.186.0.1 $port 1 >"$T/client$port" || fail 'a client failed'
done
# A shell whose pid is known starts this client.
in_ns one bash -c 'echo $$; python3 -c "
import os, socket
print(os.getpid(), flush=True)
socket.socket().connect_ex((\"10.186.0.1\", 5003))"; true' >"$T/plain"
sleep 0.3
dt_stop details
lossless details
has() {
	grep -qxE -- "$2" "$T/details.out" && echo "ok: $1" || fail "$1: no line $2"
}
python='[^ ]*python3 [^ ]*' # a long path is truncated
child=$(awk '$1 == "accepted" { print $3 }' "$T/new.srv")
has 'a server that was there first: its arguments are not known' "accept-established 5001 [0-9]+ ($old|[0-9]+) \[\]"
has 'a listener' "accept-established 5002 $new [0-9]+ \[$python.*\]"
has 'its child has taken the connection' "accept 5002 $child $new \[$python.*\]"
mapfile -t who <"$T/plain"
has 'a client: arguments that could forge lines' \
	"connect-request 5003 ${who[1]} ${who[0]} \[[^ ]*python3 -c .*import os, socket.*"
has 'nobody' 'nobody -1 \[\]'
finish
