# Scripts show the longest addresses within 80 columns, or on one line with the argument wide.
# tcpdrop with the argument stack shows stacks.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1

ns s
A=2001:db8:1111:2222:3333:4444:5555:1111
addr s lo $A/128
while read -r run script word; do
	dt_start "$run" -x footer -x netns=s -s "scripts/$script.d" ${word:+"$word"} || finish
done <<X
solisten solisten
solisten-wide solisten wide
bind bindsnoop
bind-wide bindsnoop wide
drop tcpdrop
drop-wide tcpdrop wide
drop-stack tcpdrop stack
udpdrop udpdrop
udpdrop-wide udpdrop wide
X
in_ns s python3 -c '
import socket, sys
a = sys.argv[1]
l = socket.socket(socket.AF_INET6); l.bind((a, 60001)); l.listen(7)
try: socket.socket(socket.AF_INET6).connect((a, 60002))
except OSError: pass
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", (a, 60003))' $A || fail 'the sockets cannot be made'
sleep 0.3
for run in solisten solisten-wide bind bind-wide drop drop-wide drop-stack udpdrop udpdrop-wide; do
	dt_stop "$run" || fail "$run ends with status $?"
	lossless "$run" >/dev/null
done
for run in solisten bind drop udpdrop; do
	same "$run: within 80 columns" 0 "$(awk 'length > 80' "$T/$run.out" | wc -l)"
	grep -q "$A" "$T/$run.out" && echo "ok: $run: the address" || fail "$run: no address"
done
lines() { grep -cE "$2" "$T/$1.out"; }
same 'solisten wide prints the whole line' 1 "$(lines solisten-wide "^ *[0-9]+ python3 +root +- +s +7 60001 $A\$")"
same 'bindsnoop wide prints the whole line' 1 "$(lines bind-wide "^ *[0-9]+ python3 +TCP +$A +60001 \.\. +0 +-\$")"
same 'tcpdrop wide prints the whole line' 1 "$(lines drop-wide " lo +state-closed +none +$A +[0-9]+ $A +60002 NO_SOCKET +- +vmlinux\`tcp_v6_rcv")"
same 'tcpdrop shows the device in the table at the end' 1 "$(lines drop '^NO_SOCKET +state-closed +lo +1$')"
same 'tcpdrop stack shows the function that dropped the segment' 1 "$(lines drop-stack '^ +vmlinux`tcp_v6_rcv\+0x')"
same 'udpdrop wide prints the whole line' 1 "$(lines udpdrop-wide " 60003 $A +[0-9]+ - +NO_SOCKET\$")"
finish
