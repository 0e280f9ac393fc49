# The code for the golden programs, the programs in tests/verifier and the shipped scripts loads
# under Debian's kernels. An emulated verifier takes seconds for a script, so only one of the
# kernels loads each script, in one way. With VERIFIER=all, each kernel loads all scripts.
. "$(dirname "$0")/lib.bash"

export VM_ONE_CPU=1
parts=$(echo "$kernels" | wc -w)
[ "${VERIFIER:-}" != all ] || parts=1
# shellcheck disable=SC2016
under_all verifier bash -c 'part=$((VM_NUMBER % $1))
	PROGRAMS="tests/golden tests/verifier $(ls scripts/*.d | awk -v n="$1" -v part="$part" "NR % n == part" | xargs)" \
		exec bash tests/run-verifier' - "$parts"
for deb in $kernels; do
	echo "$(release "$deb"): $(tail -n 1 "$T/verifier.$(release "$deb")")"
done
finish
