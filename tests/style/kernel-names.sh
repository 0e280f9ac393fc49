#!/bin/bash
# The compiler's knowledge of kernel structs is in providers/kernel.h: no other file of compiler/
# and ir/ names a member, or looks a kernel struct up by name.
set -u
cd "$DTRACE_TOP" || exit 1
bad=0
names=$(sed -n 's/^\tX([A-Z_, ]*"\([a-z_]*\)").*/\1/p' providers/kernel.h | sort -u | grep _)
[ "$(wc -l <<<"$names")" -ge 5 ] || { echo "providers/kernel.h: no table found"; bad=1; }
for name in $names; do
	grep -rn --include='*.[ch]' "\"$name\"" compiler ir && bad=1
done
grep -rnE --include='*.[ch]' 'scope_find\(&.*kernel, TAG_(STRUCT|UNION)' compiler/code compiler/builtins ir && bad=1
exit $bad
