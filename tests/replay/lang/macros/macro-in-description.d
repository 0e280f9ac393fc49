/* args: -r tests/pcap/udp.pcap -q receive */
ip:::$1 { n++; } END { printf("%d\n", n); }
