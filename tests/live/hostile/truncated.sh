# dtrace maps a library to read its symbols. If the library's owner truncates the mapped file,
# reading it causes a SIGBUS. dtrace still names the functions of other files.
. "$(dirname "$0")/hostile.bash"

library lib.so
mapper lib.so
witness
run cut -n 'syscall::getppid:entry /pid == $1 || pid == $2/ { @[ustack(2)] = count(); @n = count(); }
	tick-200ms { printa(@); trunc(@); printf("round\n"); } END { printa(@); printa("all %@d\n", @n); }' \
	$user_pid $witness_pid
wait_for "$T/cut.out" 'lib\.so`victim\+0x'
truncate -s 0 "$U/lib.so"
wait_for "$T/cut.err" 'no function or probe names from .*/lib\.so: '
wait_for "$T/cut.out" 'lib\.so`0x'
sleep 0.5
from=$(grep -n 'lib\.so`0x' "$T/cut.out" | head -n 1 | cut -d: -f1)
kill -INT "${dt_pid[cut]}"
ended cut 0
same 'one message reports the truncated file' 1 "$(grep -c . "$T/cut.err")"
tail -n "+$from" "$T/cut.out" >"$T/later.out"
shown later 'witness`innocent\+0x'
shown later 'hostile-mapper`fake_call\+0x'
not_shown later 'lib\.so`victim'
same 'the table has the counts of all events' "$(sed -n 's/^all //p' "$T/cut.out")" "$(awk '/^ +[0-9]+$/ { n += $1 } END { print n }' "$T/cut.out")"
finish
