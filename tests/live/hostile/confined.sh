# While tracing, dtrace keeps only the capabilities that it needs to trace and to read. A run whose
# program calls system() also keeps CAP_SYS_ADMIN.
. "$(dirname "$0")/../lib.bash"

caps() { sed -n "s/^Cap$2:\t//p" "/proc/${dt_pid[$1]}/status"; }
keep=0
for c in 39 38 12 34 19 2; do keep=$((keep | 1 << c)); done # bpf perfmon net_admin syslog sys_ptrace dac_read_search
dt_start plain -n 'tcp:::send { @[stack(3)] = count(); } tick-100ms { n++; } END { printf("%s\n", n > 0 ? "ticks" : "none"); }'
for set in Eff Prm; do
	have=$((16#$(caps plain $set)))
	[ $((have & ~keep)) = 0 ] && [ $((have & 1 << 39)) != 0 ] && echo "ok: $set" || fail "$set: $(caps plain $set)"
done
same 'dtrace has no inheritable capabilities' 0000000000000000 "$(caps plain Inh)"
same 'dtrace can gain no new privileges' 1 "$(sed -n 's/^NoNewPrivs:\t//p' "/proc/${dt_pid[plain]}/status")"
sleep 3
dt_stop plain
grep -q '^ticks$' "$T/plain.out" && echo 'ok: ticks' || fail "$(cat "$T/plain.out" "$T/plain.err")"
dt_start reaching -w -n 'tick-1s /0/ { system("true"); }'
have=$((16#$(caps reaching Eff)))
[ $((have & 1 << 21)) != 0 ] && echo 'ok: what runs others keeps its own' || skip 'not a privileged root here'
dt_stop reaching
finish
