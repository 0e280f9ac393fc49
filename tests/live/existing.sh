#!/bin/bash
# tcp:::existing: sockets of every state in every namespace, once, also while others open
# and close all the time.
. "$(dirname "$0")/lib.bash"
need python3

ns quiet busy

# One of each: listening, accepted, in the listener's queue, the two other ends, TIME_WAIT.
cat >"$T/states.py" <<'EOF'
import os
import socket

kept = []
for family, addr in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    s = socket.socket(family)
    s.bind((addr, 7777))
    s.listen()
    kept.append(s)
    for i in range(2):
        c = socket.create_connection((addr, 7777))
        a = s.accept()[0]
        if i:
            kept += [c, a]
        else:
            c.close()
            a.close()
    kept.append(socket.create_connection((addr, 7777)))
os.write(1, b"listening\n")
os.read(os.open(os.environ["GO"], os.O_RDONLY), 1)
EOF
mkfifo "$T/go"
GO="$T/go" background states quiet python3 "$T/states.py"

"$DTRACE" -qn 'tcp:::existing /args[1]->cs_netns == $1/ {
	@[tcp_state_string[args[3]->tcps_state], args[1]->cs_execname] = count(); }
	tick-100ms { printa("%s %s %@d\n", @); exit(0); }' "$(inum quiet)" >"$T/states.out" 2>&1
cat >"$T/states.want" <<'EOF'
state-established <unknown> 2
state-established python3 6
state-listen python3 2
state-time-wait <unknown> 2
EOF
LC_ALL=C sort "$T/states.out" | grep . >"$T/states.got"
same_files 'sockets of another namespace, by state' "$T/states.want" "$T/states.got"

in_ns busy timeout 100 "$LIVE/churn" "$DTRACE" "${STARTS:-50}" >"$T/churn.out" 2>&1
cat "$T/churn.out"
same 'lost or doubled' 0 "$(sed -n 's/^wrong //p' "$T/churn.out")"
finish
