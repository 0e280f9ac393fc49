/* args: -r tests/pcap/reassembly.pcap -q -x local=192.0.2.2 */
/* Nothing of these has a local sender: nothing is given up. */
replay:::send { @ = count(); }
rawtp:::netif_receive_skb { @n = count(); }
END { printa("%@d packets\n", @n); }
