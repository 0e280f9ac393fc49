# Arguments, registers, locks and times of a known process, compared with the kernel's values.
. "$(dirname "$0")/../lib.bash"

cat >"$T/p.d" <<'D'
BEGIN { printf("ready\n"); }

/* This probe fires in the middle of exec(), which holds the lock cred_guard_mutex. */
rawtp:::task_rename
/stringof(args[1]) == "dozer"/
{
	owned[pid] = mutex_owned(&curthread->signal->cred_guard_mutex);
	owner[pid] = mutex_owner(&curthread->signal->cred_guard_mutex) == curthread;
}

rawtp:::sys_enter
/execname == "dozer" && args[1] == $1/
{
	printf("[%s] %d\n", curpsinfo->pr_psargs, curpsinfo->pr_arglen);
	printf("[%s] %d %d\n", execargs, curpsinfo->pr_pid, curpsinfo->pr_nlwp);
	printf("%d %d\n", uregs[R_PC] > 4096, uregs[R_SP] > 4096);
	printf("%d %d, %d %d\n", owned[pid], owner[pid], mutex_owned(&curthread->signal->cred_guard_mutex),
	    mutex_owner(&curthread->signal->cred_guard_mutex) == NULL);
	printf("%d %d\n", mutex_type_adaptive(&curthread->signal->cred_guard_mutex),
	    mutex_type_spin(&curthread->signal->cred_guard_mutex));
	/* Reads the number of the process as if it were the count of a lock. */
	printf("%d %d %d\n", rw_read_held((rwlock_t *)&curthread->tgid) == (pid >> 9 != 0),
	    rw_write_held((rwlock_t *)&curthread->tgid) == ((pid & 0xff) == 0xff),
	    rw_iswriter((rwlock_t *)&curthread->tgid) == ((pid & 0x1ff) != 0));
	printf("%d\n", vtimestamp < 1000000000);
	printf("%d %d\n", progenyof($2), progenyof($3));
	printf("%d %d %d\n", curpsinfo->pr_pgid, curpsinfo->pr_sid, curlwpsinfo->pr_pri);
	printf("%d\n", curpsinfo->pr_argv + curpsinfo->pr_arglen <= curpsinfo->pr_envp);
	exit(0);
}

END { printf("%d\n", vtimestamp > 0); }
D
sleep 30 &
other=$!
case $(uname -m) in x86_64) nanosleep=230 ;; *) nanosleep=115 ;; esac
timeout 120 "$DTRACE" -q -s "$T/p.d" $nanosleep $$ $other >"$T/out" 2>"$T/err" &
tracer=$!
until [ -s "$T/out" ] || ! kill -0 $tracer 2>/dev/null; do
	sleep 0.01 # waits for the probes, because exec() of dozer fires a probe, too
done
cp "$(command -v sleep)" "$T/dozer"
(cd "$T" && exec ./dozer 0.7 0.1 0.2) &
child=$!
wait $tracer
kill $other
sed -i '/^ready$/d; /^$/d' "$T/out"
cat >"$T/want" <<W
[./dozer 0.7 0.1 0.2] 20
[./dozer 0.7 0.1 0.2] $child 1
1 1
1 1, 0 1
1 0
1 1 1
1
1 0
$(ps -o pgid=,sid= -p $$ | tr -s ' ' | sed 's/^ *//; s/ *$//') 120
1
1
W
same_files "arguments, registers, locks and times of a process" "$T/want" "$T/out"
cat "$T/err"
finish
