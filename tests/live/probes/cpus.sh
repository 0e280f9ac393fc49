# Gaps in the CPU numbers, a list that cannot be read, and CPUs that go online during the run. The
# test replaces the kernel's lists of CPUs.
. tests/live/lib.bash
need taskset

cpus=/sys/devices/system/cpu
last=$(($(sed 's/.*[-,]//' $cpus/possible)))
((last)) || skip "only one CPU"

# A per-CPU map of the kernel has one value for each CPU in the list, whatever the numbers are. (An
# arena is indexed by real CPU numbers, which a forged list hides, so the test sets -x maps=kernel.)
sed "s/^0-1\$/0,2/; s/^0-/0,2-/; s/$last\$/$((last + 1))/" $cpus/possible >"$T/possible"
[ "$last" = 1 ] && echo 0,2 >"$T/possible"
mount --bind "$T/possible" $cpus/possible
dt_start sparse -x maps=kernel -n 'int n;
	tick-10ms /n < 60/ { @[n % 3] = count(); n++; }
	tick-10ms /n == 60/ { exit(0); }
	END { printa("%d %@d\n", @); }'
dt_wait sparse
same "60 ticks by 3 keys, CPUs $(cat "$T/possible")" '0 20 1 20 2 20 ' \
	"$(grep -v READY "$T/sparse.out" | grep . | sort | tr '\n' ' ')"
umount $cpus/possible

# Without the list, dtrace does not know how much memory the kernel will write.
mount --bind /dev/null $cpus/possible
said=$("$DTRACE" -qn 'BEGIN { exit(0); }' 2>&1)
same 'the list cannot be read' "1: dtrace: cannot read the list of CPUs in $cpus/possible; mount sysfs at /sys" "$?: $said"
umount $cpus/possible

# profile-N samples a CPU that goes online later.
echo 0 >"$T/online"
mount --bind "$T/online" $cpus/online
taskset -c 1 sh -c 'while :; do :; done' &
busy=$!
dt_start later -n 'int n;
	profile-199 /cpu == 1/ { @ = count(); n++; }
	tick-1s { printf("%d\n", n); }'
n=-1 was=-2
for ((i = 0; i < 60; i++)); do
	sleep 2.5
	was=$n
	n=$(grep -E '^[0-9]+$' "$T/later.out" | tail -n 1)
	[ -n "$n" ] && [ "$n" = "$was" ] && break
done
echo 0-1 >"$T/online"
for ((i = 0; i < 600; i++)); do
	[ "$(tail -1 "$T/later.out")" -gt $((n + 50)) ] && break
	sleep 0.1
done
now=$(tail -1 "$T/later.out")
kill $busy
dt_stop later
# The forged list says that CPU 1 is offline. CPU 1 has samples only from the start, when dtrace
# tries all possible CPUs.
same 'CPU 1 is not sampled while it is said to be offline' "$was" "$n"
same 'CPU 1 is sampled when it is online again' yes "$( ((now > n + 50)) && echo yes || echo "$now, $n before")"
finish
