# execname, pid and other names of the current thread at a probe that has an owner in args[1]: one
# warning names the member that is meant. So do the suggestions for names of other tracers.
. tests/cli/lib.bash
export DTRACE_OPT_nohint=off

warns() { # warns NAME MEMBER PROGRAM: the warning is the only line, also with -q
	run -r $pcap -q -e -n "$3"
	status 0
	sed -i '/^dtrace: skipped: /d' "$err"
	err_has "^dtrace: warning: at [a-z]*:::[a-z-]*, $1 is unknown, because captures have no threads; the socket's owner is args\[1\]->$2 "
	one_line_of_stderr
}
quiet() { succeeds -r $pcap -e -n "$1"; }

# Every name, and every kind of place.
warns execname cs_execname 'udp:::send { @[execname] = count(); }'
warns pid cs_pid 'ip:::receive /pid == 5 - 6/ { }'
warns tid cs_pid 'tcp:::send { this->x = tid; }'
warns ppid cs_ppid 'tcp:::state-change { if (ppid) { trace(1); } }'
warns uid cs_uid 'dns:::response { x[uid] = 1; }'
warns gid cs_uid 'icmp:::send { trace(gid); }'
warns execargs cs_psargs 'udp:::receive { trace(execargs); }'
warns curthread cs_pid 'tcp:::receive { trace(curthread->comm); }'
warns curpsinfo cs_pid 'tcp:::receive { trace(curpsinfo->pr_pid); }'
warns curlwpsinfo cs_pid 'tcp:::receive { trace(curlwpsinfo->pr_lwpid); }'
warns progenyof cs_pid 'tcp:::receive /progenyof(1)/ { }'
warns execname cs_execname 'inline string me = execname; udp:::send { trace(me); }'
warns pid cs_pid 'tcp::: { @[pid] = count(); }'
warns execname cs_execname 'BEGIN { trace(pid); } udp:::send { trace(execname); } ip:::send { trace(uid); }'

# No warning: the clause asks for the same of the owner; the probe has no owner; the text is quiet.
quiet 'udp:::send { @[execname, args[1]->cs_execname] = count(); }'
quiet 'udp:::send /args[1]->cs_pid > 0/ { trace(tid); }'
quiet 'BEGIN, tick-1s { trace(execname); trace(pid); }'
quiet '#pragma D option quiet
	udp:::send { trace(execname); }'
quiet 'udp:::send { trace(args[2]->ip_saddr); }'
succeeds -r $pcap -e -x nohint -n 'udp:::send { trace(execname); }'
warns pid cs_pid 'udp:::send { trace(pid); trace(args[1]->cs_execname); }'

# Another text may be quiet.
run -r $pcap -e -n '#pragma D option quiet
	BEGIN { exit(0); }' -n 'udp:::send { trace(uid); }'
err_has 'uid is unknown'

# Suggestions for names of other tracers, and for misspelled names.
hint() { fails "^    (did you mean|.*: did you mean) $2\?\$" -r $pcap -e -n "$1"; }
hint 'udp:::send { @[comm] = count(); }' 'args\[1\]->cs_execname'
hint 'udp:::send { trace(tgid); }' 'args\[1\]->cs_pid'
hint 'udp:::send { trace(thread); }' 'args\[1\]->cs_pid'
hint 'udp:::send { trace(username); }' 'args\[1\]->cs_uid'
hint 'udp:::send { trace(curtask); }' 'args\[1\]->cs_pid'
hint 'udp:::send { trace(curproc); }' 'args\[1\]->cs_pid'
hint 'udp:::send { trace(execnam); }' 'args\[1\]->cs_execname'
hint 'udp:::send { @x = comm; }' 'x = args\[1\]->cs_execname'
hint 'BEGIN { trace(comm); }' execname

# No script that dtrace installs causes the warning.
plain
for script in scripts/*.d; do
	run -r $pcap -e -x defaultargs -s "$script"
	grep -q '^dtrace: warning' "$err" && wrong "$(cat "$err")"
	checks=$((checks + 1))
done
finish
