# Functions of D that cannot exist here are refused with the reason: every row of the table never[].
. tests/cli/lib.bash

while IFS='"' read -r _ name _ why _; do
	run -r $pcap -e -n "BEGIN { trace($name(1)); }"
	err "dtrace: invalid probe specifier BEGIN { trace($name(1)); }: in action list: there is no $name( ) here: $why"
done < <(sed -n '/ never\[\] = {/,/^};/p' compiler/builtins/never.c | grep '^	{"')
[ "$checks" -ge 8 ] || wrong "only $checks names found"
finish
