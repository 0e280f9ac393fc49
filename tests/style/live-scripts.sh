#!/bin/bash
# A script has the option live exactly if its usage says "Live only.". With the option dtrace
# refuses a capture with a clear message.
set -u
cd "$DTRACE_TOP" || exit 1
bad=0 n=0
for s in scripts/*.d; do
	says=0 has=0
	grep -q '^ \* Live only\.' "$s" && says=1
	grep -q '^#pragma D option live$' "$s" && has=1
	n=$((n + says))
	[ $says = $has ] || { echo "$s: \"Live only.\" and #pragma D option live belong together"; bad=1; }
done
echo "$n scripts"
[ "$n" -gt 10 ] && [ $bad = 0 ]
