# With preempt=full, another task may run the same program while the first run writes a long key or
# records a socket's creator. Both runs must keep their own values. Other tasks and a timer also add
# to the same keys of a table in an arena at the same time, and no count may be lost.
. "$(dirname "$0")/lib.bash"
PROCS=6 SENDS=${SENDS:-1500}

cc -std=gnu11 -O2 -Wall -Wextra -Werror -o "$T/traffic" "$VM/preempt.c" || skip "cannot compile preempt.c"
kernels=$(echo "$kernels" | grep -- 'linux-image-6\.12') || skip 'no Linux 6.12'
VM_APPEND=preempt=full under_all preempt "$VM/preempt" "$T/traffic" $PROCS "$SENDS"
r=$(release "$kernels")
{
	for ((k = 0; k < PROCS; k++)); do
		echo "sender-$k sender-$k/ 127.0.0.1700$k 700$k sender-${k}710$k 710$k $((108 + k)) $SENDS"
	done
	for ((k = 0; k < PROCS; k++)); do
		echo "short 710$k $SENDS"
	done
	echo 'the timer ticked: yes'
	for what in 'records dropped' faults 'aggregation keys refused' 'variable stores refused' \
		'probe firings missed' 'tick firings failed'; do
		printf 'dtrace: %-32s %12d\n' "$what" 0
	done
} >"$T/want"
grep -q 'preempt:.*(full)' "$T/preempt.$r" || fail "not preemptible: $(head -n 1 "$T/preempt.$r")"
# The kernel may print lines before those of the command.
sed '0,/^preempt:/d' "$T/preempt.$r" >"$T/got"
same_files "$r, preempt=full" "$T/want" "$T/got"
finish
