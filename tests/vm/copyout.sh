# copyout() and copyoutstr() must work under Debian's kernels: only a kernel that is locked down
# forbids a program to write to a process.
. "$(dirname "$0")/lib.bash"
# shellcheck disable=SC2016
under_all copyout bash -c 'bash "$0"; s=$?; [ $s != 77 ] || exit 1; exit $s' "$VM/../live/process/copyout.sh"
finish
