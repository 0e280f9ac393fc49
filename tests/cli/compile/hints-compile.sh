# A suggested text compiles in place of the text that was typed: words of bpftrace, types and names
# of other systems.
. tests/cli/lib.bash
export DTRACE_OPT_nohint=off
[ "$(id -u)" = 0 ] && [ -r /sys/kernel/btf/vmlinux ] || skip 'live programs are compiled by root, on a kernel with BTF'
opts=()

# suggests PROGRAM SUGGESTION [CORRECTED]: the hint has SUGGESTION after "did you mean". The
# corrected program compiles; without CORRECTED it is the suggestion itself.
suggests() {
	run "${opts[@]}" -e -n "$1"
	status 1
	checks=$((checks + 1))
	grep -qF -e "did you mean $2?" -e "did you mean $2 with -p PID or -c COMMAND?" "$err" || wrong "not suggested: $2: $(tail -n 1 "$err")"
	succeeds "${opts[@]}" -e -n "${3:-$2}"
}

# Suggestions for system calls and tracepoints.
suggests tracepoint:syscalls:sys_enter_openat syscall::openat:entry
suggests 'tracepoint:syscalls:sys_exit_read { @ = count(); }' syscall::read:return
suggests t:syscalls:sys_enter_opnat syscall::openat:entry
suggests tracepoint:raw_syscalls:sys_enter syscall:::entry
suggests 'tracepoint:syscalls:sys_enter_open*' 'syscall::open*:entry'
suggests tracepoint:sched:sched_switch rawtp:::sched_switch
suggests tracepoint:net:net_dev_xmitt rawtp:::net_dev_xmit
suggests rawtracepoint:sched_switch rawtp:::sched_switch
suggests 'tracepoint:tcp:*' 'rawtp:::tcp_*'
run -e -n tracepoint:net:zzzqqqvvvv
err_has "^    there is no tracepoint zzzqqqvvvv; 'dtrace -l -P rawtp' lists the tracepoints$"
run -e -n tracepoint:syscalls:sys_enter_zzzqqqvvvv
err_has "^    there is no system call zzzqqqvvvv; 'dtrace -l -P syscall' lists the system calls$"

# A function is suggested only if this kernel can trace the function.
for pair in kprobe:entry kretprobe:return kfunc:entry kretfunc:return fentry:entry fexit:return k:entry kr:return; do
	if timeout 300 "$DTRACE" -e -n "fbt::tcp_connect:${pair#*:}" 2>/dev/null; then
		suggests "${pair%:*}:tcp_connect" "fbt::tcp_connect:${pair#*:}"
	else
		run -e -n "${pair%:*}:tcp_connect"
		err_has "^    in D this would be fbt::tcp_connect:${pair#*:}, but this kernel lacks "
	fi
done
run -e -n kprobe:zzzqqqvvvv
err_has '^    in D this would be fbt::zzzqqqvvvv:entry, but '

# Suggestions for clocks.
suggests 'interval:s:1 { }' tick-1s
suggests interval:1s tick-1s
suggests interval:ms:100 tick-100ms
suggests interval:hz:5 tick-5hz
suggests interval:us:1 tick-1s
suggests interval:s:0 tick-1s
suggests 'profile:hz:99 { }' profile-99hz
suggests p:hz:99 profile-99hz
suggests software:page-faults:1 vminfo:::as_fault
suggests software:cs:1 sched:::off-cpu
suggests software:cpu-clock:1 profile-997
suggests iter:task iter:::task
suggests begin dtrace:::BEGIN

# Suggestions for functions of processes. The program that the test compiles contains readline().
cat >"$tmp/has.c" <<'END'
int readline(void) { return 1; }
int main(void) { return !readline(); }
END
if cc -o "$tmp/has" "$tmp/has.c" 2>/dev/null; then
	opts=(-c "$tmp/has")
	suggests "uprobe:$tmp/has:readline { }" 'pid$target:has:readline:entry'
	suggests "uretprobe:$tmp/has:readline" 'pid$target:has:readline:return'
	suggests "u:$tmp/has:readline" 'pid$target:has:readline:entry'
	suggests uprobe:libc:malloc 'pid$target:libc:malloc:entry'
	opts=()
fi
run -e -n 'usdt:/usr/bin/x:prov:name { }'
err_has '^    did you mean prov\$target:::name with -p PID or -c COMMAND\?$'
run -e -n 'uprobe:/lib/x86_64-linux-gnu/libc.so.6:malloc'
err_has '^    did you mean pid\$target:libc.so.6:malloc:entry with -p PID or -c COMMAND\?$'

# Suggestions for maps, which are aggregations in D.
suggests 'BEGIN { @x[1]++; }' '@x[1] = count()' 'BEGIN { @x[1] = count(); }'
suggests 'BEGIN { ++@x; }' '@x = count()' 'BEGIN { @x = count(); }'
suggests 'BEGIN { @x--; }' '@x = sum(-1)' 'BEGIN { @x = sum(-1); }'
suggests 'BEGIN { @x[pid, "a]"] += 4; }' '@x[pid, "a]"] = sum(4)' 'BEGIN { @x[pid, "a]"] = sum(4); }'
suggests 'BEGIN { @start[tid] = nsecs; }' 'start[tid] = timestamp' 'BEGIN { start[tid] = timestamp; }'
suggests 'BEGIN { @a = pid + 1; }' 'a = pid + 1' 'BEGIN { a = pid + 1; }'
run -e -n 'BEGIN /@x[1]/ { }'
err_has '^    a program cannot read an aggregation; a variable, without the @, holds a value: x\[1\]$'
run -e -n 'BEGIN { @x = count(); y = @x; }'
err_has '^    a program cannot read an aggregation; .*: x$'
run -e -n 'BEGIN { @x = count(); y = 1 + @x; }'
err_has '^    a program cannot read an aggregation; .*: x$'

# Suggestions for variables and functions of the language.
for pair in nsecs=timestamp comm=execname elapsed=timestamp curtask=curthread; do
	suggests "BEGIN { x = ${pair%=*}; }" "${pair#*=}" "BEGIN { x = ${pair#*=}; }"
done
suggests 'BEGIN { printf "a"; }' 'printf("a")' 'BEGIN { printf("a"); }'
suggests 'BEGIN { printf "%d\n", pid }' 'printf("%d\n", pid)' 'BEGIN { printf("%d\n", pid) }'
suggests 'BEGIN { @[kstack(5)] = count(); }' 'stack( )' 'BEGIN { @[stack(5)] = count(); }'
suggests 'BEGIN { x = nsecs(); }' timestamp 'BEGIN { x = timestamp; }'
suggests 'BEGIN { $x = 1; }' 'this->x' 'BEGIN { this->x = 1; }'
suggests 'syscall::openat:entry { trace(args.filename); }' 'copyinstr(arg1)' \
	'syscall::openat:entry { trace(copyinstr(arg1)); }'
suggests 'syscall::open:entry { trace(args->filename); }' 'copyinstr(arg0)' \
	'syscall::open:entry { trace(copyinstr(arg0)); }'
suggests 'syscall::read:return { trace(args->ret); }' arg1 'syscall::read:return { trace(arg1); }'
suggests 'ip:::send { trace(args->ip_saddr); }' 'args[2]->ip_saddr' 'ip:::send { trace(args[2]->ip_saddr); }'
run -e -n 'BEGIN { x = 1e6; }'
err_has '^    numbers are integers: 1000000, not 1e6$'
run -e -n 'BEGIN { x = 10.1.2.3; }'
err_has '^    an address is a string: "10.0.0.1"$'

# Suggestions for types of other systems.
types() { # types [THEIRS OURS]...: the hint for type THEIRS names OURS, which has a size
	while [ $# -gt 0 ]; do
		suggests "BEGIN { trace((uint64_t)($1 *)arg0); }" "$2" "BEGIN { trace(sizeof ($2)); }"
		err ''
		run -e -n "BEGIN { trace((uint64_t)($1 *)arg0); }"
		err_has "^    unknown type name $1: did you mean $2\?$"
		shift 2
	done
}
types ipha_t 'struct iphdr' ip6_t 'struct ipv6hdr' tcpha_t 'struct tcphdr' udpha_t 'struct udphdr' \
	buf_t 'struct bio' vnode_t 'struct inode' proc_t 'struct task_struct' kthread_t 'struct task_struct' \
	mblk_t 'struct sk_buff' cred_t 'struct cred' page_t 'struct page' as_t 'struct mm_struct' uint64 uint64_t
for pair in vnode=inode dev_info=device mbuf=sk_buff thread=task_struct timespec=timespec64 buf=bio \
	tcpcb=tcp_sock ifnet=net_device; do
	suggests "BEGIN { trace(sizeof (struct ${pair%=*})); }" "struct ${pair#*=}" \
		"BEGIN { trace(sizeof (struct ${pair#*=})); }"
done
suggests 'BEGIN { trace(sizeof (buf_t)); }' 'struct bio' 'BEGIN { trace(sizeof (struct bio)); }'
suggests 'BEGIN { x = (uint64)arg0; }' uint64_t 'BEGIN { x = (uint64_t)arg0; }'
printf 'ipha_t *x;\nBEGIN { }\n' >"$tmp/declared.d"
run -e -s "$tmp/declared.d"
err_has '^    if this is a declaration: unknown type name ipha_t: did you mean struct iphdr\?$'
run -e -n 'BEGIN { trace((zork_t *)arg0); }'
err_has '^    unknown type name zork_t$'
run -e -n 'BEGIN { x = hp_avenrun[0]; }'
err_has '^    on Linux this variable is `avenrun\[0\]$'
run -e -n 'BEGIN { x = avenrun[0]; }'
err_has '^    on Linux this variable is `avenrun\[0\]$'
run -e -n 'BEGIN { trace(`freemem); }'
err_has '^    on Linux this variable is `vm_zone_stat\[0\].counter$'
# On other systems t_cpu leads to the CPU of the thread. The hint names the variable cpu.
run -e -n 'BEGIN { trace(curthread->t_cpu); }'
err_has '^    did you mean cpu, the variable\?$'

# A pid provider cannot match all processes.
run -e -n 'pid*:libc:malloc:entry'
err_has '^    a pid provider names one process: write pid\$target:libc:malloc:entry with -p PID or -c COMMAND$'
finish
