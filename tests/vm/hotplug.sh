# CPUs go offline and come back during tracing: no packet is lost and nothing fails.
. "$(dirname "$0")/lib.bash"

under_all hotplug "$VM/hotplug"
for deb in $kernels; do
	same_files "$(release "$deb")" "$VM/hotplug.out" "$T/hotplug.$(release "$deb")"
done
finish
