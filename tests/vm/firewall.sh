# The table and chain that drop a packet, of nf_tables and of ip_tables, under kernels whose functions can be traced.
. "$(dirname "$0")/lib.bash"
command -v iptables-legacy >/dev/null || skip 'no iptables-legacy here'

under_all firewall env FUNCTIONS=1 bash "$VM/../live/packets/firewall.sh"
for deb in $kernels; do
	r=$(release "$deb")
	grep -F 'ok: packets by table and chain (12 lines' "$T/firewall.$r" || fail "$r: $(cat "$T/firewall.$r")"
done
finish
