# -x resolve with a name server that does not answer: events are still printed.
. tests/live/lib.bash
need python3
helper spoof

grep -q '^hosts:.*dns' /etc/nsswitch.conf || skip "names do not come from DNS here"
echo '127.0.0.1 this-host' >"$T/hosts"
printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >"$T/resolv.conf"
mount --bind "$T/hosts" /etc/hosts
mount --bind "$T/resolv.conf" /etc/resolv.conf
cat >"$T/silent.py" <<'EOF'
import os, socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 53))
os.write(1, b"listening\n")
time.sleep(60)
EOF
setpriv --pdeathsig KILL python3 "$T/silent.py" >"$T/silent.srv" &
until grep -qs listening "$T/silent.srv"; do sleep 0.05; done

dt_start names -x resolve -n 'ip:::receive /args[4]->ipv4_protocol == 253/ {
	printf("%I to %I\n", args[2]->ip_saddr, args[2]->ip_daddr); }'
SECONDS=0
"$T/spoof" 100 50
dt_stop names
same 'every event is printed' 100 "$(grep -c ' to ' "$T/names.out")"
same 'each line has a name or an address' 100 \
	"$(grep -Ec '^11\.0\.0\.[0-9]+ to (this-host|127.0.0.1)$' "$T/names.out")"
same 'the run takes less than ten seconds' 'less than ten' "$( ((SECONDS < 10)) && echo 'less than ten' || echo $SECONDS)"
finish
