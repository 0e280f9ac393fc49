#!/bin/bash
# Finds comments that say "Returns ..." or "Does this and returns that" above a void function.
# returns.sh [FILE...] reads the C files FILE, or all of the tree.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }
# The check finds two wrong comments and accepts two right ones.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
printf '/*\n * Closes @x.\n * Returns 0.\n */\nstatic void f(struct x *x);\n' >"$tmp/wrong.h"
printf '/* Opens @x and returns its size. */\nvoid f(struct x *x)\n{\n}\n' >"$tmp/wrong.c"
printf '/* Fills @y. g() returns it. */\nvoid h(int *y);\n\n/* Closes @x.  Returns NULL. */\nvoid *f(struct x *x);\n' >"$tmp/right.h"
for file in wrong.h wrong.c; do
	! python3 tests/style/returns.py "$tmp/$file" >/dev/null || { echo "the wrong comment of $file is not found:"; cat "$tmp/$file"; exit 1; }
done
python3 tests/style/returns.py "$tmp/right.h" >/dev/null || { echo 'a right comment is refused'; exit 1; }
python3 tests/style/returns.py "$@"
