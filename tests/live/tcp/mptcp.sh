# An MPTCP connection is accepted by the worker that calls accept(2): tcp:::accept and cs_pid show
# that worker.
. "$(dirname "$0")/../lib.bash"
need python3
[ -e /proc/sys/net/mptcp/enabled ] || skip 'this kernel has no MPTCP'

ns one
in_ns one sh -c 'echo 1 >/proc/sys/net/mptcp/enabled'
cat >"$T/workers.py" <<'END'
import os
import socket

MPTCP = 262
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    for server, client in ((MPTCP, MPTCP), (MPTCP, 0), (0, 0)):
        listener = socket.socket(family, socket.SOCK_STREAM, server)
        listener.bind((host, 0))
        listener.listen()
        ready, done = os.pipe(), os.pipe()
        worker = os.fork()
        if not worker:
            os.close(ready[1])
            s = listener.accept()[0]
            s.sendall(b"x" * 5000)
            while s.recv(1000):
                pass
            s.close()
            os._exit(0)
        s = socket.socket(family, socket.SOCK_STREAM, client)
        s.connect(listener.getsockname()[:2])
        port = listener.getsockname()[1]
        size = 0
        while size < 5000:
            size += len(s.recv(5000))
        s.shutdown(socket.SHUT_WR)
        os.waitpid(worker, 0)
        print(port, worker, "mptcp" if server and client else "tcp")
        s.close()
        listener.close()
END
dt_start owners -x footer -n '
tcp:::accept { printf("accept %d %d %d\n", args[3]->tcps_lport, args[1]->cs_pid, pid); seen[args[1]->cs_cid] = 1; }
tcp:::send /seen[args[1]->cs_cid] && args[2]->ip_plength > 4000/ {
	printf("data %d %d\n", args[3]->tcps_lport, args[1]->cs_pid);
}' || finish
in_ns one timeout 60 python3 "$T/workers.py" >"$T/facts" || fail 'the traffic failed'
dt_stop owners
lossless owners
same 'number of MPTCP connections' 2 "$(grep -c ' mptcp$' "$T/facts")"
awk '{ print "accept", $1, $2, $2; print "data", $1, $2 }' "$T/facts" | sort >"$T/want"
# Other tests may accept connections at the same time.
awk 'NR == FNR { ours[$1]; next } /^(accept|data)/ && $2 in ours' "$T/facts" "$T/owners.out" |
	sort -u >"$T/got"
same_files 'processes that accept and that send' "$T/want" "$T/got"
finish
