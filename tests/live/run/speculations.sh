# Speculations of many threads and CPUs: committed ones are shown whole, discarded ones not at all.
. tests/live/lib.bash
need taskset dd

# Two CPUs write to one speculation. Every 50 ms a clause commits the speculation and begins the
# next one. Every record is shown.
dt_start cpus -b 16m -n 'BEGIN { s = speculation(); }
	profile-997 { this->took = 0; }
	profile-997 { speculate(s); this->took = 1; printf("took %d\n", cpu); }
	profile-997 /this->took/ { @ = count(); }
	tick-50ms { commit(s); }
	tick-50ms { s = speculation(); turn++; }
	tick-50ms /turn == 20/ { exit(0); }
	END { commit(s); }
	END { printa("all %@d\n", @); }'
for cpu in 0 1; do
	timeout 5 taskset -c $cpu sh -c 'while :; do :; done' &
done
dt_wait cpus
kill %2 %3 2>/dev/null
same 'every record of a committed speculation is shown' "$(sed -n 's/^all //p' "$T/cpus.out")" "$(grep -c ^took "$T/cpus.out")"
same 'the shown records are of both CPUs' '0 1 ' "$(sed -n 's/^took //p' "$T/cpus.out" | sort -u | tr '\n' ' ')"

# Each thread has a speculation of its own. Every second speculation is committed, and its two records
# are shown together.
dt_start threads -b 16m -x nspec=3 -n 'int n;
	rawtp:::sys_enter /execname == "dd" && args[1] == 1/ { self->s = speculation(); self->n++; }
	rawtp:::sys_enter /self->s/ { speculate(self->s); printf("%d %d enter\n", tid, self->n); }
	rawtp:::sys_exit /self->s/ { speculate(self->s); printf("%d %d exit\n", tid, self->n); }
	rawtp:::sys_exit /self->s && self->n % 2/ { discard(self->s); self->s = 0; }
	rawtp:::sys_exit /self->s/ { commit(self->s); }
	rawtp:::sys_exit /self->s/ { self->s = 0; @ = count(); }
	END { printa("all %@d\n", @); }'
for i in 1 2 3 4 5 6; do
	taskset -c $((i % 2)) dd if=/dev/zero of=/dev/null bs=1 count=5000 2>/dev/null &
	pids[i]=$!
done
wait "${pids[@]}"
dt_stop threads
awk '/enter/ { who = $1 " " $2; if ($2 % 2) odd++; open++ }
	/exit/ { if (who == $1 " " $2) pairs++; else apart++; who = "" }
	END { printf "%d %d %d %d\n", open, pairs, apart, odd }' "$T/threads.out" >"$T/sums"
all=$(sed -n 's/^all //p' "$T/threads.out")
same 'only complete pairs, and no discarded record' "$all $all 0 0" "$(cat "$T/sums")"
same 'there were more than 10,000 pairs' yes "$( ((all > 10000)) && echo yes)"
same 'nothing was lost' 0 "$(grep -c -e 'drop' -e 'missed' "$T/threads.err")"
finish
