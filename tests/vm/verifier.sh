# The command's code for the golden programs, for those in tests/verifier and for the shipped
# scripts loads under Debian's kernels too. Their verifiers, emulated, take seconds for a script:
# each script is given to one of the kernels; VERIFIER=all: to each.
. "$(dirname "$0")/lib.bash"

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
