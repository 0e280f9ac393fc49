# The checked virtual machine accepts every program that replay tests run, and gives the same output.
. tests/cli/lib.bash
n=0
while read -r d; do
	[ -e "${d%.d}.out" ] || continue
	args=$(sed -n '1s,^/\* args: \(.*\) \*/$,\1,p' "$d")
	what="dtrace -x checked $args -s $d"
	eval "timeout 60 \"\$DTRACE\" -x checked $args -s '$d'" >"$out" 2>"$err" </dev/null
	cmp -s "${d%.d}.out" "$out" || { wrong 'output differs'; head -n 5 "$err"; }
	n=$((n + 1)) checks=$((checks + 1))
done < <(find tests/replay -name '*.d' | sort)
while read -r a; do
	args=$(cat "$a")
	what="dtrace -x checked $args"
	eval "timeout 60 \"\$DTRACE\" -x checked $args" >"$out" 2>"$err" </dev/null
	cmp -s "${a%.args}.out" "$out" || { wrong 'output differs'; head -n 5 "$err"; }
	n=$((n + 1)) checks=$((checks + 1))
done < <(find tests/replay -name '*.args' | sort)
[ "$n" -gt 0 ] || wrong 'no programs'
finish
