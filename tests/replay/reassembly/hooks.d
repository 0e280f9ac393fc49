/* args: -r tests/pcap/frags.pcap -q */
/* Fragments are packets of IP; only what they make up gets to sockets. */
ip:::send, ip:::receive, cgroup_skb:::egress, cgroup_skb:::ingress, replay:::send, replay:::receive,
udp:::send, udp:::receive, rawtp:::net_dev_queue, rawtp:::netif_receive_skb
{
	@[probeprov, probename] = count();
}
