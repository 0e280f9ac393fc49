# raise() and stop() act on the process that fires the probe, and on no other.
. "$(dirname "$0")/../lib.bash"

cat >"$T/asks.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		syscall(SYS_getppid);
	return 5;
}
END
cc -O1 -o "$T/asks" "$T/asks.c" || skip 'cannot compile'
case $(uname -m) in
x86_64) getppid=110 ;;
*) getppid=173 ;;
esac
AT="rawtp:::sys_enter /pid == \$target && args[1] == $getppid"

for sig in INT USR1 SEGV KILL; do
	said=$("$DTRACE" -w -c "$T/asks 9" -n "$AT && ++n == 3/ { raise($(kill -l $sig)); } END { trace(n); }" 2>&1 >"$T/out" |
		sed -n 's/^dtrace: pid [0-9]* //p')
	same "raise($sig)" "terminated by SIG$sig" "$said"
	same 'the process runs no further call after the signal' 3 "$(awk '/:END/ { print $4 }' "$T/out")"
done
said=$("$DTRACE" -w -c "$T/asks 9" -n "$AT && ++n == 3/ { raise(n * 0); }" 2>&1 >/dev/null | sed -n 's/^dtrace: pid [0-9]* //p')
same 'raise(0) sends no signal' 'exited with status 5' "$said"
same 'raise() without -w is an error' 'dtrace: could not enable tracing: Destructive actions not allowed' \
	"$("$DTRACE" -qn 'BEGIN { raise(9); }' 2>&1)"

# A handler runs once for each raise().
cat >"$T/counts.c" <<'END'
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int n;

static void count(int sig)
{
	(void)sig;
	n++;
}

int main(void)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGRTMIN, count);
	for (int i = 0; i < 5; i++)
		syscall(SYS_getppid);
	sigprocmask(SIG_SETMASK, &none, NULL);
	return n;
}
END
cc -O1 -o "$T/counts" "$T/counts.c" || skip 'cannot compile'
said=$("$DTRACE" -w -c "$T/counts" -n "$AT/ { raise($(kill -l RTMIN)); }" 2>&1 >/dev/null | sed -n 's/^dtrace: pid [0-9]* //p')
same 'a handler runs once for each raise()' 'exited with status 5' "$said"

# The process stops; another process sees this and lets it continue.
got=$("$DTRACE" -qwc "$T/asks 9" -n "$AT && ++n == 4/ { stop(); system(\"sleep 0.1; sed -n 's/^State:.\\\\(.\\\\).*/\\\\1/p' /proc/%d/status; kill -CONT %d\", pid, pid); }
	END { printf(\"%d\", n); }" 2>&1)
same 'stop() stops the process, and SIGCONT lets it continue' 'T|9' "$(tr '\n' '|' <<<"$got" | sed 's/|*$//')"
finish
