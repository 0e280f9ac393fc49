# Probes of other systems without an event on Linux: each message says what is missing. A
# misspelling gets another message.
. "$(dirname "$0")/../lib.bash"

# says PROBE WHAT: it is not there since Linux lacks WHAT
says() {
	"$DTRACE" -e -n "$1" >/dev/null 2>"$T/err"
	same "status of $1" 1 $?
	grep -q "probe $1 does not exist on this kernel: it lacks $2" "$T/err" || fail "$1: $(head -n 1 "$T/err")"
	"$DTRACE" -l -n "$1" 2>&1 | grep -q "failed to match $1: No probe matches description: it lacks $2" || fail "-l -n $1"
}

says vminfo:::zfod 'an event of that kind of page fault'
says vminfo:::pgswapin 'an event that tells pages of that kind'
says vminfo:::swapout 'an event of processes that are swapped as a whole'
says sysinfo:::trap 'an event of that alone$'
says sysinfo:::cpu_ticks_user 'an event of ticks by kind'
says mib:::ipReasmOKs 'an event of fragments'
says mib:::ipInDiscards 'an event of discards'
says mib:::tcpRttUpdate 'an event of what TCP counts so'
says lockstat:::adaptive-acquire 'an event of locks that are free'
says sched:::surrender 'an event of that alone: sched:::preempt fires'
says proc:::signal-clear 'an event of a signal that sigwait() takes'

"$DTRACE" -e -n 'vminfo:::zfodd' 2>&1 | grep -q 'probe description vminfo:::zfodd does not match any probes' || fail "a misspelling"
# Features that compat.md lists as missing are really missing, and none is taken for a misspelling.
awk -F'`' '/Not there: `/ { sub(/.*Not there: `/, prov = $2 " "); sub(/`.*/, ""); print }' docs/compat.md >"$T/lists"
same 'lists in compat.md' 2 "$(wc -l <"$T/lists")"
while read -r prov names; do
	set -f
	for name in $names; do
		set +f
		name=${name/\*/x}
		"$DTRACE" -e -n "$prov:::$name" 2>&1 | grep -q 'does not exist on this kernel: it lacks' || fail "$prov:::$name of docs/compat.md"
	done
done <"$T/lists"
finish
