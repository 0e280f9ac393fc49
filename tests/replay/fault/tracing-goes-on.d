/* args: -r tests/pcap/nano.pcap -q */
ip:::receive { n++; trace(*(int *)0); } END { printf("%d\n", n); }
