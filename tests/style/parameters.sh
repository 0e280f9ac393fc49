#!/bin/bash
# An @name in a comment is a parameter of the function below it, or a member of the struct.
# parameters.sh [FILE...] reads the C files FILE, or all of the tree.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }
# The check finds two wrong names and accepts right ones.
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
printf '/* Adds @count to @x. */\nvoid f(struct x *x, int n);\n' >"$tmp/wrong.h"
printf '/* A name: @len bytes at @s. */\nstruct name {\n\tconst char *s;\n\tint n;\n};\n' >"$tmp/wrong.c"
printf '/* Adds @n to @x, as @a = sum(1) does. */\nvoid f(struct x *x, int n);\n\nstruct name {\n\t/* @n bytes */\n\tchar *s;\n\tint n;\n};\n' >"$tmp/right.h"
for file in wrong.h wrong.c; do
	! python3 tests/style/parameters.py "$tmp/$file" >/dev/null || { echo "the wrong name of $file is not found:"; cat "$tmp/$file"; exit 1; }
done
python3 tests/style/parameters.py "$tmp/right.h" >/dev/null || { echo 'a right name is refused'; exit 1; }
python3 tests/style/parameters.py "$@"
