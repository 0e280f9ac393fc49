# If a predicate or a filter rejects an event, the code does no lookup, takes no lock and counts
# nothing. Common parts of library expressions are computed once.
. "$(dirname "$0")/../lib.bash"

# code UNIT ARGUMENTS...: writes the instructions of the unit (one eBPF program) to $T/code
code() {
	local unit=$1
	shift
	"$DTRACE" -e -x dump=bpf "$@" 2>&1 | awk -v u="$unit" '$1 == "unit" { on = $2 == u; next } on' >"$T/code"
	[ -s "$T/code" ] || fail "no code of $unit: $*"
}

# before WHAT: prints the number of the first instruction that matches WHAT
before() {
	awk -v w="$1" '$0 ~ w { print NR; exit } END { if (!NR) print -1 }' "$T/code"
}

# behind WHAT CONDITION: checks that WHAT occurs, and only after CONDITION
behind() {
	local what condition
	what=$(before "$1")
	condition=$(before "$2")
	[ -n "$what" ] && [ -n "$condition" ] && [ "$what" -gt "$condition" ] ||
		fail "'$1' is instruction ${what:-none}, '$2' ${condition:-none}: $(cat "$T/code")"
}

# The lookup of this CPU's value comes after the predicate or the filter.
code sys_enter -n 'rawtp:::sys_enter /pid == 4711/ { @ = count(); }'
behind 'map[[]percpu[]]' '!= 4711 '
code sys_enter -n 'rawtp:::sys_enter /pid == 4711/ { @a = count(); } rawtp:::sys_enter /pid == 4712/ { @b = count(); }'
behind 'map[[]percpu[]]' 'if r[0-9]+ != 1 goto'
code egress -x lport=4711 -n 'ip:::send { @ = count(); }'
behind 'map[[]percpu[]]' '!= 4711 '

# Scratch memory at a cgroup hook is locked only after the predicate.
code egress -n 'ip:::send /pid == 4711/ { @[toupper(execname)] = count(); }'
behind 'lock' '!= 4711 '
code ingress -n 'tcp:::receive /pid == 4711/ { printf("%s", strjoin(execname, args[2]->ip_saddr)); }'
behind 'map[[]percpu[]]' '!= 4711 '

# The kernel refuses a program in which a lookup can fail while a record is reserved.
"$DTRACE" -e -x verify -n 'ip:::send { printf("%s", strjoin(execname, "x")); @[execname] = count(); @b = count(); }' ||
	fail 'the kernel refuses it'

# Firings are counted only if the count is printed.
code egress -n 'ip:::send /pid == 4711/ { @[pid] = count(); }'
same 'atomic additions before the predicate' 0 "$(sed '/!= 4711 /q' "$T/code" | grep -c 'lock')"
code egress -x footer -n 'ip:::send /pid == 4711/ { @[pid] = count(); }'
behind '!= 4711 ' 'lock '

# Library members and native arguments share one read of each part of a packet.
code egress -n 'tcp:::send { @[args[4]->tcp_dport] = sum(args[2]->ip_plength - args[4]->tcp_offset); }'
same 'the code tests once for a protocol that IPsec makes' 1 "$(grep -c '== 108 ' "$T/code")"
finish
