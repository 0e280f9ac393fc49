# The syscall provider: every call counts once, under its own name, with its arguments and its
# error.
. "$(dirname "$0")/../lib.bash"
N=${CALLS:-100000}

helper syscalls
cat >"$T/all.d" <<'D'
syscall:::entry, syscall:::return /pid == $target/ { @all[probefunc, probename] = count(); calls[probefunc]++; }
syscall::read:entry /pid == $target && arg0 == 77/ { self->fd = arg0; @read[arg2, arg1 != 0] = count(); }
syscall::read:return /self->fd/ { @done[probefunc, probename, arg0, arg1, errno] = count(); self->fd = 0; }
syscall::close:return /pid == $target && (int)arg0 < 0/ { @error[probefunc, (int)arg0, (int)arg1, errno] = count(); }
syscall::*rit*:entry /pid == $target && arg0 == 78/ {
	this->name = strjoin(probefunc, "!");
	@glob[this->name, strlen(probefunc), probefunc == "write" ? "write" : "other", arg2] = count();
}
syscall::*rit*:entry /this->name != ""/ { @then[this->name, substr(probefunc, 1)] = count(); this->name = ""; }
syscall:::entry /pid == $target && probefunc == "lseek"/ { printf("%d %d %d %d %d %d\n", (int)arg0, arg1, arg2, arg3, arg4, arg5); }
syscall::getp*id:entry, syscall::lseek:entry /pid == $target/ {
	self->name = probefunc;
	printf("%s:%s:%s:%s %s\n", probeprov, probemod, probefunc, probename, self->name == probefunc ? "same" : "differs");
}
syscall::getp*id:return /pid == $target/ { trace(1 / (arg0 - arg1)); }
END {
	printf("%d %d\n", calls["getpgid"], calls["writev"]);
	printa("read %d %d %@d\n", @read);
	printa("done %s %s %d %d %d %@d\n", @done);
	printa("error %s %d %d %d %@d\n", @error);
	printa("glob %s %d %s %d %@d\n", @glob);
	printa("then %s %s %@d\n", @then);
	printa("all %s %s %@d\n", @all);
}
D
"$DTRACE" -qs "$T/all.d" -c "$T/syscalls $N" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
grep -v '^all\|^$' "$T/got" | sort >"$T/seen"
sort >"$T/want" <<WANT
syscall:vmlinux:getpgid:entry same
syscall:vmlinux:getpgid:entry same
syscall:vmlinux:getpgid:entry same
syscall:vmlinux:getppid:entry same
77 1 2 4 5 6
syscall:vmlinux:lseek:entry same
6 0
read 1 1 $N
done read return 1 1 0 $N
error close -1 -1 9 $((N / 10))
glob write! 5 write 5 $((N / 100))
then write! rite $((N / 100))
WANT
same_files 'each system call with its arguments and its error' "$T/want" "$T/seen"
for call in getpgid:3 getppid:1 lseek:1 write:$((N / 100)); do
	for name in entry return; do
		same "$call $name" "all ${call%:*} $name ${call#*:}" "$(grep "^all ${call%:*} $name " "$T/got")"
	done
done
same 'calls of 32-bit programs' 0 "$(grep -c '^all writev' "$T/got")"
same 'faults name their probe' '3 getpgid:return 1 getppid:return ' \
	"$(sed -n 's/.*syscall:vmlinux:\(get[a-z]*:return\)): divide-by-zero[^,]*\(, and \([0-9]*\) more\)*.*/\1 \3/p' "$T/err" |
		awk '{ n[$1] += 1 + $2 } END { for (p in n) printf "%s %s\n", n[p], p }' | sort -k2 | tr '\n' ' ')"

# Without -q, each line has the probe and the probe's own ID.
"$DTRACE" -n 'syscall::getp*id:entry /pid == $target/ { printf("%d", id - 1); }' -c "$T/syscalls 0" 2>/dev/null |
	awk '/getp/ { print ($2 - $4), $3 }' >"$T/lines"
printf '1 %s:entry\n' getpgid getpgid getpgid getppid >"$T/want"
same_files 'lines of a run without -q have the probe and its ID' "$T/want" "$T/lines"

# The listing, and IDs of probes.
listed=$("$DTRACE" -lP syscall | tee "$T/list" | tail -n +2 | wc -l)
[ "$listed" -gt 600 ] || fail "only $listed probes"
same '-l lists as many returns as entries' "$(grep -c ' entry$' "$T/list")" "$(grep -c ' return$' "$T/list")"
id=$(awk '$4 == "read" && $5 == "entry" { print $1 }' "$T/list")
same '-i lists a probe by its ID' "$(grep ' read entry$' "$T/list")" "$("$DTRACE" -li "$id" | tail -n 1)"
same 'a pattern lists the matching calls' "$(grep -c 'at  *entry$' "$T/list")" "$("$DTRACE" -ln 'syscall::*at:entry' | tail -n +2 | wc -l)"
same 'a call that does not exist is an error' 'dtrace: invalid probe specifier syscall::nosuchcall:entry: probe description syscall::nosuchcall:entry does not match any probes' \
	"$("$DTRACE" -n 'syscall::nosuchcall:entry' 2>&1 | head -n 1 | sed 's/^\(.*any probes\).*/\1/')"
finish
