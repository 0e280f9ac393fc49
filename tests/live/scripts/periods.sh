# Scripts that print at intervals print as often as asked, and then end.
. "$(dirname "$0")/../lib.bash"
need python3
cd "$LIVE/../.." || exit 1
idle=

truncate -s 4M "$T/disk"
disk=$(losetup -f --show "$T/disk" 2>/dev/null) || disk=-
trap '[ "$disk" = - ] || losetup -d "$disk"; live_end' EXIT
# Each kind of activity goes on until the test ends.
cat >"$T/act.py" <<'END'
import mmap, os, socket, sys, time
block = mmap.mmap(-1, 4096)
disk = sys.argv[1] != "-" and os.open(sys.argv[1], os.O_WRONLY | os.O_DIRECT)
l = socket.create_server(("127.0.0.1", 0))
print("listening", os.getpid(), flush=True)
while True:
    c = socket.create_connection(l.getsockname())
    a = l.accept()[0]
    c.sendall(b"x")
    a.recv(1)
    if disk:
        os.write(disk, block)
        os.lseek(disk, 0, 0)
    time.sleep(0.01)
END
ns one
for n in 1 2; do background act$n one python3 "$T/act.py" "$disk" || finish; done
first=$(cat "$T/act1.srv") second=$(cat "$T/act2.srv")
names=
while read -r name args; do
	[[ "$name" != iotop || "$disk" != - ]] || continue
	names+=" $name"
	# shellcheck disable=SC2086
	timeout 300 "$DTRACE" -s $name $args >"$T/$name.out" 2>"$T/$name.err" &
	dt_pid[$name]=$!
done <<END
cpuwalk 1 2
pridist 1 2
runqlen 1 2
softirqs 1 2
offcpu 1 2 -p ${first#* }
procsystime 1 2 -p ${second#* }
tcpcong 1 2 -x netns=one
tcpsynbl 1 2 -x netns=one
iotop 3 1 2
bpftop 3 1 2
rwtop 3 1 2
END
for name in $names; do
	dt_wait "$name" 300 || fail "$name: status $?: $(cat "$T/$name.err")"
	same "$name: prints as often as asked" 2 "$(grep -cE '^[0-9]{4} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}$' "$T/$name.out")"
	same "$name: a heading from the start" 0 "$(head -n 1 "$T/$name.out" | grep -cE '^[0-9]{4} |^$')"
	same "$name: shows events" yes "$(awk '/^[0-9]+ [A-Z][a-z][a-z] / { n = 0; next } $NF ~ /^[0-9]+$/ || NF > 4 { n++ } END { print n ? "yes" : "no" }' "$T/$name.out")"
done
# An interval without events still counts: headings without lines, lines of zeros, and the end.
ns idle
while read -r want name args; do
	# shellcheck disable=SC2086
	timeout 300 "$DTRACE" -s $name $args -x netns=idle >"$T/idle.$name" 2>&1 &
	dt_pid[idle.$name]=$!
	idle+=" $want:$name"
done <<END
time tcptop 3 1 2
time iptop 3 1 2
time udptop 3 1 2
time tcpsubnet 3 1 2
zeros tcpstat 1 2
zeros ipstat 1 2
zeros udpstat 1 2
time tcprtt 1 2
time qdisclat 1 2
END
for one in $idle; do
	name=${one#*:}
	dt_wait "idle.$name" 300 || fail "$name: status $?: $(cat "$T/idle.$name")"
	case $one in
	time:*) shown='^[0-9]{4} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}$' ;;
	*) shown='^[0-9:]{8}( +0)+$' ;;
	esac
	same "$name: a heading from the start" 0 "$(head -n 1 "$T/idle.$name" | grep -cE '^[0-9]{4} |^$')"
	same "$name: prints as often as asked if nothing happens" 2 "$(grep -cE "$shown" "$T/idle.$name")"
done
# offcpu -p fails for a process under a debugger.
background debugger one python3 -c 'import ctypes, os, sys, time
if ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), None, None) == 0:
    print("listening", os.getpid(), flush=True)
    time.sleep(100)' "${first#* }" || finish
debugger=$(cat "$T/debugger.srv")
timeout 300 "$DTRACE" -s offcpu -p "${first#* }" >"$T/out" 2>"$T/err"
same 'a process under a debugger: status 1' 1 $?
same 'a process under a debugger: the message names the debugger' "dtrace: failed to grab pid ${first#* }: process ${debugger#* } already traces it; use the predicate /pid == ${first#* }/ instead of -p" "$(cat "$T/err")"
# A picture of two seconds; the script then ends.
timeout 300 "$DTRACE" -s cpuflame 2 >"$T/svg" || fail "cpuflame: status $?"
same 'cpuflame ends with a complete picture' 1 "$(grep -c '^</svg>' "$T/svg")"
finish
