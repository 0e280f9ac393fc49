#!/bin/bash
# Only agg_divide() divides by normalize()'s number, because a program or a file may set it to -1 or 0.
cd "$(dirname "$0")/../.." || exit 1
found=$(grep -nE '[])a-z_0-9] /=? [^/;"]*normal' -r --include='*.[ch]' agg base cmd compiler consumer engine fleet ir \
	procinfo providers sandbox)
[ -z "$found" ] || { echo "divide by normalize()'s number with agg_divide():"; echo "$found"; exit 1; }
# The pattern finds a violation.
echo 'x = count[i] / table_normal(t, 0);' | grep -qE '[])a-z_0-9] /=? [^/;"]*normal'
