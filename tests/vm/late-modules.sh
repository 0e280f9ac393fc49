# Functions of a module that is loaded while dtrace runs (-Z), under kernels that have kprobes for many functions.
. "$(dirname "$0")/lib.bash"

export VM_ONE_CPU=1
under_all late-modules "$VM/late-modules"
for deb in $kernels; do
	same_files "$(release "$deb")" "$VM/late-modules.out" "$T/late-modules.$(release "$deb")"
done
finish
