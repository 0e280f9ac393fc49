# ERROR fires at the fault: in the context of the process that faulted, and before the clauses that
# follow.
. "$(dirname "$0")/../lib.bash"

cp "$(type -P true)" "$T/faulty"
dt_start order -n '
	ERROR { seen++; printf("ERROR in %s\n", execname); @[execname] = count(); }
	rawtp:::sched_process_exec /execname == "faulty"/ { trace(*(int *)0); }
	rawtp:::sched_process_exec /execname == "faulty"/ { printf("then %d\n", seen); }' || finish
"$T/faulty"
"$T/faulty"
dt_stop order
grep -v READY "$T/order.out" | grep . >"$T/got"
printf '%s\n' 'ERROR in faulty' 'then 1' 'ERROR in faulty' 'then 2' \
	'  faulty                                                            2' >"$T/wanted"
same_files 'ERROR fires before the clauses that follow the fault' "$T/wanted" "$T/got"

# exit() in ERROR ends the firing that faulted.
"$DTRACE" -qn 'ERROR { exit(3); } BEGIN { trace(*(int *)0); } BEGIN { trace("too late"); }' >"$T/exit" 2>/dev/null
[ $? = 3 ] || fail 'the status is not that of ERROR'
grep -q 'too late' "$T/exit" && fail 'a clause ran after exit()'
finish
