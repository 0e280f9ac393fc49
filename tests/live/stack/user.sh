# Stacks and symbols of a process that has ended before they are printed: function names, and
# demangled C++ names.
. "$(dirname "$0")/../lib.bash"

cat >"$T/chain.c" <<'C'
#include <sys/syscall.h>
#include <unistd.h>

long direct(long n);
#ifdef __x86_64__
__asm__(".text\n.globl direct\n.type direct,@function\ndirect:\n\tmov %rdi, %rax\n\tsyscall\n\tret\n.size direct, .-direct\n");
#else
__asm__(".text\n.globl direct\n.type direct,%function\ndirect:\n\tmov x8, x0\n\tsvc #0\n\tret\n.size direct, .-direct\n");
#endif
__attribute__((noinline)) long named(void)
{
	return direct(SYS_getppid) + 1;
}
__attribute__((noinline)) long middle(void) __asm__("_ZN5outer6middleEv");
__attribute__((noinline)) long middle(void)
{
	return named() + 1;
}
int main(void)
{
	long n = 0;

	for (int i = 0; i < 3; i++)
		n += middle();
	sleep(5); /* waits until dtrace has seen the process */
	return n == 0;
}
C
cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline -o "$T/chain" "$T/chain.c" || fail "no test program"

cat >"$T/chain.d" <<'D'
BEGIN
{
	printf("ready\n");
}

rawtp:::sys_enter
/execname == "chain" && args[1] == $1/
{
	n++;
	printf("%s", n == 1 ? "stack:" : "again:");
	ustack(4);
	printf("%A", usym(ucaller));
	printf(" depth %d\n", ustackdepth > 3);
	usym(ucaller);
	umod(ucaller);
	ufunc(ucaller);
	printf("\n");
	printf("%d %A\n", seen++, uaddr(ucaller));
	@calls[ufunc(ucaller), umod(ucaller)] = count();
	@stacks[ustack(2)] = count();
	@deep[jstack(2)] = sum(2);
}

rawtp:::sched_process_exit
/execname == "chain"/
{
	exit(0);
}
D
case $(uname -m) in x86_64) getppid=110 ;; *) getppid=173 ;; esac
timeout 120 "$DTRACE" -q -s "$T/chain.d" $getppid >"$T/out" 2>"$T/err" &
tracer=$!
until [ -s "$T/out" ] || ! kill -0 $tracer 2>/dev/null; do
	sleep 0.1
done
"$T/chain"
wait $tracer
# direct() has no frame of its own, so its caller is missing: the innermost frame is direct itself.
awk '/^stack:/ { on = 1; next } on && /^ / { sub(/\+0x[0-9a-f]+/, "+"); print $1; next } on { exit }' "$T/out" >"$T/frames"
same "frames of ustack() have names" "chain\`direct+ chain\`outer::middle()+ chain\`main+" "$(head -n 3 "$T/frames" | tr '\n' ' ' | sed 's/ $//')"
same "name of a symbol, and depth of the stack" "chain\`outer::middle() depth 1" "$(sed -n '/depth/{p;q}' "$T/out")"
same "usym(), umod() and ufunc() of an address" "  $(printf '%-50s  %-50s  %-50s' 'chain`outer::middle()' chain 'chain`outer::middle()')" \
	"$(grep -m1 '^  chain`outer::middle() ' "$T/out")"
grep -qE '^0 chain`outer::middle\(\)\+0x[0-9a-f]+$' "$T/out" || fail "uaddr: $(grep '^0 ' "$T/out")"
grep -qE '^  chain`outer::middle\(\) +chain +3$' "$T/out" || fail "keys: $(tail -n 20 "$T/out")"
same "stacks as keys" "3 6" "$(awk '/^ +chain`outer::middle/ { want = 1; next } want && /^ +[0-9]+$/ { printf "%s%s", sep, $1; sep = " " } { want = 0 }' "$T/out")"

# The command of -c may have ended before dtrace reads the command's files. The command calls
# getppid(), which enters the kernel directly in every libc; read() of glibc 2.41 calls a function
# without a name.
cat >"$T/gone.c" <<'C'
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 50; i++)
		getppid();
	return 0;
}
C
cc -O1 -o "$T/gone" "$T/gone.c" || fail "no test program"
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); }' -c "$T/gone" >"$T/short" ||
	fail "gone is not traced"
same 'all frames of a short-lived command have names' 0 "$(grep -c '^ *0x' "$T/short")"
same 'the stack has the libc function getppid()' 'getppid 50' "$(sed -nE 's/^ +libc[^`]*`(__)?(getppid)\+.*/\2/p; s/^ +([0-9]+)$/\1/p' "$T/short" | xargs)"
finish
