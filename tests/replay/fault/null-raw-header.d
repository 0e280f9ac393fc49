/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive { printf("%d\n", args[5]->ipv6_hdr->hop_limit); }
