# Probes are live when BEGIN's actions are carried out: BEGIN fires first, then probes are live at
# once, and then its records are handled. exit() in BEGIN still ends the run before anything fires.
. "$(dirname "$0")/../lib.bash"

cat >"$T/work" <<'END'
#!/bin/sh
exec true -marked
END
chmod +x "$T/work"
run() { # run ARGS...: sets status, got (stdout) and said (stderr)
	timeout 120 "$DTRACE" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
	got=$(tr -s '\n' ' ' <"$T/out" | sed 's/^ *//; s/ *$//; s/  */ /g')
	said=$(cat "$T/err")
}

run -wqn "BEGIN { system(\"$T/work\"); } syscall::execve:entry /copyinstr(arg0) == \"$T/work\"/ { @ = count(); }
	tick-10ms /n++ == 30/ { exit(0); } END { printa(\"%@d\", @); }"
same 'a command of BEGIN is traced' 1 "$got"

run -wqn "BEGIN { printf(\"one \"); system(\"echo two\"); printf(\"three \"); }
	syscall:::entry /!seen/ { seen = 1; printf(\"four \"); exit(0); } END { printf(\"five\"); }"
same 'the order of output' 'one two three four five' "$got"

run -wqn 'BEGIN { printf("one "); exit(3); } BEGIN { printf("two "); } END { printf("end"); }
	syscall:::entry,profile-997,tick-1ms { printf("fired "); }'
same 'exit() in BEGIN' 'one end 3' "$got $status"
run -qc 'echo target' -n 'BEGIN { exit(4); } proc:::exec-success { printf("fired "); } END { printf("end"); }'
same 'exit() in BEGIN with -c' 'end 4' "$got $status"

# The ERROR of BEGIN comes before what fires later; its own exit() ends the run too.
run -qn 'BEGIN { printf("lost "); trace(*(int *)8); } BEGIN { printf("two "); } ERROR { printf("error %d ", arg4); }
	syscall:::entry /!seen/ { seen = 1; printf("four "); exit(0); }'
same 'a fault in BEGIN' 'error 1 two four' "$got"
run -qn 'BEGIN { trace(*(int *)8); } ERROR { printf("error "); exit(5); } BEGIN { printf("two "); }
	syscall:::entry { printf("fired "); }'
same 'exit() in the ERROR of BEGIN' 'error 5' "$got $status"

run -qn 'BEGIN { self->id = speculation(); } BEGIN { speculate(self->id); printf("spec "); }
	BEGIN { commit(self->id); } BEGIN { printf("begin "); self->id = speculation(); }
	BEGIN { speculate(self->id); printf("lost "); } BEGIN { discard(self->id); }
	syscall:::entry /!seen/ { seen = 1; printf("fired"); exit(0); }'
same 'speculations of BEGIN' 'spec begin fired' "$got"

# The program of -c starts when probes are live, and after BEGIN.
run -wqc "$T/work" -n 'BEGIN { printf("begin "); system("echo command"); }
	proc:::exec-success /pid == $target/ { printf("exec "); } proc:::exit /pid == $target/ { printf("exit "); }'
same 'BEGIN with -c' 'begin command exec exit' "$got"

# Between exit() and END nothing fires, and nothing fires for the commands of END.
run -wqn "tick-1ms { exit(0); } END { system(\"$T/work; echo done\"); }
	syscall::execve:entry /copyinstr(arg0) == \"$T/work\"/ { printf(\"fired\"); }"
same 'a command of END' 'done' "$got"
finish
