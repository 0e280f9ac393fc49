# dtrace names the stacks of processes that end before it can read their files: programs, and forked
# children.
. "$(dirname "$0")/../lib.bash"

cat >"$T/short.c" <<'C'
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

long direct(long n);
#ifdef __x86_64__
__asm__(".text\n.globl direct\n.type direct,@function\ndirect:\n\tmov %rdi, %rax\n\tsyscall\n\tret\n.size direct, .-direct\n");
#else
__asm__(".text\n.globl direct\n.type direct,%function\ndirect:\n\tmov x8, x0\n\tsvc #0\n\tret\n.size direct, .-direct\n");
#endif
static void in_child(void)
{
	direct(SYS_getppid);
	_exit(0);
}

/* short [CHILDREN] */
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < n; i++)
		if (!fork())
			in_child();
	while (n && wait(NULL) > 0)
		continue;
	if (!n)
		direct(SYS_getppid);
	_exit(0);
}
C
cc -O1 -fno-omit-frame-pointer -fno-inline -o "$T/short" "$T/short.c" || skip 'cannot compile'
case $(uname -m) in x86_64) getppid=110 ;; *) getppid=173 ;; esac
cat >"$T/runs.sh" <<END
sleep 0.3
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$T/short"; done
"$T/short" 12
END
# All processes end before dtrace reads keys: it reads keys once a second, and the run ends earlier
# with the command of -c.
timeout 300 "$DTRACE" -q -c "/bin/sh $T/runs.sh" -n 'rawtp:::sys_enter /execname == "short" && args[1] == $1/ { @[ustack(1)] = count(); }' \
	$getppid >"$T/out" 2>"$T/err"
same 'every process is named' 32 "$(grep -c '^ *short`direct+0x' "$T/out")"
same 'no address is without a name' 0 "$(grep -c '^ *0x' "$T/out")"
finish
