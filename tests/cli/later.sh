# What D has and we not yet is refused as that, and docs/compat.md lists it: every row of the tables.
. tests/cli/lib.bash
names() { # names TABLE
	sed -n "/ $1\[\] = {/,/^};/s/^	//p" builtins/later.c | grep -o '"[a-z0-9_]*"' | tr -d '"'
}

for name in $(names functions); do
	run -r $pcap -e -n "BEGIN { trace($name(1)); }"
	err "dtrace: invalid probe specifier BEGIN { trace($name(1)); }: in action list: $name( ) is not supported yet"
	grep -q "^| functions not made yet.*\`$name()\`" docs/compat.md || wrong "$name() is not in docs/compat.md"
done
for name in $(names variables); do
	run -r $pcap -e -n "BEGIN { trace($name); }"
	err "dtrace: invalid probe specifier BEGIN { trace($name); }: in action list: variable $name is not supported yet"
	grep -q "^| variables not made yet.*\`$name\`" docs/compat.md || wrong "$name is not in docs/compat.md"
done
[ "$checks" -gt 60 ] || wrong "only $checks names found"
finish
