#!/bin/bash
# No folder of tests/ has more than 100 files, and no other folder except scripts/ has more than 40,
# so that a listing stays readable.
# No file of code has more than 1,200 lines.  Tests in err/, live/ and cli/ are in folders by subject.
set -u
cd "$DTRACE_TOP" || exit 1
bad=0 n=0
while read -r count folder; do
	n=$((n + 1))
	[ "$count" -le 100 ] || { echo "$folder has $count files: move some into a folder of their own"; bad=1; }
done < <(find tests -name __pycache__ -prune -o -type f -printf '%h\n' | sort | uniq -c)
while read -r count folder; do
	n=$((n + 1))
	[ "$count" -le 40 ] || { echo "$folder has $count files: move some into a folder of their own"; bad=1; }
done < <(find . -path ./tests -prune -o -path './build*' -prune -o -path ./scripts -prune -o -path './.*' -prune \
	-o -type f -printf '%h\n' | sort | uniq -c)
while read -r lines file; do
	[ "$file" = total ] || [ "$lines" -le 1200 ] || { echo "$file has $lines lines: split it by subject"; bad=1; }
done < <(find . -path './build*' -prune -o -path './.*' -prune -o \( -name '*.[chd]' -o -name '*.sh' -o -name '*.bash' \
	-o -name '*.py' \) -print0 | wc -l --files0-from=-)
for stray in $(find tests/err tests/live tests/cli -maxdepth 1 -type f ! -name lib.bash ! -name tags.txt); do
	echo "$stray is in no folder by subject: $(cd "${stray%/*}" && echo */)"
	bad=1
done
echo "$n folders"
[ "$n" -gt 50 ] && [ $bad = 0 ]
