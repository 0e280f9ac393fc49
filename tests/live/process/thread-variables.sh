# A self-> variable belongs to a thread and ends with the thread. Any probe can read it. dtrace
# keeps it in task storage (the kernel's memory for each thread), if the kernel allows.
. "$(dirname "$0")/../lib.bash"

# calls OPTIONS...: prints how often the code of a D program calls task_storage_get() and
# map_update_elem(), the kernel's helpers for variables
calls() {
	"$DTRACE" -S -e "$@" >"$T/code" 2>&1 || fail "$*: $(tail -n 3 "$T/code")"
	for f in task_storage_get map_update_elem; do
		echo "$f $(grep -c "call $f\$" "$T/code")"
	done | paste -sd ' '
}

# calls_are WANTED OPTIONS...: checks that calls prints WANTED
calls_are() {
	local got
	got=$(calls "${@:2}")
	[ "$got" = "$1" ] || fail "${*:2}: $got, not $1"
}

set='syscall::read:entry { self->since = timestamp; }'
hash='task_storage_get 0 map_update_elem 1'
# From Linux 6.4 on, task storage can be allocated in any context.
if since 6.4; then
	keeps=yes
	calls_are 'task_storage_get 1 map_update_elem 0' -n "$set"
	# The code of each probe has one lookup: the predicate, the printf() and the assignment of 0
	# share it.
	calls_are 'task_storage_get 2 map_update_elem 0' -n "$set" -n 'syscall::read:return /self->since/ {
		printf("%d", timestamp - self->since); self->since = 0; }'
	calls_are 'task_storage_get 1 map_update_elem 0' -n 'syscall::read:entry { self->a = 1; self->b = self->a; }'
else
	keeps=no
	calls_are "$hash" -n "$set"
fi
calls_are "$hash" -x nocast -n "$set"
# If one probe that uses the variable runs in a context without task storage, the variable is kept
# in a hash for all probes.
packets=cgroup_skb:::egress
"$DTRACE" -e -n $packets >/dev/null 2>&1 || packets=ip:::send # before Linux 6.4 or so
calls_are "$hash" -x maps=kernel -n "$set" -n "$packets /self->since/ { }"
calls_are "$hash" -x maps=kernel -n "$set" -n "$packets"' { printf("%s", stringof((char *)1)); } ERROR { trace(self->since); }'
# Strings and arrays are kept in hashes.
calls_are "$hash" -x maps=kernel -n 'syscall::read:entry { self->name = execname; }'
calls_are "$hash" -x maps=kernel -n 'syscall::read:entry { self->at[arg0] = 1; }'

# A later process with the same pid starts with empty variables.
cat >"$T/again.py" <<'EOF'
import ctypes, os, struct
libc = ctypes.CDLL(None)

def child(number, pid):
    """Makes a child, which calls getpriority(0, number). The child's ID is pid, or any if pid is 0."""
    ids = ctypes.c_int(pid)
    args = ctypes.create_string_buffer(struct.pack("<11Q", 0, 0, 0, 0, 17, 0, 0, 0,
                                                   ctypes.addressof(ids) if pid else 0, 1 if pid else 0, 0))
    made = libc.syscall(435, args, 88)
    if made == 0:
        libc.syscall(140, 0, number)
        os._exit(0)
    if made > 0:
        os.waitpid(made, 0)
    return made

first = child(7777777, 0)
while child(8888888, first) < 0: # another process has that pid
    first = child(7777777, 0)
EOF
"$DTRACE" -qn 'syscall::getpriority:entry /arg1 == 7777777/ { self->x = 1; self->s = "set"; self->a[1] = 1; }
	syscall::getpriority:return /self->x/ { self->seen++; @n["set"] = count(); }
	syscall::getpriority:entry /arg1 == 8888888/ { printf("%d %d %d %d\n", self->x, self->seen, self->s == "set", self->a[1]); }' \
	-c "python3 $T/again.py" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
grep -qx '0 0 0 0' "$T/got" || fail "what a process finds of another's with its number: $(cat "$T/got")"

cat >"$T/send.py" <<'EOF'
import socket
s, to = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for i in range(2))
to.bind(("127.0.0.1", 9))
for n in range(1, 5):
    s.sendto(bytes(n), ("127.0.0.1", 9))
EOF
# The variable is set at the start of a system call. It is read where packets leave, and at the end of
# the call.
"$DTRACE" -qn 'syscall::sendto:entry /pid == $target/ { self->len = arg2; }
	'$packets' /self->len/ { @["egress"] = sum(self->len); }
	syscall::sendto:return /self->len/ { @["return"] = sum(self->len); self->len = 0; }
	syscall::sendto:return /pid == $target && self->len/ { @["left"] = sum(1); }' \
	-c "python3 $T/send.py" >"$T/got" 2>"$T/err" || fail "status $?: $(cat "$T/err")"
[ "$(tr -s ' \n' ' ' <"$T/got")" = ' egress 10 return 10 ' ] || fail "a variable of two kinds of programs: $(cat "$T/got" "$T/err")"

# Each thread has its own variables, and so has the idle thread of each CPU.
"$DTRACE" -qn 'profile-997 { self->n++; } profile-997 /pid == 0/ { @most = max(self->n); @all = count(); }
	tick-100ms /n++ == 5/ { exit(0); } END { printa("%@d ", @most); printa("%@d\n", @all); }' >"$T/got" 2>"$T/err" ||
	fail "status $?: $(cat "$T/err")"
awk 'NF == 2 && ($1 > $2 || $1 < 1) { exit 1 }' "$T/got" || fail "idle threads: $(cat "$T/got")"
finish
