# Two processes do the same work, and scripts about processes, the scheduler and disks run with
# filters that select one of the two. The output has nothing about the other process.
. "$(dirname "$0")/../lib.bash"
need python3 losetup
cd "$LIVE/../.." || exit 1

cat >"$T/act.py" <<'END'
import mmap, os, signal, socket, sys, time
name, disk = sys.argv[1:3]
with open("/proc/self/comm", "w") as f:
    f.write(name)
os.write(1, b"listening\n")
os.read(os.open(os.environ["GO"], os.O_RDONLY), 1)
open("/etc/hostname").close()
null = os.open("/dev/null", os.O_WRONLY)
for i in range(100):
    os.write(null, b"x" * 1000)
child = os.fork()
if child == 0:
    os.execv(sys.argv[3], [sys.argv[3], "60"])
while os.readlink("/proc/%d/exe" % child) != os.path.realpath(sys.argv[3]):
    time.sleep(0.05)
time.sleep(0.3)
os.kill(child, signal.SIGTERM)
os.waitpid(child, 0)
socket.socket().bind(("127.0.0.1", 0))
if disk != "-":
    block = mmap.mmap(-1, 4096)
    d = os.open(disk, os.O_WRONLY | os.O_DIRECT)
    for i in range(10):
        os.write(d, block)
end = time.process_time() + 0.4
while time.process_time() < end:
    pass
os.write(1, b"done\n")
time.sleep(100)
END
truncate -s 4M "$T/disk"
disk=$(losetup -f --show "$T/disk" 2>/dev/null) || disk=-
trap '[ "$disk" = - ] || losetup -d "$disk"; live_end' EXIT
for name in v-actor v-other; do
	cp "$(command -v sleep)" "$T/$name"
	mkfifo "$T/$name.go"
	setpriv --pdeathsig KILL env GO="$T/$name.go" python3 "$T/act.py" $name "$disk" "$T/$name" >"$T/$name.said" &
	declare "${name#v-}=$!"
done
for name in v-actor v-other; do
	for ((i = 0; i < 200; i++)); do
		grep -q listening "$T/$name.said" && break
		sleep 0.05
	done
done

# Starts each script with filters that select v-actor, or, at offcpu, no process.
while read -r script args; do
	[[ "$script" != io* || "$disk" != - ]] || continue
	# shellcheck disable=SC2086
	dt_start "$script" -x footer $args -s "$script" || finish
done <<E
execsnoop -x execname=v-*,!v-other
opensnoop -x pid=$actor
killsnoop -x execname=v-actor
rwtop -x pid=$actor,1 1000
cpuwalk -x execname=v-actor
pridist -x pid=$actor
iosnoop -x execname=v-actor
iotop -x pid=$actor 1000 1000
bindsnoop -x execname=*-actor
procsystime -x execname=!v-other -p $actor
offcpu -x execname=v-other -p $actor
E
for name in v-actor v-other; do echo go >"$T/$name.go"; done
for name in v-actor v-other; do
	for ((i = 0; i < 2400; i++)); do
		grep -q done "$T/$name.said" && break
		sleep 0.05
	done
done
sleep 0.3
for name in "${!dt_pid[@]}"; do
	dt_stop "$name" || fail "$name ends with status $?"
	lossless "$name" >/dev/null
done

# shown SCRIPT PATTERN: fails unless the selected process is shown, and no other
shown() {
	[ -e "$T/$1.out" ] || return 0
	same "$1: the selected process is shown" yes "$(grep -qE "$2" "$T/$1.out" && echo yes)"
	same "$1: the other process is not shown" 0 "$(grep -cE 'v-other|sshd|bash' "$T/$1.out")"
}
shown execsnoop "^ +0 +[0-9]+ +$actor $T/v-actor 60\$"
shown opensnoop "^ +0 +$actor v-actor +[0-9]+ +0 /etc/hostname\$"
shown killsnoop "^ *$actor v-actor +15 +[0-9]+ v-actor\$"
shown rwtop "^ *$actor v-actor +W +[0-9]+\$"
shown cpuwalk '^ *v-actor$'
shown pridist '^ *v-actor$'
shown iosnoop "^ *$actor v-actor +W ${disk#/dev/} +[0-9]+ +4096 +[0-9]+ "
shown iotop "^ *$actor v-actor +W ${disk#/dev/} +40960\$"
shown bindsnoop "^ *$actor v-actor +TCP +127\.0\.0\.1 "
shown procsystime '^write +[0-9]+ '
same 'offcpu: processes that the filter excludes' 0 "$(grep -c 'vmlinux' "$T/offcpu.out")"
# Scripts that draw pictures, here with their output as lines. The processes alternate between
# computing and waiting.
mkfifo "$T/nothing"
mkdir "$T/busy"
actors=()
for name in v-actor v-other; do
	cp "$BASH" "$T/busy/$name"
	# shellcheck disable=SC2016
	setpriv --pdeathsig KILL "$T/busy/$name" -c 'exec 3<>"$0"; while :; do read -rt 0.01 -u 3; for i in {1..5000}; do :; done; done' "$T/nothing" &
	actors+=($!)
done
for script in cpuflame offcpuflame; do
	timeout 120 "$DTRACE" -e -s $script 2>"$T/why" || { echo "$script is not tried: $(cat "$T/why")"; continue; }
	timeout 300 "$DTRACE" -x execname=v-actor -x oformat=folded -s $script 1 >"$T/$script.out" 2>"$T/err" || fail "$script: $(cat "$T/err")"
	shown $script '^v-actor;'
done
kill "${actors[@]}"
# Scripts without processes have nothing to filter.
for script in runqlen softirqs; do
	timeout 120 "$DTRACE" -x pid=1 -s $script >"$T/out" 2>"$T/err"
	same "$script: status" 1 $?
	same "$script" 1 "$(grep -c 'no probe of the program is about packets, connections or processes: there is nothing to filter$' "$T/err")"
done
timeout 120 "$DTRACE" -x pid=1 -x port=80 -s opensnoop >"$T/out" 2>"$T/err"
same 'a filter by port is an error for a script about system calls' 1 $?
# Other process filters: user and network namespace.
count() {
	timeout 120 "$DTRACE" -q "$@" -n 'syscall::write:entry { @ = count(); } tick-3s { exit(0); } END { printa("%@d", @); }' 2>&1
}
(while :; do echo x; done >/dev/null) &
busy=$!
same '-x user=root selects a process of root' 1 "$(($(count -x user=root) > 0))"
same '-x user=54321 selects nothing' 0 "$(n=$(count -x user=54321); echo ${n:-0})"
same '-x netns= of the test'\''s own namespace selects the process' 1 "$(($(count -x netns=$$) > 0))"
same '-x netns= of another namespace selects nothing' 0 "$(ns quiet; n=$(count -x netns=quiet); echo ${n:-0})"
kill $busy
finish
