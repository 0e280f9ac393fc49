# dtrace reads files in readers (processes of its own without privileges). If files of one user
# crash readers, files of other users are still read. Each reader has files of one owner only.
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
# named_again NAME: waits until the function of NAME.so is shown with its name once more. A reader
# has mapped NAME.so then.
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
	wait_for "$T/readers.err" "no function or probe names from .*/bad$i\.so: "
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
same 'the table has the counts of all events' "$(sed -n 's/^all //p' "$T/readers.out")" "$(awk '/^ +[0-9]+$/ { n += $1 } END { print n }' "$T/readers.out")"
kill $bad $user_pid

# readers PID: prints the readers of the dtrace PID, and the owners of the files that each has open.
readers() {
	local p
	for p in $(tree "$1"); do
		grep -qz '^--reader$' "/proc/$p/cmdline" || continue
		[ "$(cut -d ' ' -f 4 "/proc/$p/stat")" = "$1" ] && continue # this process forks the readers
		echo "$p" $(find -L "/proc/$p/fd" -type f -printf '%U\n' | sort -u)
	done
}

# Files of five users, two files of root's that others may write to, and root's own witness.
pids=
for i in 1 2 3 4 5; do
	library of$i.so
	chown $((1879048200 + i)) "$U/of$i.so"
	HOSTILE_UID=$((1879048200 + i)) mapper of$i.so
	pids+=" $user_pid"
done
library open.so
chown 0:0 "$U/open.so"
chmod 666 "$U/open.so"
mapper open.so
pids+=" $user_pid"
library acl.so
chown 0:0 "$U/acl.so"
python3 -c '
import os, struct, sys
text = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in (
    (1, 7, 2**32 - 1), (2, 7, 65534), (4, 5, 2**32 - 1), (0x10, 7, 2**32 - 1), (0x20, 5, 2**32 - 1)))
os.setxattr(sys.argv[1], "system.posix_acl_access", text)' "$U/acl.so"
mapper acl.so
pids+=" $user_pid"
run owners -n 'syscall::getppid:entry /pid == $1 || pid == $2 || pid == $3 || pid == $4 || pid == $5 || pid == $6 ||
	pid == $7 || pid == $8/ { @[ustack(2)] = count(); }
	tick-200ms { printa(@); trunc(@); }' $pids $witness_pid
most=0
for ((i = 0; i < 60; i++)); do
	readers "${dt_pid[owners]}" >"$T/readers"
	# If a reader has ended meanwhile, the list may also have the reader that took its place. A
	# zombie has no command line.
	while read -r p _; do grep -qsz '^--reader$' "/proc/$p/cmdline" || continue 2; done <"$T/readers"
	n=$(grep -c . "$T/readers")
	[ "$n" -le $most ] || most=$n
	same_owner=$(awk 'NF > 2' "$T/readers")
	[ -z "$same_owner" ] || fail "one reader has files of several owners: $same_owner"
	while read -r p _; do
		find "/proc/$p/fd" -lname '/*' -printf '%l\n' 2>"$T/gone" | grep -v '^/dev/' >"$T/files"
		grep -Eq "^$U/(open|acl)\.so" "$T/files" || continue
		! grep -v "^$U/" "$T/files" >"$T/others" || fail "a reader of files that others may write to has $(cat "$T/others")"
	done <"$T/readers"
	sleep 0.1
done
same 'at most four readers' 4 "$most"
for i in 1 2 3 4 5; do wait_for "$T/owners.out" "of$i\.so\`victim"; done
wait_for "$T/owners.out" 'open\.so`victim'
wait_for "$T/owners.out" 'acl\.so`victim'
wait_for "$T/owners.out" 'witness`innocent'
kill -INT "${dt_pid[owners]}"
ended owners 0
same 'dtrace prints no message' 0 "$(grep -c . "$T/owners.err")"
finish
