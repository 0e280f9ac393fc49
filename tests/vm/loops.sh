# What the generator makes of loops loads, and computes the same, under Debian's kernels too.
. "$(dirname "$0")/lib.bash"

under_all loops "$(dirname "$DTRACE")/tests/test_loop"
finish
