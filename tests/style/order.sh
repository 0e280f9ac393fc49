# C leaves it to the compiler which argument, operand or initialiser comes first: two calls that
# make code in one list give code that depends on the compiler.
set -u
cd "$(dirname "$0")/../.." || exit 1
exec python3 tests/style/emit-order $(find compiler ir -name '*.c')
