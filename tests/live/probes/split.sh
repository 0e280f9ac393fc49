# Clauses that do not fit in one program are distributed over several programs. They run in order,
# for each event, and share this->.
. "$(dirname "$0")/../lib.bash"

# 100 keyed aggregations need 200 maps; a program may use 64.
{
	echo 'BEGIN { this->n = 5; this->s = "text"; this->p = curthread; }'
	for ((i = 0; i < 100; i++)); do echo "BEGIN { @a$i[this->s] = sum(this->n + $i); this->n++; }"; done
	echo 'BEGIN { printf("%d %s %d\n", this->n, this->s, this->p == curthread); exit(3); }'
	echo 'BEGIN { printf("behind exit"); }'
	for ((i = 0; i < 100; i++)); do echo "END { printa(\"$i %s %@d\\n\", @a$i); }"; done
} >"$T/aggs.d"
{
	echo '105 text 1'
	for ((i = 0; i < 100; i++)); do echo "$i text $((5 + 2 * i))"; done
} >"$T/want"
"$DTRACE" -qs "$T/aggs.d" >"$T/got" 2>&1
same 'exit() in an early program sets the exit status' 3 $?
sed '/^$/d' "$T/got" >"$T/lines"
same_files '100 keyed aggregations in one program text' "$T/want" "$T/lines"

# exit() in an early program ends the firing, also a firing of END: later programs do not run.
{
	echo 'BEGIN { exit(0); } END { this->n = 1; printf("first\n"); exit(4); }'
	for ((i = 0; i < 70; i++)); do echo "END { @a$i[this->n] = count(); printf(\"behind exit\"); }"; done
} >"$T/end.d"
same 'exit() in END ends END' first "$("$DTRACE" -qs "$T/end.d" 2>&1 | head -n 1)"
same 'no clause after exit() runs' 0 "$("$DTRACE" -qs "$T/end.d" 2>&1 | grep -c behind)"

# A fault discards only the record of its own clause. The programs of one tick run in order, every
# time.
{
	echo 'int none; tick-1ms { this->at = ++n; }'
	for ((i = 0; i < 70; i++)); do echo "tick-1ms { @a$i[this->at] = count(); this->sum += this->at; }"; done
	echo 'tick-1ms /n == 7/ { trace(1 / none); }'
	echo 'ERROR { faults++; }'
	echo 'tick-1ms /this->sum != 70 * n/ { printf("%d: %d\n", n, this->sum); }'
	echo 'tick-1ms /n == 200/ { printf("%d %d\n", n, faults); exit(0); }'
	echo 'END { trunc(@a0, 0); printa("%@d %d\n", @a69); }'
} >"$T/tick.d"
# -x aggsize gives each aggregation room for 200 keys, even in a virtual machine, where tests ask
# for small maps.
"$DTRACE" -x aggsize=4m -qs "$T/tick.d" 2>"$T/err" | sed '/^$/d' | sort -n | uniq -c >"$T/got"
same 'the programs of a tick run in order, each time' 200 "$(grep -c ' 1 1 [0-9]*$' "$T/got")"
same 'a fault discards only the record of its own clause' 1 "$(grep -c '^ *1 200 1$' "$T/got")"
same 'sums of the programs that differ from the expected sums' 0 "$(grep -c ': ' "$T/got")"

# 1,000 clauses of a live probe, which all use this->, while two threads make calls. $CLAUSES sets
# another even number of clauses.
N=${CALLS:-5000} CLAUSES=${CLAUSES:-1000}
helper calls
mkfifo "$T/go"
"$T/calls" $N <"$T/go" &
pid=$!
exec 9>"$T/go"
number=$("$T/calls" number)
{
	echo "this int n; rawtp:::sys_enter /pid == $pid && args[1] == $number/ { this->who = execname; this->n = 1; }"
	for ((i = 0; i < CLAUSES; i++)); do
		echo "rawtp:::sys_enter /this->n == $((i + 1))/ { this->n++; @[\"x\", execname, $((i * 2 / CLAUSES))] = count(); }"
	done
	echo 'rawtp:::sys_enter /this->n/ { @end[this->n, this->who] = count(); }'
	echo 'tick-100ms /!ready++/ { printf("ready\n"); }'
	echo "rawtp:::sched_process_exit /pid == $pid && tid == $pid/ { exit(0); }"
	echo 'END { printa("%d %s %@d\n", @end); printa("%s %s %d %@d\n", @); }'
} >"$T/many.d"
timeout 120 "$DTRACE" -qs "$T/many.d" >"$T/many" 2>"$T/err" &
dt=$!
for ((i = 0; i < 600; i++)); do
	[ -s "$T/many" ] && break
	pause 0.1
done
[ -s "$T/many" ] || fail "not ready after a minute"
echo >&9
exec 9>&-
wait $pid $dt
sed '/^$/d; /ready/d' "$T/many" >"$T/lines"
printf '%s\n' "$((CLAUSES + 1)) calls $((2 * N))" "x calls 0 $((CLAUSES * N))" "x calls 1 $((CLAUSES * N))" >"$T/want"
same_files "$CLAUSES clauses" "$T/want" "$T/lines"
same 'no event is lost' 0 "$(grep -c 'lost\|missed\|drop' "$T/err")"
finish
