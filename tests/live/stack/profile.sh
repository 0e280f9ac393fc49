# profile-N: arg0 is the address that the CPU executed in the kernel, and arg1 the address in a
# process; the other one is 0.
. "$(dirname "$0")/../lib.bash"

cat >"$T/busy.c" <<'C'
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) static void spin(void)
{
	for (volatile long i = 0; i < 1000000; i++)
		;
}
int main(void)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end; spin())
		;
	return sleep(5); /* the process still exists when dtrace looks up names */
}
C
cc -O1 -o "$T/busy" "$T/busy.c" || skip "cannot compile"
cat >"$T/p.d" <<'D'
profile-997 /pid == $target/ { @all[arg0 != 0, arg1 != 0] = count(); }
profile-997 /pid == $target && arg1/ { @user[ufunc(arg1)] = count(); @u[ustack(1)] = count(); }
profile-997 /pid == $target && arg0 && (arg0 >> 63) == 0/ { wrong++; }
END {
	trunc(@user, 1);
	printa("%d %d %@d\n", @all);
	printa("most in %A\n", @user);
	printf("wrong %d\n", wrong);
}
D
"$DTRACE" -qs "$T/p.d" -c "$T/busy" >"$T/out" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
grep -q 'most in .*spin' "$T/out" && echo 'ok: where the process was' || fail "where the process was: $(cat "$T/out")"
same 'each sample has one program counter, in arg0 or in arg1' 0 "$(awk 'NF == 3 && $1 == $2 { n += $3 } END { print n + 0 }' "$T/out")"
same 'arg0 is always an address of the kernel' 'wrong 0' "$(grep wrong "$T/out")"
n=$(awk '$1 == 0 && $2 == 1 { print $3 }' "$T/out")
[ "${n:-0}" -ge 250 ] && [ "$n" -le 600 ] && echo "ok: $n samples of half a second" || fail "$n samples of half a second at 997 Hz"

"$DTRACE" -qn 'profile-997 /arg0 && pid == $target/ { @[stack()] = count(); @n = count(); } END { printa("n %@d\n", @n); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=1M count=3000 status=none' >"$T/out" 2>"$T/err"
[ "$(sed -n 's/^n //p' "$T/out")" -ge 20 ] && grep -q 'vmlinux`[a-z_]*read' "$T/out" && echo 'ok: where the kernel was' ||
	fail "where the kernel was: $(tail -n 5 "$T/out")"
finish
