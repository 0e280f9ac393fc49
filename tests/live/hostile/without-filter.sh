# Without libseccomp, resolving names is an error; with -x confine=off, names are resolved.
. "$(dirname "$0")/hostile.bash"

found=$(ldconfig -p | sed -n 's/.*libseccomp\.so\.2 .*=> //p')
[ -n "$found" ] || skip 'no libseccomp here'
for file in $found; do
	mount --bind /dev/null "$file" || skip 'no library can be hidden here'
done
witness
names() {
	timeout 60 "$DTRACE" -q "$@" -n 'syscall::getppid:entry /pid == $1/ { ustack(2); exit(0); }' $witness_pid \
		>"$T/out" 2>"$T/err"
	echo $?
}
same 'without libseccomp, resolving names is an error' 1 "$(names)"
grep -q 'cannot confine the process that reads programs and libraries: .*(-x confine=off continues' "$T/err" &&
	echo 'ok: the error' || fail "the error: $(cat "$T/err")"
same 'with -x confine=off, the program runs' 0 "$(names -x confine=off)"
grep -q 'witness`innocent' "$T/out" && echo 'ok: names' || fail "no names: $(cat "$T/out" "$T/err")"
finish
