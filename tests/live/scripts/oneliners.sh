# The cookbook's one-liners for a host: each runs as printed, and shows the work done here.
. "$(dirname "$0")/../lib.bash"
book=$LIVE/../../docs/cookbook.md

# Programs with names that no other process has.
for name in dd cat sleep sh; do
	cp "$(command -v $name)" "$T/uni$name"
done
cat >"$T/work" <<W
"$T/unidd" if=/dev/zero of=/dev/null bs=7 count=100 2>/dev/null
"$T/unidd" if=/dev/zero of="$T/unifile" bs=4096 count=8 conv=fsync 2>/dev/null
"$T/unicat" "$T/never-there" 2>/dev/null
"$T/unisleep" 0.3
"$T/unisleep" 9 &
until read -r name </proc/\$!/comm && [ "\$name" = unisleep ]; do :; done
"$T/unish" -c "kill -USR1 \$!; :"
wait \$! 2>/dev/null
i=0
while [ \$i -lt 20000 ]; do i=\$((i + 1)); done
W

# one TITLE WANTED: runs the one-liner TITLE of the cookbook, and checks that a line of its output
# matches WANTED. If WANTED is empty, the output depends on the machine, so the program only has to
# run (live/process/io and live/process/counters test such probes).
one() {
	local program
	program=$(sed -n "s/^| $1 | \`\(.*\)\` |[^|]*|$/\1/p" "$book")
	[ -n "$program" ] || { fail "$1: is not in the cookbook"; return; }
	asked=$((asked + 1))
	timeout 300 "$DTRACE" -n "$program" -c "$T/unish $T/work" >"$T/out" 2>"$T/err" || fail "$1: status $?: $(cat "$T/err")"
	grep -Eq -- "$2" "$T/out" && echo "ok: $1" || fail "$1: no line like $2: $(grep -A 9 uni "$T/out" | head -n 20)"
}
asked=0
one 'system calls by process' '^  unidd +[2-9][0-9]{2}$'
one 'system calls that fail, by error' '^  unicat +openat +2 +[0-9]+$'
one 'sizes of reads' '^ +4 \|@+ +100 +$'
one 'time in system calls' '^  unisleep +clock_nanosleep +([3-9][0-9]{8}|[1-9][0-9]{9})$'
one 'files that processes open' "unicat $T/never-there\$"
one 'programs that are run, with their parents' " [0-9]+ > [0-9]+ $T/unisleep 0.3\$"
one 'processes that fork' '^  unish +6$'
one 'time on CPU' '^  unish +[0-9]{7,}$'
one 'time off CPU' '^  unisleep +$'
grep -A 60 '^  unisleep ' "$T/out" | grep -Eq '^ +(268435456|536870912|[1-9][0-9]{9}) \|@+ +[1-9]' || fail "time off CPU: $(cat "$T/out")"
one 'waiting for a CPU' '^ +[0-9]+ \|@+ +[1-9][0-9]* +$'
one 'sizes of requests to disks' ''
one 'distances between requests to disks' ''
one 'signals, with sender and receiver' '^  unish +unisleep +10 +1$'
one 'page faults' '^  unidd +[1-9][0-9]+$'
one 'time spent waiting for locks' ''
one 'functions in which the kernel spends time' '^  vmlinux`[a-z_0-9.]+ +[1-9]'
same 'every one-liner of the page is tested' "$(sed -n '/^## From the books/,/^## From bcc/p' "$book" | grep -c '^| .*`.*{')" $asked
finish
