# args[] of system calls have the types of the calls; module names of other systems are accepted;
# errno is set after a return.
. "$(dirname "$0")/../lib.bash"

cat >"$T/run" <<'SH'
#!/bin/sh
cat /nosuchfile 2>/dev/null
cat /dev/null >"$1"
SH
chmod +x "$T/run"
cat >"$T/p.d" <<'D'
syscall:freebsd:openat:entry /progenyof($target) && copyinstr(args[1]) == "/nosuchfile"/ {
	printf("%s %d %d %d\n", probemod, sizeof(args[0]), args[0], sizeof(args[2]));
	self->open = 1;
}
syscall:vmlinux:openat:return /self->open/ {
	printf("%d %d %d %d %d\n", sizeof(args[0]), args[0], args[1], arg0, errno);
	self->open = 0;
}
syscall::read:entry /progenyof($target) && args[2] > 100000 && !seen++/ {
	printf("%d %d\n", sizeof(args[2]), args[1] == (void *)arg1);
}
D
"$DTRACE" -qs "$T/p.d" -c "$T/run $T/out" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
printf '%s\n' 'vmlinux 4 -100 4' '4 -1 -1 -1 2' '8 1' '' >"$T/want"
same_files 'typed arguments' "$T/want" "$T/got"

# A program must use copyin() to read user memory. To read it as kernel memory is a fault.
"$DTRACE" -qn 'syscall::newfstatat:entry, syscall::uname:entry /0/ { } syscall::uname:entry /pid == $target/ { this->at = args[0]; trace(args[0]->sysname[0]); }
	ERROR { trace(arg4 == DTRACEFLT_BADADDR); }' -c uname >"$T/got" 2>/dev/null
grep -q 1 "$T/got" || fail "reading a process's memory as the kernel's is no fault: $(cat "$T/got")"

# The listing shows the types of all calls that have types. Both arguments of a return probe have
# the type of the returned value.
"$DTRACE" -lvn syscall::read:entry | sed -n '/^\t\targs/p' >"$T/got"
printf '\t\targs[%d]: %s\n' 0 'unsigned int' 1 'void *' 2 size_t >"$T/want"
same_files 'read:entry' "$T/want" "$T/got"
"$DTRACE" -lvn syscall::read:return | sed -n '/^\t\targs/p' >"$T/got"
printf '\t\targs[%d]: %s\n' 0 ssize_t 1 ssize_t >"$T/want"
same_files 'read:return' "$T/want" "$T/got"
same 'getpid has no typed arguments' None "$("$DTRACE" -lvn syscall::getpid:entry | sed -n '/Argument Types/{n;s/\t//g;p;}')"
listed=$("$DTRACE" -lvn 'syscall:::entry' | grep -c '^		args\[.*: struct [a-z_0-9]* \*$')
[ "$listed" -gt 80 ] || fail "only $listed pointers to structs"

errors() { # errors PROGRAM WANT
	"$DTRACE" -en "$1" >/dev/null 2>"$T/err"
	same "$1" "$2" "$(sed 's/.*}: //;s/in action list: //' "$T/err")"
}
errors 'syscall::read:entry { trace(args[3]); }' 'index 3 is out of range for syscall::read:entry args[ ]'
errors 'syscall:::entry { trace(args[0]); }' \
	'args[ ] may not be referenced because probe description syscall:::entry matches an unstable set of probes'
errors 'syscall::read:entry { x = args[1]; x = args[0]; }' 'operands have incompatible types: "void *" = "unsigned int"'
"$DTRACE" -en 'syscall::preadv:entry, syscall::pwritev:entry { trace(args[4]); }' || fail 'calls whose arguments have the same types cannot share a clause'
finish
