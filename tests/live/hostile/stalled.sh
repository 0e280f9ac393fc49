# A file system whose server does not answer (FUSE), and an overlay of it: dtrace blocks on neither,
# also if it looks for a library there that the process may load later. Nor does dtrace block on a
# process that keeps the lock of its list of mappings.
. "$(dirname "$0")/hostile.bash"
[ -c /dev/fuse ] || { echo "SKIP: no /dev/fuse here"; exit 77; }
unshare -Um true 2>/dev/null || { echo "SKIP: no user namespaces here"; exit 77; }

library lib.so
helper hostile-stall
mkdir "$U/fuse" "$U/overlay" "$U/empty"
# A second witness runs in another mount namespace. Its file is on a local disk, too.
witness
setpriv --pdeathsig KILL unshare -m "$T/witness" &
apart_pid=$!
for kind in fuse overlay; do
	setpriv --pdeathsig KILL "$T/hostile-stall" $kind "$U" "$U/lib.so" >"$T/$kind.said" &
	stall_pid=$!
	wait_for "$T/$kind.said" silent || finish
	run $kind -n 'syscall::getppid:entry /pid == $1/ { @[ustack(2)] = count(); n++; }
		syscall::getppid:entry /pid == $2/ { @[ustack(2)] = count(); m++; } tick-100ms /n > 20 && m > 20/ { exit(0); }' \
		$stall_pid $apart_pid
	ended $kind 0 10
	shown $kind 'lib\.so`0x'
	shown $kind 'hostile-stall`fake_call\+0x'
	shown $kind 'witness`innocent\+0x'
	run later-$kind -p $stall_pid -n 'pid$target:libother.so.1:f:entry { exit(0); }'
	ended later-$kind 1 10
	same "later-$kind: dtrace prints a message" 1 "$(grep -c 'does not match any probes' "$T/later-$kind.err")"
	kill -KILL $stall_pid
done
# FUSE in the mount namespace of dtrace, as fusermount(1) mounts it, with names that expire at once.
cat >"$T/inside" <<SH
#!/bin/sh
exec nsenter -m -t "\$(cat "$T/expired.pid")" "$DTRACE" "\$@"
SH
chmod +x "$T/inside"
setpriv --pdeathsig KILL unshare -m "$T/hostile-stall" expired "$U" "$U/lib.so" >"$T/expired.said" &
stall_pid=$!
echo $stall_pid >"$T/expired.pid"
wait_for "$T/expired.said" silent || finish
DTRACE=$T/inside run expired -n 'syscall::getppid:entry /pid == $1/ { @[ustack(2)] = count(); n++; }
	tick-100ms /n > 20/ { exit(0); }' $stall_pid
ended expired 0 10
shown expired 'lib\.so`0x'
kill -KILL $stall_pid
# dtrace starts first, because the process keeps the lock for 3 s only.
run lock -n 'BEGIN { printf("ready\n"); } syscall::getppid:entry /execname == "hostile-stall"/ { @[ustack(2)] = count(); n++; }
	syscall::getppid:entry /pid == $1/ { @[ustack(2)] = count(); m++; } tick-100ms /n > 5 && m > 5/ { exit(0); }' $witness_pid
wait_for "$T/lock.out" ready || finish
setpriv --pdeathsig KILL "$T/hostile-stall" lock "$U" "$U/lib.so" >"$T/lock.said" &
stall_pid=$!
wait_for "$T/lock.said" silent || finish
ended lock 0 10
shown lock 'witness`innocent\+0x'
same 'lock: a message names the process' 1 \
	"$(grep -c "no function or probe names from process $stall_pid: reading its mappings takes too long" "$T/lock.err")"
kill -KILL $stall_pid
wait_for "$T/overlay.err" "no function or probe names from .*/overlay/lib\.so: a user's process may serve this file system"
finish
