# The scripts about processes, the scheduler and disks, each with a known event.
. "$(dirname "$0")/../lib.bash"
cd "$LIVE/../.." || exit 1

# A program that no other test runs.
cp "$(command -v dd)" "$T/hostdd"

# run SCRIPT COMMAND [WORD...]: writes the output of the script during the command to $T/out
run() {
	timeout 300 "$DTRACE" -s "scripts/$1.d" -c "$2" "${@:3}" >"$T/out" 2>"$T/err" || fail "$1: status $?"
	[ ! -s "$T/err" ] || fail "$1: $(cat "$T/err")"
	[ -z "$(awk 'length > 80' "$T/out")" ] || fail "$1: longer than 80 columns"
}

# lines WHAT COUNT PATTERN: checks that COUNT lines match PATTERN
lines() {
	same "$1" "$2" "$(grep -cE "$3" "$T/out")"
}

cat >"$T/work" <<'W'
sed -n 1p /etc/hostname >/dev/null
sed -n 2p /no/such/file 2>/dev/null
sleep 60 &
kill -TERM $!
kill -USR2 $$ # a signal that a process sends to itself is not shown
W
sed -i '1i trap : USR2' "$T/work"
sed -i "1i echo \$\$ >$T/me" "$T/work"
run execsnoop "bash $T/work"
lines 'execsnoop' 1 '^ +0 +[0-9]+ +[0-9]+ sed -n 1p /etc/hostname$'
run opensnoop "bash $T/work"
lines 'opensnoop: opened' 1 '^ +0 +[0-9]+ sed +[0-9]+ +0 /etc/hostname$'
lines 'opensnoop: not opened' 1 '^ +0 +[0-9]+ sed +-1 +2 /no/such/file$'
run killsnoop "bash $T/work"
lines 'killsnoop' 1 "^ *$(cat "$T/me") bash +15 +[0-9]+ (bash|sleep)$"
lines 'killsnoop: nothing else of it' 0 "^ *$(cat "$T/me") bash +12 "
run procsystime "$T/hostdd if=/dev/zero of=/dev/null bs=1 count=1000 status=none"
lines 'procsystime' 2 '^(read|write) +10[0-9][0-9] +[0-9]+ +[0-9]+$'
run rwtop "$T/hostdd if=/dev/zero of=/dev/null bs=7 count=1000000 status=none" 10000 # not only the first ten
same 'rwtop shows the bytes that dd writes' 7000000 "$(awk '$2 == "hostdd" && $3 == "W" { n += $4 } END { print n }' "$T/out")"
run offcpu 'sleep 0.2'
same 'offcpu shows the time of a sleep' 1 "$(awk '/nanosleep/ { of = 1 } NF == 1 && $1 ~ /^[0-9]+$/ { n += of && $1 >= 200000 && $1 < 5000000; of = 0 } END { print n }' "$T/out")"
run cpuwalk "taskset -c 0 $T/hostdd if=/dev/zero of=/dev/null bs=1 count=500000 status=none"
same 'cpuwalk shows a process only on its CPU' 1 "$(awk '/^[a-z]/ { of = $1 == "hostdd" } of && $3 ~ /@/ && $1 == 0 { n++ } of && $1 == 1 && $NF > 0 { n = -9 } of && /@/ { seen = 1 } END { print seen + 0 }' "$T/out")"
run pridist "nice -n 10 $T/hostdd if=/dev/zero of=/dev/null bs=1 count=500000 status=none"
same 'pridist shows nice 10 as priority 130' 1 "$(awk '/^[a-z]/ { of = $1 == "hostdd" } of && $1 == 130 && $NF > 0 { n = 1 } END { print n + 0 }' "$T/out")"
run runqlen "$T/hostdd if=/dev/zero of=/dev/null bs=1 count=100000 status=none"
lines 'runqlen: lengths and times' 1 '^Waited'

truncate -s 4M "$T/disk"
if dev=$(losetup -f --show "$T/disk" 2>/dev/null); then
	trap 'losetup -d "$dev"; live_end' EXIT
	run iosnoop "$T/hostdd if=/dev/zero of=$dev bs=4k count=100 oflag=direct status=none"
	lines 'iosnoop' 100 "^ *[0-9]+ hostdd +W ${dev#/dev/} +[0-9]+ +4096 +[0-9]+ "
	run iotop "$T/hostdd if=/dev/zero of=$dev bs=4k count=100 oflag=direct status=none" 10000
	same 'iotop' 409600 "$(awk '$2 == "hostdd" { n += $5 } END { print n }' "$T/out")"
fi
finish
