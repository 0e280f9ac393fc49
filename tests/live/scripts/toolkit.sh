# Questions that older tools answer: which processes ran, read, wrote, waited or ended, and how. The
# test answers each question with a D program.
. "$(dirname "$0")/../lib.bash"
need dd
helper threads
for name in dd cat sleep sh; do
	cp "$(command -v $name)" "$T/old$name"
done
cp "$T/threads" "$T/oldthreads"
cp "$T/olddd" "$T/olddisk"
disk=
if command -v losetup >/dev/null; then
	truncate -s 1M "$T/disk"
	disk=$(losetup -f --show "$T/disk" 2>/dev/null)
	trap '[ -z "$disk" ] || losetup -d "$disk"; live_end' EXIT
fi
cat >"$T/work" <<W
${disk:+"$T/olddisk" if=/dev/zero of=$disk bs=4096 count=20 oflag=direct status=none}
"$T/olddd" if=/dev/zero of=/dev/null bs=7 count=100 status=none
"$T/oldcat" "$T/never-there" 2>/dev/null
"$T/never-there" 2>/dev/null
"$T/oldsleep" 0.2
(exit 3)
"$T/oldsleep" 9 &
until read -r name </proc/\$!/comm && [ "\$name" = oldsleep ]; do :; done
kill -USR1 \$!
wait \$! 2>/dev/null
"$T/oldthreads" $(awk '/^Cpus_allowed_list/ { sub(/[-,].*/, "", $2); print $2 }' /proc/self/status) 50 2>/dev/null
:
W

# one NAME WANTED PROGRAM [OPTION...]: checks that a line of the program's output matches WANTED.
# Each run of blanks counts as one blank.
one() {
	local name=$1 want=$2 program=$3
	shift 3
	timeout 300 "$DTRACE" -q "$@" -n "$program" -c "$T/oldsh $T/work" >"$T/out" 2>"$T/err" || fail "$name: status $?: $(cat "$T/err")"
	sed 's/^ *//; s/  */ /g; s/ $//' "$T/out" >"$T/lines"
	grep -Eq -- "$want" "$T/lines" && echo "ok: $name" || fail "$name: no line like $want: $(head -n 25 "$T/lines"; cat "$T/err")"
}

one 'bytes read and written, side by side' '^olddd 700 700$' '
	syscall::read:entry { self->zero = fds[arg0].fi_pathname == "/dev/zero"; }
	syscall::read:return /arg0 > 0 && execname == "olddd" && self->zero/ { @r[execname] = sum(arg0); }
	syscall::write:return /arg0 > 0 && execname == "olddd"/ { @w[execname] = sum(arg0); }
	END { printa("%s %@d %@d\n", @r, @w); }'
one 'bytes by file' '^olddd /dev/null 700$' '
	syscall::write:entry { @[execname, fds[arg0].fi_pathname] = sum(arg2); }'
one 'time, calls and CPU time of each call' '^clock_nanosleep [1-9][0-9]* [0-9]{9,}$' '
	syscall:::entry /progenyof($target)/ { self->start = timestamp; }
	syscall:::return /self->start/ { @num[probefunc] = count(); @time[probefunc] = sum(timestamp - self->start); self->start = 0; }
	END { printa("%-16s %@6d %@12d\n", @num, @time); }'
one 'the commonest calls alone' '^getppid [0-9]+$' '
	syscall::getppid:entry, syscall::read:entry, syscall::write:entry /execname == "oldthreads"/ { @[probefunc] = count(); }
	END { trunc(@, 3); printa("%s %@d\n", @); }'
one 'new processes, with their arguments' "^[0-9]{4} .*oldsh $T/oldsleep 0.2\$" '
	proc:::exec { self->by = execname; }
	proc:::exec-success /self->by != ""/ { printf("%Y %d %s %s\n", walltimestamp, ppid, self->by, curpsinfo->pr_psargs); self->by = 0; }'
one 'how long processes live' '^(oldsleep )?(134217728|268435456|536870912|[1-9][0-9]{9}) \|@+ 1$' '
	proc:::start { self->born = timestamp; }
	proc:::exit /self->born && execname == "oldsleep"/ { @[execname] = quantize(timestamp - self->born); self->born = 0; }'
one 'how they end' '^oldsleep (killed|exited) 1$' '
	proc:::exit /execname == "oldsleep"/ { @[execname, arg0 == CLD_EXITED ? "exited" : arg0 == CLD_KILLED ? "killed" : "dumped"] = count(); }'
one 'what cannot be executed' '^oldsh 2 1$' '
	proc:::exec-failure /execname == "oldsh"/ { @[execname, arg0] = count(); }'
one 'threads that come and go' '^oldthreads [2-9] [2-9]$' '
	proc:::lwp-start /execname == "oldthreads"/ { @a[execname] = count(); }
	proc:::lwp-exit /execname == "oldthreads"/ { @b[execname] = count(); }
	END { printa("%s %@d %@d\n", @a, @b); }'
one 'who kills whom, by the call' '^oldsh 10 1$' '
	syscall::kill:entry { @[execname, arg1] = count(); }'
one 'opens that fail, with what led there' "^openat $T/never-there: 2\$" '
	syscall::openat:entry /execname == "oldcat"/ { self->spec = speculation(); speculate(self->spec); printf("%s %s", probefunc, copyinstr(arg1)); }
	syscall::openat:return /self->spec && errno/ { speculate(self->spec); printf(": %d\n", errno); }
	syscall::openat:return /self->spec && errno/ { commit(self->spec); self->spec = 0; }
	syscall::openat:return /self->spec/ { discard(self->spec); self->spec = 0; }'
one 'each call with its arguments and result' "^openat\\(.*never-there\\) = -?[0-9]+ errno 2\$" '
	syscall::openat:entry /execname == "oldcat"/ { self->path = arg1; }
	syscall::openat:return /self->path/ { printf("%s(%s) = %d errno %d\n", probefunc, copyinstr(self->path), (int)arg1, errno); self->path = 0; }'
one 'waits, by who waited and for how long' '^oldsleep (13[0-9]|[2-9][0-9]{2})[0-9]{6}$|^oldsleep [1-9][0-9]{9}$' '
	sched:::off-cpu /execname == "oldsleep"/ { self->off = timestamp; }
	sched:::on-cpu /self->off/ { @[execname] = max(timestamp - self->off); self->off = 0; }'
one 'who wakes whom' '^oldthreads oldthreads [0-9]{2,}$' '
	sched:::wakeup { @[execname, args[1]->pr_fname] = count(); }'
one 'CPUs that a program ran on' '^oldthreads [0-9]+ [0-9]+$' '
	sched:::on-cpu { @[execname, cpu] = count(); }'
one 'priorities on CPUs' '^oldthreads$' '
	profile-499 { @[execname] = lquantize(curlwpsinfo->pr_pri, 0, 140, 10); }'
one 'programs on CPUs, by samples' '^oldthreads (user|kernel) [1-9][0-9]*$' '
	profile-997 { @[execname, arg0 ? "kernel" : "user"] = count(); }'
one 'user stacks of samples' '^(oldthreads|libc\.so\.6)`[a-z_]+' '
	profile-997 /arg1 && execname == "oldthreads"/ { @[ustack(2)] = count(); }'
one 'memory faults by process' '^olddd [1-9][0-9]*$' '
	vminfo:::as_fault { @[execname] = sum(arg0); }'
one 'bytes and calls that the system counts' '^olddd 1[0-9]{2} ([7-9]|[1-9][0-9])[0-9]{2}$' '
	sysinfo:::sysread /execname == "olddd"/ { @n[execname] = sum(arg0); }
	sysinfo:::readch /execname == "olddd"/ { @b[execname] = sum(arg0); }
	END { printa("%s %@d %@d\n", @n, @b); }'
one 'a table every interval, cleared' '^t [1-9][0-9]*$' '
	syscall:::entry { @ = count(); } tick-100ms { printa("t %@d\n", @); clear(@); }'
one 'numbers of a ratio' '^100% of [0-9]+$' '
	syscall::write:entry /execname == "olddd"/ { all++; } syscall::write:return /execname == "olddd" && arg0 == 7/ { good++; }
	END { printf("%d%% of %d\n", all ? good * 100 / all : 0, all); }'
# If the kernel traces nothing in init (shields_init), up to five requests may be missing.
if [ -n "$disk" ]; then
	mine="args[1]->dev_statname == \"${disk#/dev/}\""
	one 'sizes of requests' '^4096 \|@+ (1[5-9]|20)$' "
		io:::start /$mine/ { @[args[1]->dev_statname] = quantize(args[0]->b_bcount); }"
	one 'bytes by device and direction' "^${disk#/dev/} W (6[1-9]|7[0-9]|8[01])[0-9]{3}\$" "
		io:::start /$mine/ { @[args[1]->dev_statname, args[0]->b_flags & B_READ ? \"R\" : \"W\"] = sum(args[0]->b_bcount); }"
	one 'time of each request' '^(1[5-9]|20) took time$' "
		io:::start /$mine/ { since[args[0]->b_edev, args[0]->b_blkno] = timestamp; }
		io:::done /since[args[0]->b_edev, args[0]->b_blkno]/ { n += timestamp > since[args[0]->b_edev, args[0]->b_blkno];
			since[args[0]->b_edev, args[0]->b_blkno] = 0; }
		END { printf(\"%d took time\n\", n); }"
	one 'how far apart requests lie' '^0 \|@+ 1[5-9]$' "
		int64_t last;
		io:::start /$mine && last/ { @ = quantize(args[0]->b_blkno - last); }
		io:::start /$mine/ { last = args[0]->b_blkno + args[0]->b_bcount / 512; }"
	one 'who asks the disk, from where' '^vmlinux.*(submit_bio|blk_mq|blkdev).*$' "
		io:::start /$mine/ { @[execname, stack(8)] = count(); }"
fi
finish
