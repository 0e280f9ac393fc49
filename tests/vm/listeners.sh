# Listeners and full queues under kernels whose functions can be traced. Each kernel has other
# hooks.
. "$(dirname "$0")/lib.bash"

helpers peer
under_all listeners bash -c '"$DTRACE" -en tcp:::listen-overflow && exec bash "$0"' "$VM/../live/tcp/accept.sh"
for deb in $kernels; do
	r=$(release "$deb")
	grep -F 'ok: listen-overflow: the kernel counts four' "$T/listeners.$r" || fail "$r: $(cat "$T/listeners.$r")"
done
finish
