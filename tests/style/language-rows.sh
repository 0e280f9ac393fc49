# Every row of the language in tests/lang/rows has a test, or says why it cannot have one.
set -u
cd "$(dirname "$0")/../.." || exit 1
n=0 lack=0 bad=0
while read -r file row tests; do
	n=$((n + 1))
	[ "$tests" != - ] || { echo "no test of ${file%.txt}: $row"; lack=$((lack + 1)); continue; }
	[[ $tests != cannot:\ *\ * ]] || continue # the row says why it cannot have a test
	for t in $tests; do
		[ -e "tests/$t" ] || [ -e "tests/$t.d" ] || [ -e "tests/$t.args" ] || { echo "$file: $row: there is no tests/$t"; bad=1; }
	done
done < <(cd tests/lang/rows && grep -Hv '^#' -- *.txt | sed 's/:/ /')
echo "$n rows, $lack without a test"
[ "$n" -gt 300 ] && [ $lack = 0 ] && [ $bad = 0 ]
