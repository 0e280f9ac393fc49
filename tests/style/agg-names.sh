#!/bin/bash
# Only agg/ and the code that updates values name an aggregating function (AGG_COUNT ...).  All other
# code asks the function's row in agg/fns.c, so that a new function works there without a change.
cd "$(dirname "$0")/../.." || exit 1
names=$(sed -n '/^#define AGG_FNS/,/^$/s/^\tF(\([A-Z]*\),.*/\1/p' agg/agg.h | paste -sd'|')
[ -n "$names" ] || { echo 'agg/agg.h has no list of functions'; exit 1; }
found=$(grep -rnwE "AGG_($names)" --include='*.[ch]' base cmd compiler consumer engine fleet ir procinfo providers sandbox tools |
	grep -v '^ir/agg_update\.c:')
[ -z "$found" ] || { echo 'ask the row of the function, not its name:'; echo "$found"; exit 1; }
# The pattern finds a violation.
echo 'if (ai->kind.fn == AGG_COUNT)' | grep -qwE "AGG_($names)"
