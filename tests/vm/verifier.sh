# What the command makes of the golden programs and of the shipped scripts loads under
# Debian's kernels too.
. "$(dirname "$0")/lib.bash"

under_all verifier env PROGRAMS="tests/golden scripts" bash tests/run-verifier
for deb in $kernels; do
	echo "$(release "$deb"): $(tail -n 1 "$T/verifier.$(release "$deb")")"
done
finish
