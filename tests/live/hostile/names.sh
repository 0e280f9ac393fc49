# A process with line breaks and escape sequences in its name, its library and its functions cannot
# forge a line, a frame or a cell.
. "$(dirname "$0")/../lib.bash"
need cc perl

# Hostile names of the same length later replace two function names in the file, because an
# assembler does not accept hostile names.
cat >"$T/evil.c" <<'C'
#include <unistd.h>

__attribute__((noinline)) static long inner_function_is_here(void)
{
	return getppid() + 1;
}
__attribute__((noinline)) static long outer_function_is_it(void)
{
	return inner_function_is_here() + 1;
}
long start(void)
{
	return outer_function_is_it() + 1;
}
C
cat >"$T/main.c" <<'C'
#include <dlfcn.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	void *lib = argc < 2 ? NULL : dlopen(argv[1], RTLD_NOW);
	long (*fn)(void) = lib ? (long (*)(void))dlsym(lib, "start") : NULL;

	prctl(PR_SET_NAME, "ev\033[2Jil\nroot");
	for (int i = 0; fn && i < 30000; i++) {
		fn();
		usleep(20000);
	}
}
C
lib=$T/$'lib\033[31mbad.so' # in a path, the kernel writes a line break as \012
cc -O1 -g0 -shared -fPIC -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline -o "$T/lib.so" "$T/evil.c" &&
	cc -O1 -o "$T/main" "$T/main.c" -ldl || { fail "no test program"; exit 1; }
perl -0pe 's/inner_function_is_here/in\x1b[31mer\nforged`x+0x1/; s/outer_function_is_it/out;er\nvm`root\x9b12345/' \
	"$T/lib.so" >"$lib"
"$T/main" "$lib" &
pid=$!
trap 'kill $pid; live_end' EXIT
for _ in {1..100}; do
	tr '\n' '?' <"/proc/$pid/comm" | grep -q root && break
	sleep 0.1
done

# Checks that FILE has only bytes that are safe on a terminal, and no line made up by the process.
harmless() { # harmless WHAT FILE
	if LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f-\x9f]' "$2" >"$T/raw"; then
		cat -v "$T/raw" | head -n 3
		fail "$1: controls"
	fi
	if grep -aE '^ *(forged|root|vm`root)' "$2"; then
		fail "$1: a forged line"
	fi
}
object='lib\x1b[31mbad.so'
inner='in\x1b[31mer\nforged`x+0x1'
outer='out;er\nvm`root\x9b12345'

program='syscall::getppid:entry
/pid == $1/ {
	trace(execname); printf("<%s>", execname); ustack(3); usym(ucaller); umod(ucaller); uaddr(ucaller); ufunc(ucaller);
	printf("%A %k", usym(ucaller), ustack(2)); @[execname, ustack(3), usym(ucaller)] = count();
	@text[execname] = count(); } syscall::getppid:entry
/pid == $1 && n++ == 3/ { exit(0); }'
for form in text csv json xml prometheus folded; do
	timeout 30 "$DTRACE" -x oformat=$form -n "$program" "$pid" >"$T/out" 2>"$T/err" || fail "$form: $(cat "$T/err")"
	[ -s "$T/out" ] || fail "$form: nothing"
	[ $form = xml ] || harmless "$form" "$T/out" # XML ignores line breaks
	harmless "$form: stderr" "$T/err"
done
timeout 30 "$DTRACE" -qn "$program" "$pid" >"$T/out" 2>&1
grep -qF '<ev\x1b[2Jil\nroot>' "$T/out" || fail "execname"
grep -qF "$object\`$outer+0x" "$T/out" || fail "a frame of its own: $(head -n 20 "$T/out")"
timeout 30 "$DTRACE" -x oformat=csv -n "$program" "$pid" >"$T/out" 2>&1
grep -qF 'out\x3ber\nvm' "$T/out" || fail "csv: the separator of frames in a name"

# The name in messages about actions that fail.
for action in 'setopt(execname)' 'setopt("aggsortkey", execname)' 'freopen("/nosuch/%s", execname)'; do
	timeout 30 "$DTRACE" -wqn "syscall::getppid:entry /pid == \$1/ { $action; exit(0); }" "$pid" >"$T/out" 2>"$T/err"
	harmless "$action" "$T/err"
	grep -qF 'ev\x1b[2Jil\nroot' "$T/err" || fail "$action: $(cat "$T/err")"
done

# The process's functions as probes: the listing, event lines, faults, and names in programs.
timeout 30 "$DTRACE" -ln "pid$pid:lib*bad.so::entry" >"$T/out" 2>"$T/err" || fail "-l: $(cat "$T/err")"
harmless "-l" "$T/out"
grep -qF "$inner" "$T/out" || fail "-l: no such function: $(cat "$T/out")"
for form in text json csv; do
	timeout 30 "$DTRACE" -x oformat=$form -n "pid$pid:lib*bad.so:in*:entry { printf(\"%s %s\", probemod, probefunc);
		@[probefunc] = count(); trace(*(int *)0); } tick-1s { exit(0); }" >"$T/out" 2>"$T/err"
	harmless "pid, $form" "$T/out"
	harmless "pid, $form: stderr" "$T/err"
	[ -s "$T/err" ] || fail "pid, $form: no fault"
done
timeout 30 "$DTRACE" -Fn "pid$pid:lib*bad.so::entry, pid$pid:lib*bad.so::return {} tick-1s { exit(0); }" >"$T/out" 2>&1
harmless "-F" "$T/out"
grep -qF -- '-> in\x1b' "$T/out" || fail "-F: $(cat "$T/out")"
finish
