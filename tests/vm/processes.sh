# Functions and static probes of processes under other kernels. Some of the kernels attach one
# program to all probes; others need an event for each probe.
. "$(dirname "$0")/lib.bash"

cc -O1 -pthread -Wall -fno-omit-frame-pointer -o "$T/processes" "$VM/processes.c" || skip "no C compiler"
under_all processes "$VM/processes" "$T/processes" 1000
for deb in $kernels; do
	same_files "$(release "$deb")" "$VM/processes.out" "$T/processes.$(release "$deb")"
done
finish
