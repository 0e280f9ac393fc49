# Generated loops load and compute the same results under Debian's kernels.
built=$(dirname "$(realpath "${DTRACE:?must be the path of the dtrace command}")") # lib.bash may change DTRACE
. "$(dirname "$0")/lib.bash"

under_all loops "$built/tests/test_loop"
finish
