# The table and chain that drop a packet, under kernels whose functions can be traced.
. "$(dirname "$0")/lib.bash"

under_all firewall env FUNCTIONS=1 bash "$VM/../live/packets/firewall.sh"
for deb in $kernels; do
	same "$(release "$deb")" 'ok' "$(grep -c '^ok: packets by table and chain' "$T/firewall.$(release "$deb")" | sed 's/^1$/ok/')"
done
finish
