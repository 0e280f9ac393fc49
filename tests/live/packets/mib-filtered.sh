# Filters apply to the counters of mib: only the traffic of one namespace, or of one address, counts.
. "$(dirname "$0")/../lib.bash"
need ping python3

pair one two 10.78.0
pair three four 10.79.0
cat >"$T/datagram.py" <<'END'
import socket
import sys
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(("127.0.0.1", 7953))
u.sendto(b"x", ("127.0.0.1", 7953))
u.recv(10)
END
talk() {
	in_ns one ping -q -c 2 -i 0.01 10.78.0.2
	in_ns three ping -q -c 3 -i 0.01 10.79.0.2
	in_ns two python3 "$T/datagram.py"
	in_ns four python3 "$T/datagram.py"
}
talk >/dev/null # fills the neighbour caches
# check OPTIONS WANTED: wants these counters with the options
check() {
	# shellcheck disable=SC2086
	dt_start mib $1 -x footer -x aggsortkey -n 'mib:::ipInReceives, mib:::icmpInMsgs, mib:::icmpInEchos, mib:::udpInDatagrams {
		@[probename] = sum(args[0]); } END { printa("%s %@d\n", @); }' || finish
	talk >/dev/null
	dt_stop mib
	lossless mib
	same "$1" "$2" "$(grep ' ' "$T/mib.out" | xargs)"
}
check '-x netns=two' 'icmpInEchos 2 icmpInMsgs 2 ipInReceives 3 udpInDatagrams 1'
check '-x addr=10.79.0.2' 'icmpInEchos 3 icmpInMsgs 6 ipInReceives 6'

# Each counter can be filtered.
for name in $("$PLAIN" -lP mib | awk 'NR > 1 { print $NF }'); do
	"$PLAIN" -x addr=10.78.0.1 -en "mib:::$name" >"$T/out" 2>&1 || fail "$name: $(cat "$T/out")"
done
finish
