# More events than dtrace can take: shown events plus reported losses equal all events.
. tests/live/lib.bash
helper spoof

mine='/args[3]->if_ipstack == $1/'
self=$(stat -L -c %i /proc/self/ns/net)
# told NAME RE: prints the sum of the numbers in matching messages
told() {
	sed -n "s/^dtrace: \([0-9]*\) $2.*/\1/p" "$T/$1.err" | awk '{ sum += $1 } END { print sum + 0 }'
}
sum() {
	awk '{ sum += $NF } END { printf "%d\n", sum }'
}

# The test stops the process dtrace, whose buffer is small.
n=100000
dt_start stopped -b 64k -x footer -n "ip:::receive $mine { printf(\"x\n\"); }" "$self"
kill -STOP "${dt_pid[stopped]}"
"$T/spoof" $n 10
kill -CONT "${dt_pid[stopped]}"
sleep 0.3
"$T/spoof" 100 10
dt_stop stopped
shown=$(grep -c x "$T/stopped.out")
lost=$(told stopped 'drops* on CPU')
missed=$(told stopped 'probe firings* missed')
same 'stopped consumer: the buffer is too small' yes "$( ((lost > 0)) && echo yes)"
same 'stopped consumer: shown and lost events add up to all events' $((n + 100)) $((shown + lost + missed))
same 'stopped consumer: the footer counts the lost records' "$lost" "$(footer stopped 'records dropped')"

# With bufpolicy=fill, a full buffer ends the run. Every earlier event is shown or reported as lost.
n=30000
status=0
# The clause that counts makes no record, so it needs no room in the buffer.
"$DTRACE" -q -b 64k -x bufpolicy=fill -x strict -n "ip:::receive $mine { @ = count(); }
	ip:::receive $mine { printf(\"x\n\"); }
	END { printa(\"counted %@d\n\", @); }" -c "$T/spoof $n 10" "$self" >"$T/fill.out" 2>"$T/fill.err" || status=$?
shown=$(grep -c x "$T/fill.out")
lost=$(told fill 'drops* on CPU')
same 'buffer that ends the run: the buffer was full' yes "$( ((lost > 0 && shown > 0)) && echo yes)"
same 'buffer that ends the run: shown and lost records add up to all records' "$(grep '^counted' "$T/fill.out" | sum)" $((shown + lost))
same 'buffer that ends the run: exit status 3' 3 $status

# The program has more keys than fit.
n=300000
dt_start keys -x footer -n "ip:::receive $mine { @[args[2]->ip_saddr] = count(); }
	END { printa(\"%@d\n\", @); }" "$self"
"$T/spoof" $n $n
dt_stop keys
shown=$(grep '^[0-9]' "$T/keys.out" | sum)
lost=$(told keys 'aggregation drops* on CPU')
missed=$(told keys 'probe firings* missed')
same 'many keys: some keys had no room' yes "$( ((lost > 0)) && echo yes)"
same 'many keys: shown and lost updates add up to all updates' $n $((shown + lost + missed))

# Two aggregations are printed, then cleared or truncated, again and again while they count. clear()
# is in the clause that prints, and trunc() in another.
n=450000
for then in clear trunc; do
	next=''
	[ $then = trunc ] && next='} tick-20ms, END {'
	dt_start $then -x footer -n "ip:::receive $mine { @ = count(); @k[args[2]->ip_saddr] = count(); }
		tick-20ms, END { printa(\"all %@d\n\", @); printa(\"key %@d\n\", @k); $next $then(@); $then(@k); }" "$self"
	"$T/spoof" $n 50
	dt_stop $then
	lossless $then
	same "$then: sum of all printed counts" $n "$(grep '^all' "$T/$then.out" | sum)"
	same "$then: printed counts of each key" $n "$(grep '^key' "$T/$then.out" | sum)"
done

# Many tracers run at once, and each of them counts all events.
n=50000
for tracers in 2 5 20; do
	for ((i = 0; i < tracers; i++)); do
		dt_start "t$i" -n "ip:::receive $mine { @ = count(); } END { printa(\"%@d\n\", @); }" "$self"
	done
	"$T/spoof" $n 100
	for ((i = 0; i < tracers; i++)); do dt_stop "t$i"; done
	got=$(for ((i = 0; i < tracers; i++)); do
		echo $(($(grep '^[0-9]' "$T/t$i.out" | sum) + $(told "t$i" 'probe firings* missed')))
	done | sort -u | tr '\n' ' ')
	same "$tracers tracers at once count all events" "$n " "$got"
done
finish
