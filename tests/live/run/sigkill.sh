# SIGKILL at any moment leaves no program, link or map of dtrace in the kernel. The test stops each
# dtrace, lists the objects that this dtrace holds, and kills it. Exactly these objects must
# disappear, even if other programs trace on this machine.
. "$(dirname "$0")/../lib.bash"
need bpftool

# held PID: prints the kernel objects of the process's descriptors, as "prog 12", "link 3", "map 7"
held() {
	cat "/proc/$1/fdinfo/"* 2>/dev/null | sed -n 's/^\(prog\|link\|map\)_id:[ \t]*/\1 /p' | sort -u
}

stopped() {
	local i
	kill -STOP "$1" 2>/dev/null || return 1
	for ((i = 0; i < 100; i++)); do
		case $(cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null) in
		T) return 0 ;;
		'' | Z) return 1 ;;
		esac
		sleep 0.01
	done
}

program='ip:::send, ip:::receive {
		@[args[2]->ip_saddr] = count(); printf("%d", args[2]->ip_plength); self->x = 1; }
	tick-1ms { n++; } profile-97 { @p = count(); } BEGIN, END { trace(1); }'
early=0 loading=0 tracing=0
# killed_after MS: kills a dtrace that many milliseconds after its start
killed_after() {
	"$DTRACE" -qn "$program" >/dev/null 2>&1 &
	pid=$!
	sleep "$(($1 / 1000)).$(printf '%03d' $(($1 % 1000)))"
	if stopped "$pid"; then
		held "$pid" >"$T/now"
		cat "$T/now" >>"$T/all"
		if grep -q link "$T/now"; then
			tracing=$((tracing + 1))
		elif [ -s "$T/now" ]; then
			loading=$((loading + 1))
		else
			early=$((early + 1))
		fi
	else
		fail "it ended by itself after $1 ms"
	fi
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	ping -qc 1 127.0.0.1 >/dev/null 2>&1 &
}

# The moments of the kills, in milliseconds after the start. They range from before dtrace reads its
# arguments to long after it starts tracing.
for ms in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 20 22 24 26 28 30 35 40 50 70 100 200 400; do
	killed_after $ms
done
# On a busy machine, tracing starts later.
for ms in 1000 3000 10000 30000; do
	[ "$tracing" -gt 0 ] || killed_after $ms
done
wait
echo "killed: $early before it held anything, $loading loading, $tracing attached"
[ "$tracing" -gt 0 ] || fail 'none was killed while it traced'

# Prints the objects in $T/all that still exist.
left() {
	{
		bpftool prog list | sed -n 's/^\([0-9]*\): .*/prog \1/p'
		bpftool link list | sed -n 's/^\([0-9]*\): .*/link \1/p'
		bpftool map list | sed -n 's/^\([0-9]*\): .*/map \1/p'
	} 2>/dev/null | sort >"$T/exist"
	sort -u "$T/all" | comm -12 - "$T/exist"
}

# The kernel frees objects after a grace period.
for ((i = 0; i < 100; i++)); do
	[ -z "$(left)" ] && break
	sleep 0.1
done
same "objects left of $(sort -u "$T/all" | wc -l)" 0 "$(left | wc -l)"
left
finish
