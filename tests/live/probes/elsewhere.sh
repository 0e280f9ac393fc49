# Probes of other systems without an event on Linux: the message names the missing event. A
# misspelling gets another message.
. "$(dirname "$0")/../lib.bash"

# says PROBE WHAT: checks that the message says that this kernel lacks WHAT
says() {
	"$DTRACE" -e -n "$1" >/dev/null 2>"$T/err"
	same "status of $1" 1 $?
	grep -q "probe $1 does not exist on this kernel: it lacks $2" "$T/err" || fail "$1: $(head -n 1 "$T/err")"
	"$DTRACE" -l -n "$1" 2>&1 | grep -q "failed to match $1: No probe matches description: this kernel lacks $2" || fail "-l -n $1"
}

says vminfo:::zfod 'an event for this kind of page fault$'
says vminfo:::pgswapin 'an event for this kind of page$'
says vminfo:::swapout 'swapping of whole processes'
says sysinfo:::trap 'a separate event for this$'
says sysinfo:::cpu_ticks_user 'an event for each kind of tick'
says mib:::ipReasmOKs 'an event for fragments'
says mib:::ipInDiscards 'an event for this kind of discard or error'
says mib:::tcpRttUpdate 'an event for this counter of TCP'
says lockstat:::adaptive-acquire 'an event for taking and releasing locks'
says sched:::surrender 'a separate event for this: sched:::preempt fires'
says sched:::lend-pri 'a separate event for this: sched:::change-pri fires'
says proc:::signal-clear 'an event for a signal that sigwait() accepts'

"$DTRACE" -e -n 'vminfo:::zfodd' 2>&1 | grep -q 'probe description vminfo:::zfodd does not match any probes' || fail "a misspelled probe gets another message"
# Features that compat.md lists as missing are really missing, and no message treats one as a
# misspelling.
awk -F'`' '/^\| `(vminfo|sysinfo)` \|/ { print $2, $6 }' docs/compat.md >"$T/lists"
same 'compat.md has two lists of missing features' 2 "$(wc -l <"$T/lists")"
while read -r prov names; do
	set -f
	for name in $names; do
		set +f
		name=${name/\*/x}
		"$DTRACE" -e -n "$prov:::$name" 2>&1 | grep -q 'does not exist on this kernel: it lacks' || fail "$prov:::$name of docs/compat.md"
	done
done <"$T/lists"
finish
