# After execve(2), after another library was mapped at an address, and after a PID was used again,
# functions have the names of the program and library at the time. If dtrace cannot know the time,
# they are numbers.
. "$(dirname "$0")/../lib.bash"

case $(uname -m) in x86_64) getppid=110 ;; *) getppid=173 ;; esac
cat >"$T/program.c" <<'C'
#include "hostile.h"
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
HOSTILE_CALL(NAME)
/* program [NEXT]: then executes NEXT. program PID NEXT: executes NEXT as process PID. */
int main(int argc, char **argv)
{
	pid_t pid = argc > 2 ? atoi(argv[1]) : 0;
	struct clone_args args = {.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&pid, .set_tid_size = 1};

	if (pid && syscall(SYS_clone3, &args, sizeof(args)))
		return wait(NULL) == pid ? 0 : 77;
	for (int i = 0; i < 20 && !pid; i++) {
		hostile_call();
		usleep(100000);
	}
	if (argc > 1)
		execv(argv[argc - 1], (char *[]){argv[argc - 1], NULL});
	return 0;
}
C
cat >"$T/remap.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
/* remap FILE OFFSET...: calls the code at OFFSET of each FILE, all at the same address */
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		char *at = mmap((void *)0x700000000000, 0x1000, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
				open(argv[i], O_RDONLY), 0);
		for (int n = 0; n < 20; n++) {
			((void (*)(void))(at + strtol(argv[i + 1], NULL, 16)))();
			usleep(100000);
		}
	}
	return 0;
}
C
for name in first other; do
	cc -O1 -no-pie -I"$LIVE/helpers" -DNAME="\"$name\"" -o "$T/$name" "$T/program.c" || skip 'cannot compile'
	printf '#include "hostile.h"\nHOSTILE_CALL("of_%s")\n' $name >"$T/lib.c"
	cc -shared -nostdlib -Wl,-z,noseparate-code -I"$LIVE/helpers" -o "$T/lib$name.so" "$T/lib.c" || skip 'no library'
done
cc -O1 -o "$T/remap" "$T/remap.c" || skip 'cannot compile'
at() { nm "$T/lib$1.so" | awk -v name="of_$1" '$3 == name { print $1 }'; }
same 'both libraries have their function at the same offset' "$(at first)" "$(at other)"

# Starts a run that counts functions by aggregation and prints them as records.
begin() {
	dt_start $1 -x ustackframes=1 -n "rawtp:::sys_enter /(execname == \"first\" || execname == \"other\" || execname == \"remap\") &&
		args[1] == $getppid/ { @[execname, ufunc(uregs[R_PC])] = count(); printf(\"record %s\", execname); ufunc(uregs[R_PC]); printf(\"\n\"); }
		END { printa(\"key %s %A %@d\n\", @); }"
}
# counts NAME PREFIX: prints how often each function was seen, without blanks
counts() { sed -n "s/^$2 //p" "$T/$1.out" | tr -s ' ' | sed 's/ $//'; }
records() { counts $1 record | sort | uniq -c | awk '{ print $2, $3, $1 }' | paste -sd ' '; }

begin exec
"$T/first" "$T/other"
dt_stop exec
names='first first`first 20 other other`other 20'
same 'exec: records' "$names" "$(records exec)"
same 'exec: keys' "$names" "$(counts exec key | sort | paste -sd ' ')"

begin remap
"$T/remap" "$T/libfirst.so" "$(at first)" "$T/libother.so" "$(at other)"
dt_stop remap
case $(records remap) in
*'libfirst.so`of_other'* | *'libother.so`of_first'*) fail "remap: $(records remap)" ;;
'remap libfirst.so`of_first '*' remap libother.so`of_other '*) echo "ok: remap: $(records remap)" ;;
'remap 0x'*' remap libfirst.so`of_first '*' remap libother.so`of_other '*) echo "ok: remap: $(records remap)" ;;
*) fail "remap: $(records remap)" ;;
esac
same 'remap: a key may be of either library' 1 "$(counts remap key | grep -c '^remap 0x[0-9a-f]* 40$')"

begin reuse
"$T/first" &
pid=$!
wait $pid
"$T/first" $pid "$T/other"
status=$?
dt_stop reuse
[ $status != 0 ] || {
	same 'PID reuse: records' "$names" "$(records reuse)"
	same 'PID reuse: keys' "$names" "$(counts reuse key | sort | paste -sd ' ')"
}
finish
