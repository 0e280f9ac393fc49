# A build by clang has no warnings, generates the same code and gives the same output for captures.
. tests/builds/lib.bash
command -v clang >/dev/null || skip 'no clang here'
# Clang finds its warnings before it optimises.
OPTIMISE=-O0 TARGETS='dtrace dtrace-fleet' build clang -DCMAKE_C_COMPILER=clang -DBUILD_TESTING=OFF
# The tests' own code is only checked for warnings, because another build runs these tests.
ls tests/unit/*.c tests/fleet/*.c tests/fuzz/*.c |
	xargs -P "$(nproc)" -n 20 clang -fsyntax-only -std=gnu11 -D_GNU_SOURCE -DDTRACE_VERSION='"0"' -I. -I"$dir" -Wall -Wextra -Werror || exit 1
export DTRACE=$dir/dtrace DTRACE_TOP=$PWD
bash tests/run-cases golden err && WAY=replay bash tests/run-cases lang && WAY=nojit bash tests/run-cases replay
