# Checks that no file of the tree has paths of one machine or marks of unfinished work. Checks that
# C files keep rules of style: for example, no trailing blanks and at most 100 columns.
set -u
shopt -s lastpipe # report at the end of a pipe sets bad in this shell
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
bad=0
files() {
	if [ -e .git ] && command -v git >/dev/null && git rev-parse 2>/dev/null; then
		git ls-files --cached --others --exclude-standard
	else
		find . \( -path './build*' -o -path ./.git \) -prune -o -type f -print | sed 's,^\./,,'
	fi | while read -r f; do [ -f "$f" ] && echo "$f"; done
}
report() { # report WHAT < lines
	local lines
	lines=$(cat)
	[ -n "$lines" ] || return 0
	echo "$1:"
	printf '%s\n' "$lines" | head -n 20
	bad=1
}
mapfile -t all < <(files | grep -Ev '\.(pcap|pcapng|gz|png)$')
mapfile -t code < <(printf '%s\n' "${all[@]}" | grep -E '\.[ch]$')
self=tests/style/text.sh

# The brackets keep these patterns from matching this file.
grep -InE '/(wor[k]|roo[t]|hom[e])/' "${all[@]}" | grep -v "^$self:" | report 'a path of one machine'
grep -InE '/tm[p]/' "${all[@]}" | grep -Ev '^(tests|bench|tools|\.ci)/|/tm[p]/perf-' | report 'a path of a temporary file outside tests'
grep -IniE '\b(chatgp[t]|copilo[t]|openа?i|anthropi[c]|claud[e]|language mode[l]|large mode[l])\b' "${all[@]}" |
	grep -v "^$self:" | report 'a word that says nothing about the program'
grep -InE '\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b' "${all[@]}" | grep -v "^$self:" | report 'unfinished work'
grep -nE '[[:blank:]]+$' "${code[@]}" | report 'blanks at the end of a line'
grep -nE '^ {8}.*[^ \\]' "${code[@]}" | report 'spaces where a tab belongs'
grep -nE '^#include <(bpf|libbpf|pcap|netlink)/' "${code[@]}" | grep -Ev '^(engine/|tests/|bench/)' |
	report 'a library header outside the module that wraps it'
grep -nE '\b(setjmp|longjmp)\b' "${code[@]}" | grep -Ev '^(tests/|bench/)' | report 'longjmp'
grep -nE '\bexit\(' "${code[@]}" | grep -Ev '^(cmd|tests|bench|tools)/|_exit\(|\* |"' | report 'exit() outside cmd/'
for f in "${code[@]}"; do
	[ "$(head -c 2 "$f")" = '/*' ] || echo "$f"
done | grep -v '^tests/fuzz/' | report 'no comment at the top of the file'
# A tab is eight columns.
for f in "${code[@]}"; do
	expand "$f" | awk -v f="$f" 'length > 100 { print f ":" NR ": " length " columns" }'
done | report 'a line of more than 100 columns'
echo "${#all[@]} files"
exit $bad
