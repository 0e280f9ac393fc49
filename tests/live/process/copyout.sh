# copyout() and copyoutstr() write to the current process, here dtrace: to the end of its arguments.
. "$(dirname "$0")/../lib.bash"

cat >"$T/copyout.d" <<'D'
char *p;
struct s { char c[4]; } v;
BEGIN
{
	this->end = curthread->mm->arg_end;
	p = alloca(8);
	p[0] = 'x';
	p[1] = 'y';
	copyout(p, this->end - 10, 2);
	n = 1;
	copyout(p + 1, this->end - 7, n);
	printf("%s\n", stringof(copyin(this->end - 10, 10)));
	v.c[0] = 'Q';
	copyout(&v.c[0], this->end - 10, n);
	printf("%s\n", stringof(copyin(this->end - 10, 10)));
	copyoutstr("abcdefgh", this->end - 10, 3);
	printf("%s\n", stringof(copyin(this->end - 10, 10)));
	copyoutstr("mn", this->end - 10, 8);
	printf("%s\n", stringof(copyin(this->end - 10, 10)));
	copyoutstr(strjoin("12", "345"), this->end - 10, n + 3);
	printf("%s\n", stringof(copyin(this->end - 10, 10)));
}
BEGIN { copyout(&v.c[0], 0, 4); printf("no\n"); }
BEGIN { copyoutstr("x", 0, 4); printf("no\n"); }
BEGIN { copyout(NULL, this->end, 4); printf("no\n"); }
BEGIN { copyout(&v.c[0], 0, 0); exit(0); }
D
"$DTRACE" -wqs "$T/copyout.d" >"$T/out" 2>"$T/err"
status=$?
if grep -q 'lets no program write to a process' "$T/err"; then
	echo "SKIP: $(cat "$T/err")"
	exit 77
fi
[ $status = 0 ] || { cat "$T/err"; exit 1; }
printf '%s\n' xypyout.d Qypyout.d abcyout.d mn 1234out.d '' >"$T/want"
diff "$T/want" "$T/out" || exit 1
[ "$(grep -c 'invalid address (0x0) in action #1 ' "$T/err")" = 3 ] || { cat "$T/err"; exit 1; }
"$DTRACE" -qn 'BEGIN { copyoutstr("x", 0, 4); exit(0); }' 2>&1 | grep -q 'Destructive actions not allowed'
