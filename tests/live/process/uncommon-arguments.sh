# The verifier of some kernels does not let a program load some arguments. The test reads such an
# argument: it compares the function of a work item with the function that runs.
. "$(dirname "$0")/../lib.bash"

# The thread is a key, because a work function may free its item, and another item may get the same
# address before the first one ends.
"$DTRACE" -qn 'rawtp:::workqueue_execute_start { will[arg0, tid] = (uintptr_t)args[0]->func; }
	rawtp:::workqueue_execute_end /will[arg0, tid]/ { @[will[arg0, tid] == (uintptr_t)arg1 ? "the same" : "another"] = count(); will[arg0, tid] = 0; seen++; }
	tick-100ms /seen >= 20 || n++ == 600/ { exit(0); }
	END { printa("%s\n", @); }' >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
same 'functions' 'the same' "$(sed '/^$/d' "$T/out")"
"$DTRACE" -qn 'rawtp:::kfree /pid == $target && (uint64_t)arg1 > 4096/ { @[(int64_t)arg1 < 0 ? "kernel" : "not"] = count(); }
	END { printa("%s\n", @); }' -c 'ls /proc' >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
same 'addresses' 'kernel' "$(grep -x -e kernel -e not "$T/out")"
finish
