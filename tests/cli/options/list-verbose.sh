# -lv: attributes, argument types, hooks, and the description of a probe.
. tests/cli/lib.bash

attributes='	Probe Description Attributes
		Identifier Names: Private
		Data Semantics:   Private
		Dependency Class: Unknown

	Argument Attributes
		Identifier Names: Evolving
		Data Semantics:   Evolving
		Dependency Class: ISA
'
types='		args[0]: pktinfo_t *
		args[1]: csinfo_t *
		args[2]: ipinfo_t *
		args[3]: ifinfo_t *
		args[4]: ipv4info_t *
		args[5]: ipv6info_t *'

succeeds -r $pcap -lvn ip:::send
out "   ID   PROVIDER            MODULE                          FUNCTION NAME
    N         ip            kernel                              none send

$attributes
	Argument Types
$types

	Hooks
		cgroup_skb:::egress

	Description
		IP sends a packet. The probe fires once for each datagram of a
		socket of this host, before fragmentation and segmentation, and
		once for each packet that is forwarded or sent without a socket.
		In replay it fires for each packet, also for a fragment.

	Arguments
		args[0]: The packet.
		args[1]: The socket and its owner. The owner is never the
		process that a packet interrupted.
		args[2]: The IP packet, of either version.
		args[3]: The network device on which the packet leaves or came
		in.
		args[4]: The IPv4 header (RFC 791). If there is none, numbers
		are 0 and strings are \"<null>\".
		args[5]: The IPv6 header (RFC 8200). If there is none, numbers
		are 0 and strings are \"<null>\".
"

run -r $pcap -l -v -P ip
status 0
what='-l -v -P ip' checks=$((checks + 1))
[ "$(grep -c 'args\[5\]: ipv6info_t \*' "$out")" = 3 ] || wrong 'the number of probes with an IPv6 header is not 3'

run -r $pcap -lvn BEGIN
status 0
out_has '^	Argument Types$'
out_has '^		None$'
finish
