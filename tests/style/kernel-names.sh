#!/bin/bash
# What the compiler itself knows of the kernel's structs is in providers/kernel.h: no other text of
# compiler/ and ir/ names one of them, or looks a struct of the kernel's up by a name.
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
