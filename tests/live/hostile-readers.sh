# Files of one user that end each reader: those of others are read all the same.
. "$(dirname "$0")/hostile.bash"

for i in 1 2 3 4 5; do library bad$i.so; done
library good.so
chown 1879048200 "$U/good.so"
mapper bad{1,2,3,4,5}.so
bad=$user_pid
HOSTILE_UID=1879048200 mapper good.so
witness
run readers -n 'syscall::getppid:entry /pid == $1 || pid == $2 || pid == $3/ { @[ustack(2)] = count(); @n = count(); }
	tick-200ms { printa(@); trunc(@); printf("round\n"); } END { printa(@); printa("all %@d\n", @n); }' \
	$bad $user_pid $witness_pid
for f in bad{1,2,3,4,5} good; do wait_for "$T/readers.out" "$f\.so\`victim"; done
# Each reader has the file mapped when it is cut.
named_again() {
	local n i
	n=$(grep -c "$1\.so\`victim" "$T/readers.out")
	for ((i = 0; i < 300; i++)); do
		[ "$(grep -c "$1\.so\`victim" "$T/readers.out")" -le "$n" ] || return 0
		sleep 0.05
	done
	fail "$1.so is not named"
}
for i in 1 2 3; do
	named_again bad$i
	truncate -s 0 "$U/bad$i.so"
	wait_for "$T/readers.err" "no names from .*/bad$i\.so: "
done
from=$(wc -l <"$T/readers.out")
sleep 1
kill -INT "${dt_pid[readers]}"
ended readers 0
same 'a line for each file that ended a reader' 3 "$(grep -c . "$T/readers.err")"
tail -n "+$((from + 1))" "$T/readers.out" | awk '/^round/ { seen++ } seen > 1' >"$T/later.out"
not_shown readers 'good\.so`0x'
shown later 'good\.so`victim\+0x'
shown later 'witness`innocent\+0x'
shown later 'bad5\.so`0x'
not_shown later 'bad[1-5]\.so`victim'
same 'all counts' "$(sed -n 's/^all //p' "$T/readers.out")" "$(awk '/^ +[0-9]+$/ { n += $1 } END { print n }' "$T/readers.out")"
finish
