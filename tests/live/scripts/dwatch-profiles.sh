# Profiles of dwatch for processes: the lines of each profile about a process that repeats the same
# actions.
. "$(dirname "$0")/../lib.bash"
need python3
mkdir "$T/tmp"
export TMPDIR=$T/tmp
cat >"$T/act.py" <<'END'
import os, signal, sys, time
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
os.chdir(sys.argv[1])
r, w = os.pipe()
while True:
    os.close(os.open('a\nfile', os.O_CREAT | os.O_RDWR))
    os.chmod('a\nfile', 0o640)
    try:
        os.open('none', os.O_RDONLY)
    except OSError:
        pass
    os.write(w, b'x' * 7)
    os.read(r, 7)
    os.kill(os.getpid(), signal.SIGUSR1)
    for program in '/bin/true', '/no/such':
        if os.fork() == 0:
            try:
                os.execv(program, [program, 'one', 'two'])
            finally:
                os._exit(1)
        os.wait()
    os.spawnlp(os.P_WAIT, 'sleep', 'sleep', '0.25')
END
python3 "$T/act.py" "$T" &
pid=$!
trap 'kill $pid 2>/dev/null; live_end' EXIT

# says PROFILE TEST LINE: with the D test, the profile prints such a line
says() {
	timeout 300 sh scripts/dwatch/dwatch -q -X "$1" -t "$2" -r "^$3\$" -N 1 >"$T/out" 2>"$T/err"
	same "$1: status and lines" '0 1' "$? $(wc -l <"$T/out")"
}
says open "pid == $pid" 'a\\nfile fd [0-9]+'
says open "pid == $pid" 'none error 2'
says chmod "pid == $pid" '0640 a\\nfile'
says errno "pid == $pid" 'open(at)? error 2'
says write "pid == $pid" 'write 7 bytes'
says read "pid == $pid" 'read 7 bytes'
says rw "pid == $pid" '(read|write) 7 bytes'
says kill "pid == $pid" "signal 10 to pid $pid"
says proc-signal-send "pid == $pid" "signal 10 to pid $pid python3"
says proc-create "pid == $pid" 'pid [0-9]+'
says proc-exec "ppid == $pid" '/bin/true'
says proc-exec-success "ppid == $pid" '/bin/true one two'
says proc-exec-failure "ppid == $pid" 'error 2'
says proc-exit "ppid == $pid" exited
says proc "ppid == $pid" 'exit /bin/true one two'
says sched-off-cpu "pid == $pid" 'off-cpu CPU [0-9]+'
says sched-on-cpu "pid == $pid" 'on-cpu CPU [0-9]+'
# sleep(1) of Debian 13 asks for a nanosecond more.
says nanosleep "ppid == $pid" '0\.25000000[01] s'
finish
