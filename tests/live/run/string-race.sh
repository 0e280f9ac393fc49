# One CPU assigns two kinds of strings to a variable while another reads it: each value read was
# assigned as a whole.
. tests/live/lib.bash

[ "$(nproc)" -ge 2 ] || skip 'one CPU sees no race'
cat >"$T/race.d" <<'END'
rawtp:::sys_enter /cpu == 0/ { x = timestamp & 64 ? inet_ntoa((ipaddr_t *)&curthread->pid) : "lit"; }
rawtp:::sys_exit /cpu == 1/ { @k[x] = count(); }
tick-3s { exit(0); }
END
for c in 0 1; do
	taskset -c $c timeout 3 sh -c 'while :; do kill -0 $$; done' &
	taskset -c $c timeout 3 dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
done
"$DTRACE" -qs "$T/race.d" >"$T/out" 2>"$T/err"
same 'exit status 0' 0 $?
same 'dtrace prints no messages' 0 "$(wc -l <"$T/err")"
same 'no read value is one that was never assigned as a whole' 0 \
	"$(awk 'NF == 2 && $1 !~ /^(lit|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+)$/' "$T/out" | wc -l)"
same 'both kinds of strings are read' '1 1' "$(grep -c '^ *lit ' "$T/out") $(grep -cm1 '\..*\..*\.' "$T/out")"
wait
finish
