# -x execname= with names that share a prefix: the filter matches whole names only.
. "$(dirname "$0")/../lib.bash"
need python3

cat >"$T/send.py" <<'END'
import socket
def named(name):
    open("/proc/self/comm", "w").write(name)
def sends(port, n):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("127.0.0.1", port))
    return lambda: [s.sendto(b"x", ("127.0.0.1", 7930)) for i in range(n)]
named("v-alike-first")
one = sends(7931, 3)
named("v-alike-second")
two = sends(7932, 5)
named("v-alike")
three = sends(7933, 7)
named("short")
four = sends(7934, 9)
one(), two(), three(), four()
END
COUNT='udp:::send { @[args[1]->cs_execname, args[3]->udps_lport] = count(); } END { printa("%s %d %@d\n", @); }'
while read -r name filter; do
	dt_start "$name" -x footer -x port=7930 -x "execname=$filter" -n "$COUNT" || finish
done <<X
second v-alike-second
whole v-alike
not !v-alike-second
list short,v-alike-first
near v-alike-secon
X
python3 "$T/send.py" || fail 'the senders failed'
sleep 0.2
for name in second whole not list near; do
	dt_stop $name
	lossless $name >/dev/null
done
got() { grep -E '^[a-z]' "$T/$1.out" | sort | tr '\n' ','; }
same '-x execname= selects one of two names with a common beginning' 'v-alike-second 7932 5,' "$(got second)"
same '-x execname= with a name that is the beginning of other names' 'v-alike 7933 7,' "$(got whole)"
same '-x execname= with a name to exclude' 'short 7934 9,v-alike 7933 7,v-alike-first 7931 3,' "$(got not)"
same '-x execname= with two names' 'short 7934 9,v-alike-first 7931 3,' "$(got list)"
[ -z "$(got near)" ] && echo 'ok: a name that nobody has' || fail "a name that nobody has: $(got near)"
finish
