# The checked virtual machine accepts every program that replay tests run, and gives the same output.
. tests/cli/lib.bash
n=0
same_as() { # same_as CASE-WITHOUT-SUFFIX ARGUMENTS
	local want=$1.out

	what="dtrace -x checked $2"
	[ -e "$want" ] || want=/dev/null
	eval "timeout 60 \"\$DTRACE\" -x checked $2" >"$out" 2>"$err" </dev/null
	masked "$out"
	cmp -s "$want" "$tmp/got" || { wrong 'output differs'; head -n 5 "$err"; }
	n=$((n + 1)) checks=$((checks + 1))
}
while read -r d; do
	same_as "${d%.d}" "$(sed -n '1s,^/\* args: \(.*\) \*/$,\1,p' "$d") -s '$d'"
done < <(find tests/replay -name '*.d' | sort)
while read -r a; do
	same_as "${a%.args}" "$(cat "$a")"
done < <(find tests/replay -name '*.args' | sort)
[ "$n" -gt 0 ] || wrong 'no programs'
finish
