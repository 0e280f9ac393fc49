# One program at many functions, named by a pattern, under kernels that have kprobes.
. "$(dirname "$0")/lib.bash"

export VM_ONE_CPU=1
cc -O1 -Wall -static -o "$T/calls" "$VM/../live/helpers/syscalls.c" || skip "no C compiler that links statically"
under_all many "$VM/many-functions" "$T/calls" 1000
for deb in $kernels; do
	same_files "$(release "$deb")" "$VM/many-functions.out" "$T/many.$(release "$deb")"
done
finish
