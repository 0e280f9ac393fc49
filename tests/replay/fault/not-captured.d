/* args: -r tests/pcap/odd.pcap -q */
ip:::receive { @ = count(); } ip:::receive { printf("%d\n", ntohs(*(uint16_t *)((uintptr_t)args[4]->ipv4_hdr + 20))); }
