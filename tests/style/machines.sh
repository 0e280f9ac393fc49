#!/bin/bash
# Only 64-bit little-endian machines: on any other it must not compile.
set -u
cd "$DTRACE_TOP" || exit 1

# compiles FLAG ...: with what the compiler says of the machine changed
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
