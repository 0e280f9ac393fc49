# -x footer prints how often each hook ran and what this cost, and restores the kernel setting.
. tests/live/lib.bash
setting=$(cat /proc/sys/kernel/bpf_stats_enabled)
dt_start cost -x footer -n 'profile-97 { @n = count(); } syscall::getpid:entry { @ = count(); } END { printa("ran %@d\n", @n); }'
sleep 3
dt_stop cost
ran=$(sed -n 's/^ran //p' "$T/cost.out")
line=$(sed -n 's/^dtrace: *profile:::profile-97  *//p' "$T/cost.err")
[[ $line =~ ^([0-9]+)\ runs,\ ([0-9]+)\ ns\ each,\ [0-9.]+%\ of\ a\ CPU$ ]] || fail "no cost of profile-97: $line"
runs=${BASH_REMATCH[1]} each=${BASH_REMATCH[2]}
[ "$runs" -ge "$ran" ] && [ "$runs" -le $((ran * 3 / 2 + 50)) ] || fail "$runs runs, but $ran firings"
[ "$each" -gt 0 ] && [ "$each" -lt 1000000 ] || fail "$each ns each"
grep -Eq '^dtrace:   rawtp:::sys_enter +[0-9]+ runs' "$T/cost.err" || fail 'no cost of sys_enter'
same 'kernel.bpf_stats_enabled has its old value after a run with costs' "$setting" "$(cat /proc/sys/kernel/bpf_stats_enabled)"

# Times are measured only on request.
dt_start quiet -n 'profile-97 { n++; }'
same 'kernel.bpf_stats_enabled does not change in a run without costs' "$setting" "$(cat /proc/sys/kernel/bpf_stats_enabled)"
dt_stop quiet
grep -q ' runs, ' "$T/quiet.err" && fail 'costs are printed without -x footer'
finish
