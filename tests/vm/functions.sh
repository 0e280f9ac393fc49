# The fbt provider under kernels that allow tracing of functions.
. "$(dirname "$0")/lib.bash"

export VM_ONE_CPU=1
under_all functions "$VM/functions"
for deb in $kernels; do
	same_files "$(release "$deb")" "$VM/functions.out" "$T/functions.$(release "$deb")"
done
finish
