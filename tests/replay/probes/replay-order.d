/* args: -r tests/pcap/udp.pcap -q */
/* The first packet: the sender's hooks, then the receiver's. */
replay:::receive, cgroup_skb:::ingress, rawtp:::netif_receive_skb, rawtp:::net_dev_queue, cgroup_skb:::egress,
replay:::send
{
	printf("%s:::%s\n", probeprov, probename);
}
replay:::receive { exit(0); }
