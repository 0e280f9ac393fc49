# Compile time is linear: eight times the statements take at most 16 times the CPU time, and 100 ms.
# A script of 500 clauses takes at most ten times as long as one clause.
. tests/cli/lib.bash

args=(-r tests/pcap/udp.pcap)

# cpu FILE: CPU time in milliseconds to compile the file with ${args[@]}, the least of three runs
cpu() {
	local TIMEFORMAT='%U %S' least=999999 ms i
	for i in 1 2 3; do
		ms=$({ time timeout 300 "$DTRACE" "${args[@]}" -e -s "$1" >"$out" 2>"$err"; } 2>&1 |
			awk '{ printf "%d", ($1 + $2) * 1000 }')
		[ "$ms" -lt "$least" ] && least=$ms
	done
	echo "$least"
}

# grows NAME TEMPLATE: each statement is the template with its number for N
grows() {
	local n text small large
	for n in 100 800; do
		text=$(seq "$n" | awk -v t="$2" '{ s = t; gsub(/N/, $1, s); print s }')
		printf 'ip:::send {\n%s\n}\n' "$text" >"$tmp/$n.d"
	done
	small=$(cpu "$tmp/100.d")
	large=$(cpu "$tmp/800.d")
	what="compiling 800 statements: $1" checks=$((checks + 1))
	[ "$large" -le $((16 * small + 100)) ] || wrong "$large ms, 100 take $small ms"
}

# shellcheck disable=SC2016
grows 'aggregations' '@[args[2]->ip_plength + N] = count();'
grows 'reads that may fault' 'xN = *(int *)arg0 + N;'
grows 'conditions' 'trace(args[2]->ip_plength > N ? "over N" : "under N");'
grows 'divisions' 'x = N / args[2]->ip_plength;'

# script N PROBE KEY: prints a script of N clauses, with four lines each.
script() { # script N PROBE KEY
	seq "$1" | awk -v p="$2" -v k="$3" '{ printf "%s\n/pid != %d/ {\n\t@[%s, %d] = count();\n}\n", p, $1, k, $1 }'
}

# takes PROBE KEY ARG...: compares 500 clauses with one. Live, dtrace looks up a probe in the
# kernel's types only once.
takes() {
	local probe=$1 key=$2 one many
	shift 2
	args=("$@")
	script 1 "$probe" "$key" >"$tmp/one.d"
	script 500 "$probe" "$key" >"$tmp/many.d"
	one=$(cpu "$tmp/one.d")
	many=$(cpu "$tmp/many.d")
	what="compiling 500 clauses of $probe" checks=$((checks + 1))
	[ "$many" -le $((10 * one)) ] || wrong "$many ms, one takes $one ms"
}
takes ip:::send 'args[2]->ip_saddr' -r tests/pcap/udp.pcap
[ ! -r /sys/kernel/btf/vmlinux ] || takes rawtp:::sys_enter arg1
finish
