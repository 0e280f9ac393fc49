#!/bin/bash
# The product compiles on 64-bit little-endian x86-64 and arm64 only. For any other machine, each
# file that depends on the machine must give an error that names the reason.
set -u
cd "$DTRACE_TOP" || exit 1
bad=0

# compiles FLAG...: compiles a header with flags that change the macros of the machine
compiles() {
	echo '#include "ir/program.h"' | ${CC:-cc} -I. -w -fsyntax-only "$@" -x c - 2>&1
}

compiles || { echo "does not compile here"; exit 1; }
for other in "-U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__" "-U__SIZEOF_POINTER__ -D__SIZEOF_POINTER__=4"; do
	# shellcheck disable=SC2086
	said=$(compiles $other) && { echo "compiles with $other"; exit 1; }
	case $said in
	*"64-bit little-endian"*) ;;
	*) echo "does not say why: $said"; exit 1 ;;
	esac
done

# Preprocesses the file $1 without the macro that names the processor, as on a machine that dtrace
# does not support. Leaves the headers out, because system headers then report errors of their own.
elsewhere() {
	sed '/^#include/d' "$1" | ${CC:-cc} -E -w -U__x86_64__ -U__aarch64__ -x c - 2>&1 >/dev/null
}

n=0
while read -r f; do
	case $f in
	engine/vm/jit*) continue ;; # other machines use the interpreter instead of native code
	esac
	n=$((n + 1))
	case $(elsewhere "$f") in
	*"x86-64 and arm64 only"*) ;;
	*) echo "$f compiles on a machine that it does not know"; bad=1 ;;
	esac
done < <(find . \( -name 'build*' -o -path ./tests -o -path ./bench \) -prune -o -name '*.[ch]' -print |
	xargs grep -lE '^#.*__(x86_64|aarch64)__' | sed 's,^\./,,')
[ "$n" -ge 8 ] || { echo "only $n files that name a machine were found"; bad=1; }
exit $bad
