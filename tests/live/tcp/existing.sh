#!/bin/bash
# tcp:::existing shows each listener, connection and TIME_WAIT socket of every namespace once, also
# while other sockets open and close.
. "$(dirname "$0")/../lib.bash"
need python3

ns quiet busy

# Makes for each version of IP a listener, an accepted socket, a socket that waits in the listener's
# queue, the other ends of these two connections, and a socket in TIME_WAIT.
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
	tick-3s { printa("%s %s %@d\n", @); exit(0); }' "$(inum quiet)" >"$T/states.out" 2>&1
cat >"$T/states.want" <<'EOF'
state-established <unknown> 2
state-established python3 6
state-listen python3 2
state-time-wait <unknown> 2
EOF
LC_ALL=C sort "$T/states.out" | grep . >"$T/states.got"
same_files 'sockets of another namespace, by state' "$T/states.want" "$T/states.got"

# Without permission to enter other namespaces, tcp:::existing shows only the sockets of our own
# namespace, and a message says that there may be more.
caps=+bpf,+perfmon,+net_admin
EXISTING='tcp:::existing /args[1]->cs_netns == $1/ { @[tcp_state_string[args[3]->tcps_state]] = count(); }
	tick-3s { printa("%s %@d\n", @); exit(0); }'
for where in quiet busy; do
	in_ns $where setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps $caps --ambient-caps $caps \
		"$DTRACE" -qn "$EXISTING" "$(inum quiet)" 2>"$T/$where.err" | grep . | LC_ALL=C sort >"$T/$where.out"
	same "in $where: a message says that other namespaces were not read" 1 "$(grep -cE \
		'^dtrace: [1-9][0-9]* network namespaces? cannot be entered' "$T/$where.err")"
done
printf 'state-established 8\nstate-listen 2\nstate-time-wait 2\n' >"$T/own.want"
same_files 'unprivileged: sockets of the own namespace are shown' "$T/own.want" "$T/quiet.out"
same 'unprivileged: sockets of another namespace are not shown' 0 "$(wc -l <"$T/busy.out")"

# Only the starts matter here, so this uses the build that starts faster.
in_ns busy timeout 800 "$LIVE/helpers/churn" "$PLAIN" "${STARTS:-50}" >"$T/churn.out" 2>&1
cat "$T/churn.out"
same 'no socket is missing, and none is shown twice' 0 "$(sed -n 's/^wrong //p' "$T/churn.out")"
finish
