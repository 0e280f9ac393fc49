# acceptlat shows how long connections wait to be accepted. This time lies between the bounds that
# accepts.py measures. acceptlat also counts segments that a full queue drops, and connections that
# are never accepted. tcpdrop shows the SYNs that a full queue drops.
. "$(dirname "$0")/../lib.bash"
need python3

ns one
cat >"$T/accepts.py" <<'END'
import select
import socket
import sys
import time


def serve(family, host, port, backlog):
    s = socket.socket(family)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((host, port))
    s.listen(backlog)
    return s


def waits(family, host, port):
    """Prints the least and the most time that each connection may have waited, in microseconds."""
    with serve(family, host, port, 5) as listener:
        for pause in (0.3, 0):
            before = time.monotonic_ns()
            client = socket.create_connection((host, port))
            after = time.monotonic_ns()
            time.sleep(pause)
            begin = time.monotonic_ns()
            accepted = listener.accept()[0]
            end = time.monotonic_ns()
            print("wait", port, (begin - after) // 1000, (end - before) // 1000)
            accepted.close()
            client.close()


waits(socket.AF_INET, "127.0.0.1", 7901)
waits(socket.AF_INET6, "::1", 7902)

# A full queue, and connections that disappear when the listener closes.
listener = serve(socket.AF_INET, "127.0.0.1", 7903, 1)
clients = []
for i in range(4):
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex(("127.0.0.1", 7903))
    clients.append(s)
    time.sleep(0.05)
print("established", len(select.select([], clients, [], 0.1)[1]))
listener.close()
for s in clients:
    s.close()
END
overflows() {
	in_ns one awk '/^TcpExt:/ && !n { n = split($0, a); next }
		/^TcpExt:/ { for (i in a) if (a[i] == "ListenOverflows") print $i }' /proc/net/netstat
}
script=$(realpath "$LIVE/../../scripts")
at_first=$(overflows)
dt_start waits -s "$script/acceptlat.d" || finish
dt_start drops -s "$script/tcpdrop.d" || finish
in_ns one timeout 60 python3 "$T/accepts.py" >"$T/facts" 2>&1 || fail "the traffic failed: $(cat "$T/facts")"
dt_stop waits
dt_stop drops
overflown=$(($(overflows) - at_first))

# In the final table, the sum of the waits at each port lies between the sums of the bounds.
awk '$1 == "wait" { n[$2]++; least[$2] += $3; most[$2] += $4 }
	END { for (p in n) print p, n[p], least[p], most[p] }' "$T/facts" | sort >"$T/bounds"
rows() { # rows PORT: prints the columns MEAN MAX ACCEPTED NOW GONE FULL of the port
	awk -v port="$1" 'NF == 7 && $7 == port { print $1, $2, $3, $4, $5, $6 }' "$T/waits.out"
}
while read -r port n least most; do
	read -r mean max accepted now gone full < <(rows "$port")
	same "port $port: number of accepted connections" "$n 0 0 0" "${accepted:-} ${now:-} ${gone:-} ${full:-}"
	# acceptlat rounds each value down.
	[ $((mean * n + 2 * n)) -ge "$least" ] && [ $((mean * n)) -le "$most" ] && echo "ok: port $port: $mean us of $n" ||
		fail "port $port: $mean us in the mean of $n, not $least to $most together"
	[ "$max" -ge 299000 ] || fail "port $port: none waited as long as 0.3 s: $max us"
	same "port $port: a line for each connection" "$n" "$(grep -cE " $port (127.0.0.1|::1) +[0-9]+\.[0-9]{3}$" "$T/waits.out")"
done <"$T/bounds"
same 'both ports are measured' 2 "$(wc -l <"$T/bounds")"

established=$(sed -n 's/^established //p' "$T/facts")
[ "$overflown" -gt 0 ] || fail 'the queue was never full'
same 'waiting connections and dropped segments of a full queue' "0 0 $established $overflown" "$(rows 7903 | cut -d' ' -f3-)"
same 'tcpdrop shows each SYN that the full queue drops' "$overflown" "$(grep -cE ' 7903 TCP_LISTEN_OVERFLOW$' "$T/drops.out")"
finish
