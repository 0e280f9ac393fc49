# What the command makes of the golden programs, of those for the verifier and of the shipped scripts loads under
# Debian's kernels too.
. "$(dirname "$0")/lib.bash"

under_all verifier env PROGRAMS="tests/golden tests/verifier scripts" bash tests/run-verifier
for deb in $kernels; do
	echo "$(release "$deb"): $(tail -n 1 "$T/verifier.$(release "$deb")")"
done
finish
