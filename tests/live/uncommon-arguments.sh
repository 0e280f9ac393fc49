# Arguments that some kernels' verifiers let nobody load: the function of a piece of work is that which is run.
. "$(dirname "$0")/lib.bash"

"$DTRACE" -qn 'rawtp:::workqueue_execute_start { will[arg0] = (uintptr_t)args[0]->func; }
	rawtp:::workqueue_execute_end /will[arg0]/ { @[will[arg0] == (uintptr_t)arg1 ? "the same" : "another"] = count(); will[arg0] = 0; seen = 1; }
	tick-100ms /seen || n++ == 600/ { exit(0); }
	END { printa("%s\n", @); }' >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
same 'functions' 'the same' "$(sed '/^$/d' "$T/out")"
"$DTRACE" -qn 'rawtp:::kfree /pid == $target && arg1/ { @[(int64_t)arg1 < 0 ? "kernel" : "not"] = count(); }
	END { printa("%s\n", @); }' -c 'ls /proc' >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
same 'addresses' 'kernel' "$(grep -x -e kernel -e not "$T/out")"
finish
