#!/bin/bash
# No folder of tests/ has more than 100 files, so that a listing stays readable.  Tests in err/, live/ and cli/ are in
# folders by subject.
set -u
cd "$DTRACE_TOP" || exit 1
bad=0 n=0
while read -r count folder; do
	n=$((n + 1))
	[ "$count" -le 100 ] || { echo "$folder has $count files: move some into a folder of their own"; bad=1; }
done < <(find tests -name __pycache__ -prune -o -type f -printf '%h\n' | sort | uniq -c)
for stray in $(find tests/err tests/live tests/cli -maxdepth 1 -type f ! -name lib.bash ! -name tags.txt); do
	echo "$stray is in no folder by subject: $(cd "${stray%/*}" && echo */)"
	bad=1
done
echo "$n folders"
[ "$n" -gt 50 ] && [ $bad = 0 ]
