# ustack() sees thousands of short-lived processes, and the memory of dtrace does not grow with
# their number.
. "$(dirname "$0")/hostile.bash"
MEMORY_KB=$((64 * 1024))
N=3000

cat >"$U/child.c" <<'C'
#include "hostile.h"
HOSTILE_CALL("asks")
int main(void) { hostile_call(); getppid(); return 0; }
C
cat >"$U/spawn.c" <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++) {
		pid_t pid = vfork();
		if (!pid) {
			execv(argv[2], argv + 2);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}
C
compile child
compile spawn
# The keys are stacks with frames of the program and of libc. Each process has keys of its own.
run many -c "$U/spawn $N $U/child" -n 'syscall::getppid:entry /execname == "child"/
	{ @[ustack(4)] = count(); @n = count(); } END { printa(@); printa("all %@d\n", @n); }'
ended many 0 120
same 'the stacks of every process are counted' "all $((2 * N))" "$(grep '^all' "$T/many.out")"
same 'dtrace prints no message' 0 "$(grep -c . "$T/many.err")"
# At least one frame has a name. dtrace names the frames of processes that still exist, or whose
# symbols it read as they ended.
named=$(grep -c '^ *child`asks+0x' "$T/many.out")
[ "$named" -ge 1 ] && echo "ok: $named are named" || fail "no frame has a name"
finish
