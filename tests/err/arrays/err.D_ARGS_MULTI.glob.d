/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::, BEGIN { }
ip:::,rawtp:::netif_receive_skb { }
:::*e* { trace(args[2]->ip_ver); }
