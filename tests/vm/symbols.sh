# Kernel variables, where the kernel lists them: dtrace's values equal those that the kernel
# reports.
. "$(dirname "$0")/lib.bash"

export VM_ONE_CPU=1
under_all symbols bash tests/vm/symbols
for deb in $kernels; do
	diff -u tests/vm/symbols.out "$T/symbols.$(release "$deb")" || fail "$(release "$deb"): see above"
done
finish
