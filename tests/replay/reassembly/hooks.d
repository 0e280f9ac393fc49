/* args: -r tests/pcap/frags.pcap -q */
/* Fragments are packets to IP probes; socket probes see only the whole datagram. */
ip:::send, ip:::receive, cgroup_skb:::egress, cgroup_skb:::ingress, replay:::send, replay:::receive,
udp:::send, udp:::receive, rawtp:::net_dev_queue, rawtp:::netif_receive_skb
{
	@[probeprov, probename] = count();
}
