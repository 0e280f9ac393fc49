# -c and -p: no event of the process is missed, and its end ends the run. A process of -p continues
# however dtrace ends.
. "$(dirname "$0")/../lib.bash"

cat >"$T/asks.c" <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((constructor)) static void early(void)
{
	syscall(SYS_getpgid, 0);
}

/* asks HOW: calls getppid() five times, then ends as HOW says. */
int main(int argc, char **argv)
{
	for (int i = 0; i < 5; i++)
		syscall(SYS_getppid);
	if (argc > 2)
		syscall(SYS_sched_yield);
	if (argc > 1 && *argv[1] == 's')
		raise(SIGSEGV);
	if (argc > 1 && *argv[1] == 'e' && !getenv("COLOUR"))
		return 9;
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
cc -O1 -o "$T/asks" "$T/asks.c" || skip 'cannot compile'
cc -O1 -s -o "$T/stripped" "$T/asks.c" || skip 'cannot compile'
case $(uname -m) in
x86_64) getppid=110 getpgid=121 ;;
*) getppid=173 getpgid=155 ;;
esac
COUNT="rawtp:::sys_enter /pid == \$target && args[1] == $getppid/ { n++; }
	rawtp:::sys_enter /pid == \$target && args[1] == $getpgid/ { early++; }
	rawtp:::sched_process_exec /pid == \$target/ { execs++; }
	END { printf(\"%d asked, %d early, %d execs\", n, early, execs); }"

# run ARGS...: sets $got (output), $said (messages) and $status
run() {
	timeout 300 "$DTRACE" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
	got=$(tr -d '\n' <"$T/out")
	said=$(sed 's/pid [0-9]*/pid N/' "$T/err" | grep -v ' matched ')
}

run -q -c "$T/asks" -n "$COUNT"
same '-c traces a process from its first instruction' '5 asked, 1 early, 0 execs' "$got"
same 'status' 0 "$status"
same '-q prints no notice about the end of the process' '(none)' "${said:-(none)}"
run -q -x evaltime=preinit -c "$T/asks" -n "$COUNT"
same '-x evaltime traces a process from its entry point' '5 asked, 1 early, 0 execs' "$got"
for e in postinit main; do
	run -q -x evaltime=$e -c "$T/asks" -n "$COUNT"
	same "evaltime=$e" '5 asked, 0 early, 0 execs' "$got"
	run -q -x evaltime=$e -c "$T/stripped" -n "$COUNT"
	same "evaltime=$e without symbols" '5 asked, 1 early, 0 execs' "$got"
done

# Messages about the end of the process.
run -c "$T/asks" -n BEGIN
same 'a message reports that the process has exited' 'dtrace: pid N has exited' "$said"
run -c "$T/asks 3" -n BEGIN
same 'a message reports the exit status of the process' 'dtrace: pid N exited with status 3' "$said"
same 'dtrace ends with status 0 although the process failed' 0 "$status"
run -c "$T/asks s" -n BEGIN
same 'a message names the signal that ended the process' 'dtrace: pid N terminated by SIGSEGV' "$said"
run -c "  $T/asks	7  " -n BEGIN
same 'the command of -c is split at white space' 'dtrace: pid N exited with status 7' "$said"
run -x setenv=COLOUR=red -c "$T/asks e" -n BEGIN
same '-x setenv sets a variable for the command' 'dtrace: pid N has exited' "$said"
COLOUR=red run -x unsetenv=COLOUR -c "$T/asks e" -n BEGIN
same '-x unsetenv removes a variable for the command' 'dtrace: pid N exited with status 9' "$said"
run -c /nonexistent/x -n BEGIN
same 'a command that does not exist is an error' 'dtrace: failed to execute /nonexistent/x: No such file or directory' "$said"
same 'status' 1 "$status"

# Several processes: $target is the first; the end of the last one ends the run.
echo 'sleep 1' >"$T/later.sh"
run -c "/bin/sleep 0.2" -c "$T/asks" -q -n "$COUNT"
same 'the first command is the target' '0 asked, 0 early, 0 execs' "$got"
run -c "$T/asks" -c "/bin/sh $T/later.sh" -n 'tick-10ms /n < 12/ { n++; } END { trace(n); }'
same 'dtrace ends with the last command' 'dtrace: pid N has exited|dtrace: pid N has exited' "$(tr '\n' '|' <<<"$said" | sed 's/|$//')"
[[ $got =~ ' 12' ]] && echo 'ok: ticks meanwhile' || fail "ticks meanwhile: $got"

# exit() ends the run and the command of -c.
echo "echo \$\$ >$T/pid; exec sleep 300" >"$T/long.sh"
run -q -c "/bin/sh $T/long.sh" -n 'tick-3s { exit(4); }'
same 'exit() ends the run and sets its status' 4 "$status"
runs() { [ -d "/proc/$1" ] && ! grep -q '^State:.*Z' "/proc/$1/status"; }
runs "$(cat "$T/pid")" && fail 'the command continues after dtrace has ended' || echo 'ok: the command ends with us'
run -q -e -c "$T/asks" -n BEGIN
same '-e compiles the program and ends with status 0' 0 "$status"
rm -f "$T/pid"
"$DTRACE" -q -c "/bin/sh $T/long.sh" -n 'BEGIN { n = 1; }' &
dt=$!
for ((i = 0; i < 1200; i++)); do [ -s "$T/pid" ] && break; sleep 0.05; done
kill -KILL $dt
wait $dt 2>/dev/null
for ((i = 0; i < 600; i++)); do runs "$(cat "$T/pid")" || break; sleep 0.05; done
runs "$(cat "$T/pid")" && fail 'the command continues after SIGKILL has ended dtrace' || echo 'ok: SIGKILL ends the command, too'

# A process with threads: all threads stop while the program compiles, then continue.
cat >"$T/threads.c" <<'END'
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *turn(void *arg)
{
	for (;;) {
		syscall(SYS_getppid);
		usleep(1000);
	}
	return arg;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, turn, NULL);
	sleep(600);
	return 0;
}
END
cc -O1 -pthread -o "$T/threads" "$T/threads.c" || skip 'cannot compile'
states() { cat /proc/$p/task/*/status 2>/dev/null | sed -n 's/^State:\t\(.\).*/\1/p' | sort | uniq -c | tr -d '\n '; }
goes_on() { # goes_on WHAT
	local i
	for ((i = 0; i < 3000; i++)); do
		[[ $(states) != *t* ]] && kill -0 $p && echo "ok: $1" && return
		sleep 0.02
	done
	fail "$1: $(states)"
}
"$T/threads" & p=$!
mkdir "$T/lib"
# A library that takes seconds to compile: the process is held meanwhile.
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "inline int __slow_%d = %d;\n", i, i }' >"$T/lib/slow.d"
for end in compiled KILL INT; do
	[ $end = compiled ] && only=-e || only=''
	# shellcheck disable=SC2086
	"$DTRACE" -q $only -L "$T/lib" -p $p -n 'BEGIN { n = $target; }' >"$T/out" 2>"$T/err" &
	dt=$!
	for ((i = 0; i < 3000; i++)); do [ "$(states)" = 5t ] && break; sleep 0.02; done
	same "all threads of the process are stopped while the program compiles ($end)" 5t "$(states)"
	[ $end = KILL ] && kill -KILL $dt
	[ $end = INT ] && { goes_on 'it goes on when probes are live'; kill -INT $dt; }
	wait $dt 2>/dev/null
	goes_on "it goes on ($end)"
done
run -q -p $p -n "rawtp:::sys_enter /pid == \$target && args[1] == $getppid/ { n++; }
	tick-10ms /n > 20/ { printf(\"live\"); exit(0); }"
same 'the process is traced' live "$got"
goes_on 'after exit()'
run -q -p $p -n 'BEGIN { syntax error'
goes_on 'after an error'
kill -STOP $p
run -q -p $p -n 'BEGIN { exit(0); }'
sleep 0.1
same 'a stopped process stays stopped' 5T "$(states)"
run -qw -p $p -n 'BEGIN { syntax error'
same 'it stays stopped after an error, even with -w' 5T "$(states)"
run -qw -p $p -n 'BEGIN { exit(0); }'
goes_on 'with -w it goes on'
kill -STOP $p
kill -CONT $p
goes_on 'and is woken'
"$DTRACE" -p $p -n BEGIN >"$T/out" 2>"$T/err" &
dt=$!
for ((i = 0; i < 1200; i++)); do grep -q BEGIN "$T/out" && break; sleep 0.05; done
kill $p
wait $dt
same 'a message reports the end of the process of -p' "dtrace: pid $p has exited" "$(grep -v matched "$T/err")"
wait $p 2>/dev/null

# If the process is killed while dtrace holds it, the process and dtrace end.
"$T/threads" & p=$!
for ((i = 0; i < 3000; i++)); do [ "$(states)" = 5S ] && break; sleep 0.02; done
"$DTRACE" -L "$T/lib" -p $p -n BEGIN >"$T/out" 2>"$T/err" &
dt=$!
for ((i = 0; i < 3000; i++)); do [ "$(states)" = 5t ] && break; sleep 0.02; done
same 'all threads of the process are stopped' 5t "$(states)"
kill $p
for ((i = 0; i < 3000; i++)); do kill -0 $dt 2>/dev/null || break; sleep 0.02; done
kill -KILL $dt 2>/dev/null && fail 'dtrace waits for a process that was killed while it was held'
wait $dt
same 'a message reports the end of a stopped process' "dtrace: pid $p has exited" "$(grep -v matched "$T/err")"
wait $p 2>/dev/null

run -p 99999999 -n BEGIN
same '-p with a process that does not exist is an error' 'dtrace: failed to grab pid N: No such process' "$said"
run -p x -n BEGIN
same '-p with a word that is no number is an error' 'dtrace: invalid pid: x' "$said"
run -n 'BEGIN { trace($target); }'
same '$target without -p and -c is an error' 'dtrace: invalid probe specifier BEGIN { trace($target); }: in action list: macro variable $target is not defined' "$said"
finish
