# Two calls that emit code must not be in one argument list or compound literal. The C compiler
# chooses the order of such calls, so the generated code would depend on the compiler.
set -u
cd "$(dirname "$0")/../.." || exit 1
exec python3 tests/style/emit-order $(find compiler ir -name '*.c')
