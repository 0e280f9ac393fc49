#!/bin/bash
# Only agg/ and the code that updates values name an aggregating function (AGG_COUNT ...).  All other
# code asks the function's row in agg/fns.c, so that a new function works there without a change.
cd "$(dirname "$0")/../.." || exit 1
names=$(sed -n '/^#define AGG_FNS/,/^$/s/^\tF(\([A-Z]*\),.*/\1/p' agg/agg.h | paste -sd'|')
[ -n "$names" ] || { echo 'agg/agg.h has no list of functions'; exit 1; }
found=$(grep -rnwE "AGG_($names)" --include='*.[ch]' base cmd compiler consumer engine fleet ir procinfo providers sandbox tools |
	grep -v '^ir/agg_update\.c:')
[ -z "$found" ] || { echo 'ask the row of the function, not its name:'; echo "$found"; exit 1; }
# Pages and suggestions that list functions have those of the table: all of them, and those whose
# values cannot be subtracted.
all=$(sed -n '/^#define AGG_FNS/,/^$/s/^\tF([A-Z]*, \([a-z]*\)).*/\1/p' agg/agg.h)
extreme=$(awk '/^static const struct agg_fn_def/ { name = sub_ = "" } /\.name =/ { split($0, a, "\""); name = a[2] }
	/\.sub =/ { sub_ = 1 } /^};/ { if (name != "" && sub_ == "") print name; name = "" }' agg/fns.c)
[ "$(wc -w <<<"$all")" -gt 8 ] && [ "$(wc -w <<<"$extreme")" -gt 1 ] || { echo 'the table cannot be read'; exit 1; }
page=$(sed -n '/^\.SH AGGREGATIONS/,/^\.SH ACTIONS/p' docs/d.7)
for f in $all; do
	grep -qw "$f" <<<"$page" || { echo "docs/d.7 does not have $f()"; exit 1; }
	[ -z "${DTRACE:-}" ] || DTRACE_OPT_nohint=off "$DTRACE" -r tests/pcap/empty.pcap -e -n 'BEGIN { @ = nosuchone(1); }' 2>&1 |
		grep -qw "$f" || { echo "the suggestion does not have $f"; exit 1; }
done
for text in docs/dtrace.8 docs/fleet.md; do
	for f in $extreme; do
		grep -q "$f()" $text || { echo "$text does not say that $f() cannot be subtracted"; exit 1; }
	done
	found=$(grep -oE '[a-z]+\(\)`? and `?[a-z]+\(\)`?(,? it| cannot be)' $text | grep -oE '[a-z]+\(' | tr -d '(' | sort -u | grep -vxF "$extreme")
	[ -z "$found" ] || { echo "$text: $found can be subtracted"; exit 1; }
done
# The pattern finds a violation.
echo 'if (ai->kind.fn == AGG_COUNT)' | grep -qwE "AGG_($names)"
