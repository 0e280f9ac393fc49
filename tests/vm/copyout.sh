# copyout() and copyoutstr() under Debian's kernels. A kernel that is locked down lets no program
# write to a process, but these two do.
. "$(dirname "$0")/lib.bash"
# shellcheck disable=SC2016
under_all copyout bash -c 'bash "$0"; s=$?; [ $s != 77 ] || exit 1; exit $s' "$VM/../live/process/copyout.sh"
finish
