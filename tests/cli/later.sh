# What D has and we not yet is refused as that: every row of the tables.
. tests/cli/lib.bash
names() { # names TABLE
	sed -n "/ $1\[\] = {/,/^};/s/^	//p" builtins/later.c | grep -o '"[a-z0-9_]*"' | tr -d '"'
}

for name in $(names functions); do
	run -r $pcap -e -n "BEGIN { trace($name(1)); }"
	err "dtrace: invalid probe specifier BEGIN { trace($name(1)); }: in action list: $name( ) is not supported yet"
done
[ "$checks" -gt 0 ] || wrong "only $checks names found"
finish
