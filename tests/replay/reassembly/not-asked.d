/* args: -r tests/pcap/reassembly.pcap -q -x local=192.0.2.2 */
/* These packets have no local sender, so no datagram is dropped. */
replay:::send { @ = count(); }
rawtp:::netif_receive_skb { @n = count(); }
END { printa("%@d packets\n", @n); }
